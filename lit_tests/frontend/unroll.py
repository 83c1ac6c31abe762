# RUN: pld-opt %s | filecheck %s

# pl.unroll reads its body once an iteration; pl.pipeline is a plain loop.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], y: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        for i in pl.unroll(2):
            y = pl.store(pl.load(x, [i * 4, 0], [4, 64]), [i * 4, 0], y)
        for i in pl.pipeline(8, stage=2):
            y = pl.store(pl.load(x, [i, 0], [1, 64]), [i, 0], y)
        return y

# CHECK:      func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %0 = pl.tile.load %x[0, 0] [4, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %y_1 = pl.tile.store %0 into %y[0, 0] : !pl.tile<tensor<4x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   %1 = pl.tile.load %x[4, 0] [4, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %y_2 = pl.tile.store %1 into %y_1[4, 0] : !pl.tile<tensor<4x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %y_3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%y_4 = %y_2) -> (tensor<8x64xf32>) {
# CHECK-NEXT:     %2 = pl.tile.load %x[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %y_5 = pl.tile.store %2 into %y_4[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:     scf.yield %y_5 : tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %y_3 : tensor<8x64xf32>
# CHECK-NEXT: }
