# RUN: pld-opt %s | filecheck %s

# A literal that is carried takes the type of what the body makes of it.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def total(self, x: pl.Tensor[[8], pl.INT32], y: pl.Out[pl.Tensor[[1], pl.INT32]]):
        total = 0
        last = 0
        for i in pl.range(8):
            total = total + pl.read(x, [i])
            last = i
        total = total + last
        y = pl.write(y, [0], total)
        return y

# CHECK:      func.func @total(%x: tensor<8xi32>, %y: tensor<1xi32> {pl.dir = "out"}) -> tensor<1xi32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %c0_1 = arith.constant 0 : index
# CHECK-NEXT:   %c0_2 = arith.constant 0 : index
# CHECK-NEXT:   %total, %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%total_1 = %c0_1, %last_1 = %c0_2) -> (index, index) {
# CHECK-NEXT:     %0 = pl.tensor.read %x[%i] : tensor<8xi32> -> i32
# CHECK-NEXT:     %1 = arith.index_cast %0 : i32 to index
# CHECK-NEXT:     %total_2 = arith.addi %total_1, %1 : index
# CHECK-NEXT:     scf.yield %total_2, %i : index, index
# CHECK-NEXT:   }
# CHECK-NEXT:   %total_3 = arith.addi %total, %last : index
# CHECK-NEXT:   %2 = arith.index_cast %total_3 : index to i32
# CHECK-NEXT:   %y_1 = pl.tensor.write %2 into %y[0] : i32, tensor<1xi32>
# CHECK-NEXT:   func.return %y_1 : tensor<1xi32>
# CHECK-NEXT: }
