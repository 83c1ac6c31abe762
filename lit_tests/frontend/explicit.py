# RUN: pld-opt %s | filecheck %s

# Carries that the author names: init_values and pl.yield_, with and without the yield.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(self, x: pl.Tensor[[8, 64], pl.FP32], out: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        for i, (a, n) in pl.range(8, init_values=(out, 0)):
            t = pl.load(x, [i, 0], [1, 64])
            b = pl.store(t, [i, 0], a)
            a2, m = pl.yield_(b, n + i)
        for i, (a,) in pl.range(m, init_values=(a2,)):
            a = pl.store(pl.load(x, [i, 0], [1, 64]), [i, 0], a)
        return a

# CHECK:      func.func @stage(%x: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %c0_1 = arith.constant 0 : index
# CHECK-NEXT:   %a2, %m = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %out, %n = %c0_1) -> (tensor<8x64xf32>, index) {
# CHECK-NEXT:     %t = pl.tile.load %x[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %b = pl.tile.store %t into %a[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:     %0 = arith.addi %n, %i : index
# CHECK-NEXT:     scf.yield %b, %0 : tensor<8x64xf32>, index
# CHECK-NEXT:   }
# CHECK-NEXT:   %c0_2 = arith.constant 0 : index
# CHECK-NEXT:   %c1_1 = arith.constant 1 : index
# CHECK-NEXT:   %a_1 = scf.for %i_1 = %c0_2 to %m step %c1_1 iter_args(%a_2 = %a2) -> (tensor<8x64xf32>) {
# CHECK-NEXT:     %1 = pl.tile.load %x[%i_1, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %a_3 = pl.tile.store %1 into %a_2[%i_1, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:     scf.yield %a_3 : tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %a_1 : tensor<8x64xf32>
# CHECK-NEXT: }
