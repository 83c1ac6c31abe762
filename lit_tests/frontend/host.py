# RUN: pld-opt %s | filecheck %s

# A host body: windows, byte counts, dispatch loops; a name of two loops is carried by neither.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[8, 64], pl.FP32], d: pl.InOut[pld.DistributedTensor[[8, 64], pl.FP32]]) -> pl.Tensor[[8, 64], pl.FP32]: ...

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, xs: pl.Tensor[[2, 8, 64], pl.FP32]):
        n = pld.world_size()
        buf = pld.alloc_window_buffer(8 * 64 * pl.FP32.get_byte())
        sig_buf = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
        for r in pl.range(n):
            d = pld.window(buf, [8, 64], dtype=pl.FP32)
            self.chip(xs[r], d, device=r)
        for r in pl.parallel(n):
            d = pld.window(buf, [8, 64], dtype=pl.FP32)
            sig = pld.window(sig_buf, [2, 1], dtype=pl.INT32)
            d = pld.tensor.allreduce(d, sig, op=pld.ReduceOp.Max)
            self.chip(xs[0], d, device=0)

# CHECK:      func.func private @chip(tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration", pl.arg_attrs = [{}, {pl.dir = "inout"}]}
# CHECK-NEXT: func.func @host(%xs: tensor<2x8x64xf32>) attributes {pl.level = "host", pl.role = "orchestrator"} {
# CHECK-NEXT:   %n = pld.system.world_size : index
# CHECK-NEXT:   %c2048 = arith.constant 2048 : index
# CHECK-NEXT:   %buf = pld.tensor.alloc_window_buffer %c2048 {name = "buf"} : !pld.window_buffer
# CHECK-NEXT:   %c4 = arith.constant 4 : index
# CHECK-NEXT:   %0 = arith.muli %n, %c4 : index
# CHECK-NEXT:   %sig_buf = pld.tensor.alloc_window_buffer %0 {name = "sig_buf"} : !pld.window_buffer
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %r = %c0 to %n step %c1 {
# CHECK-NEXT:     %d = pld.tensor.window %buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:     %1 = pl.tensor.slice %xs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
# CHECK-NEXT:     %2 = pl.tensor.view %1 : tensor<1x8x64xf32> -> tensor<8x64xf32>
# CHECK-NEXT:     %3 = pl.call @chip(%2, %d) device(%r) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %c0_1 = arith.constant 0 : index
# CHECK-NEXT:   %c1_1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %r_1 = %c0_1 to %n step %c1_1 {
# CHECK-NEXT:     %d_1 = pld.tensor.window %buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:     %sig = pld.tensor.window %sig_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
# CHECK-NEXT:     %d_2 = pld.tensor.allreduce %d_1, %sig {op = "max"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
# CHECK-NEXT:     %4 = pl.tensor.slice %xs[0, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
# CHECK-NEXT:     %5 = pl.tensor.view %4 : tensor<1x8x64xf32> -> tensor<8x64xf32>
# CHECK-NEXT:     %c0_2 = arith.constant 0 : index
# CHECK-NEXT:     %6 = pl.call @chip(%5, %d_2) device(%c0_2) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> tensor<8x64xf32>
# CHECK-NEXT:   } {pl.kind = "parallel"}
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
