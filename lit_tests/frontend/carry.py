# RUN: pld-opt %s | filecheck %s

# A loop that binds an outer name again carries it; what nobody reads afterwards is not carried.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(self, x: pl.Tensor[[8, 64], pl.FP32], buf: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        for i in pl.range(8):
            buf = pl.store(pl.load(x, [i, 0], [1, 64]), [i, 0], buf)
        return buf

    @pl.function(type=pl.FunctionType.InCore)
    def dead(self, x: pl.Tensor[[8, 64], pl.FP32], buf: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        t = pl.load(x, [0, 0], [1, 64])
        for i in pl.range(1, 8, 2):
            t = pl.load(x, [i, 0], [1, 64])
            pl.store(t, [i, 0], buf)
        return buf

# CHECK:      func.func @stage(%x: tensor<8x64xf32>, %buf: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %buf_1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%buf_2 = %buf) -> (tensor<8x64xf32>) {
# CHECK-NEXT:     %0 = pl.tile.load %x[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %buf_3 = pl.tile.store %0 into %buf_2[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:     scf.yield %buf_3 : tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %buf_1 : tensor<8x64xf32>
# CHECK-NEXT: }
# CHECK-NEXT: func.func @dead(%x: tensor<8x64xf32>, %buf: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %t = pl.tile.load %x[0, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   scf.for %i = %c1 to %c8 step %c2 {
# CHECK-NEXT:     %t_1 = pl.tile.load %x[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %0 = pl.tile.store %t_1 into %buf[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %buf : tensor<8x64xf32>
# CHECK-NEXT: }
