# RUN: pld-opt %s | filecheck %s

# A name first bound in a loop and read after it is the tensor that the loop writes.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(self, x: pl.Tensor[[8, 64], pl.FP32], out: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        for i in pl.range(8):
            for j in pl.range(2):
                tile = pl.load(x, [i, j * 32], [1, 32])
                out2 = pl.store(tile, [i, j * 32], out)
        return out2

# CHECK:      func.func @stage(%x: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %out2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%out2_1 = %out) -> (tensor<8x64xf32>) {
# CHECK-NEXT:     %c0_1 = arith.constant 0 : index
# CHECK-NEXT:     %c2 = arith.constant 2 : index
# CHECK-NEXT:     %c1_1 = arith.constant 1 : index
# CHECK-NEXT:     %out2_2 = scf.for %j = %c0_1 to %c2 step %c1_1 iter_args(%out2_3 = %out2_1) -> (tensor<8x64xf32>) {
# CHECK-NEXT:       %c32 = arith.constant 32 : index
# CHECK-NEXT:       %0 = arith.muli %j, %c32 : index
# CHECK-NEXT:       %tile = pl.tile.load %x[%i, %0] [1, 32] : tensor<8x64xf32> -> !pl.tile<tensor<1x32xf32>>
# CHECK-NEXT:       %c32_1 = arith.constant 32 : index
# CHECK-NEXT:       %1 = arith.muli %j, %c32_1 : index
# CHECK-NEXT:       %out2_4 = pl.tile.store %tile into %out2_3[%i, %1] : !pl.tile<tensor<1x32xf32>>, tensor<8x64xf32>
# CHECK-NEXT:       scf.yield %out2_4 : tensor<8x64xf32>
# CHECK-NEXT:     }
# CHECK-NEXT:     scf.yield %out2_2 : tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %out2 : tensor<8x64xf32>
# CHECK-NEXT: }
