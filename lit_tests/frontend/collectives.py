# RUN: pld-opt %s | filecheck %s

# The managed collectives.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], d: pl.InOut[pld.DistributedTensor[[8, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[2, 4], pl.INT32]], send: pld.DistributedTensor[[2, 1], pl.INT32], recv: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], index: pl.Tensor[[8], pl.INT32]):
        d = pld.tensor.allreduce(d, sig, op=pld.ReduceOp.Sum, mode="ring", core_num=2)
        d = pld.tensor.allreduce(d, sig)
        d = pld.tensor.reduce_scatter(d, sig, op=pld.ReduceOp.Min)
        d = pld.tensor.broadcast(d, sig, root=1)
        sig = pld.tensor.barrier(sig)
        d = pld.tensor.allgather(x, d, sig)
        d = pld.tensor.all_to_all(x, d, sig)
        d = pld.tensor.all_to_all_v(x, d, sig, send, recv)
        d = pld.tensor.indexed_all_to_all_v(x, d, sig, send, recv, index, core_num=4)

# CHECK:      func.func @f(%x: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %sig: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %send: !pld.dist_tensor<tensor<2x1xi32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %index: tensor<8xi32>) attributes {pl.func_type = "orchestration"} {
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   %d_1 = pld.tensor.allreduce %d, %sig core_num(%c2) {op = "sum", mode = "ring"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_2 = pld.tensor.allreduce %d_1, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_3 = pld.tensor.reduce_scatter %d_2, %sig {op = "min"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_4 = pld.tensor.broadcast %d_3, %sig {root = 1 : i64} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %sig_1 = pld.tensor.barrier %sig : !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_5 = pld.tensor.allgather %x, %d_4, %sig_1 : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_6 = pld.tensor.all_to_all %x, %d_5, %sig_1 : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
# CHECK-NEXT:   %d_7 = pld.tensor.all_to_all_v %x, %d_6, %sig_1, %send, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
# CHECK-NEXT:   %c4 = arith.constant 4 : index
# CHECK-NEXT:   %d_8 = pld.tensor.indexed_all_to_all_v %x, %d_7, %sig_1, %send, %recv, %index core_num(%c4) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8xi32>
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
