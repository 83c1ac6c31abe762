# RUN: pld-opt %s | filecheck %s

# Signals and one-sided transfers.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], d: pl.InOut[pld.DistributedTensor[[8, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):
        ctx = pld.get_comm_ctx(d)
        me = pld.rank(ctx)
        for r in pl.range(pld.nranks(ctx)):
            if r != me:
                pld.system.notify(sig, r, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
                pld.system.wait(sig, [r, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.tensor.put(d, peer=me, src=x)
        pld.tensor.put(d, me, x, [0, 0], [4, 0], [4, 64], atomic=pld.AtomicType.Add)
        pld.tensor.get(x, 0, d, [0, 0], [0, 0], [1, 64])
        t = pld.tile.remote_load(d, me, [0, 0], [1, 64])
        u = pld.remote_load(target=d, peer=0, offsets=[0, 0], shape=[2, 64], valid_shape=[1, 64])
        pld.tile.remote_store(t, d, me, [1, 0], atomic=pld.AtomicType.Add)
        pld.remote_store(u, d, 3, [0, 0])

# CHECK:      func.func @f(%x: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %sig: !pld.dist_tensor<tensor<4x1xi32>> {pl.dir = "inout"}) attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %d : !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   %me = pld.system.rank %ctx : i32
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %0 = pld.system.nranks %ctx : i32
# CHECK-NEXT:   %1 = arith.index_cast %0 : i32 to index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %r = %c0 to %1 step %c1 {
# CHECK-NEXT:     %2 = arith.index_cast %me : i32 to index
# CHECK-NEXT:     %3 = arith.cmpi ne, %r, %2 : index
# CHECK-NEXT:     scf.if %3 {
# CHECK-NEXT:       %4 = arith.index_cast %r : index to i32
# CHECK-NEXT:       %5 = arith.index_cast %me : i32 to index
# CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
# CHECK-NEXT:       pld.system.notify %sig[%5, 0] peer(%4) value(%c1_i32) {op = "atomic_add"} : !pld.dist_tensor<tensor<4x1xi32>>, i32, i32
# CHECK-NEXT:       %c1_i32_1 = arith.constant 1 : i32
# CHECK-NEXT:       pld.system.wait %sig[%r, 0] expected(%c1_i32_1) {cmp = "ge"} : !pld.dist_tensor<tensor<4x1xi32>>, i32
# CHECK-NEXT:     }
# CHECK-NEXT:   }
# CHECK-NEXT:   pld.tensor.put %x[0, 0] into %d[0, 0] [8, 64] peer(%me) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   pld.tensor.put %x[4, 0] into %d[0, 0] [4, 64] peer(%me) {atomic = "add"} : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   %c0_i32 = arith.constant 0 : i32
# CHECK-NEXT:   pld.tensor.get %d[0, 0] into %x[0, 0] [1, 64] peer(%c0_i32) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   %t = pld.tile.remote_load %d[0, 0] [1, 64] peer(%me) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:   %c0_i32_1 = arith.constant 0 : i32
# CHECK-NEXT:   %u = pld.tile.remote_load %d[0, 0] [2, 64] valid [1, 64] peer(%c0_i32_1) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<2x64xf32>>
# CHECK-NEXT:   pld.tile.remote_store %t into %d[1, 0] peer(%me) {atomic = "add"} : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   %c3_i32 = arith.constant 3 : i32
# CHECK-NEXT:   pld.tile.remote_store %u into %d[0, 0] peer(%c3_i32) : !pl.tile<tensor<2x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
