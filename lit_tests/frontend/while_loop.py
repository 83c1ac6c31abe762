# RUN: pld-opt %s | filecheck %s

# Both forms of while.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def count(self, x: pl.Tensor[[8], pl.INT32], y: pl.Out[pl.Tensor[[1], pl.INT32]]):
        i = 0
        while i < 8:
            y = pl.write(y, [0], pl.read(x, [i]))
            i = i + 1
        for (k,) in pl.while_(init_values=(i,)):
            pl.cond(k > 0)
            k2 = pl.yield_(k - 1)
        y = pl.write(y, [0], k2)
        return y

# CHECK:      func.func @count(%x: tensor<8xi32>, %y: tensor<1xi32> {pl.dir = "out"}) -> tensor<1xi32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %y_1, %i = scf.while (%y_2 = %y, %i_1 = %c0) : (tensor<1xi32>, index) -> (tensor<1xi32>, index) {
# CHECK-NEXT:     %c8 = arith.constant 8 : index
# CHECK-NEXT:     %0 = arith.cmpi slt, %i_1, %c8 : index
# CHECK-NEXT:     scf.condition(%0) %y_2, %i_1 : tensor<1xi32>, index
# CHECK-NEXT:   } do {
# CHECK-NEXT:   ^bb0(%y_3: tensor<1xi32>, %i_2: index):
# CHECK-NEXT:     %1 = pl.tensor.read %x[%i_2] : tensor<8xi32> -> i32
# CHECK-NEXT:     %y_4 = pl.tensor.write %1 into %y_3[0] : i32, tensor<1xi32>
# CHECK-NEXT:     %c1 = arith.constant 1 : index
# CHECK-NEXT:     %i_3 = arith.addi %i_2, %c1 : index
# CHECK-NEXT:     scf.yield %y_4, %i_3 : tensor<1xi32>, index
# CHECK-NEXT:   }
# CHECK-NEXT:   %k2 = scf.while (%k = %i) : (index) -> index {
# CHECK-NEXT:     %c0_1 = arith.constant 0 : index
# CHECK-NEXT:     %2 = arith.cmpi sgt, %k, %c0_1 : index
# CHECK-NEXT:     scf.condition(%2) %k : index
# CHECK-NEXT:   } do {
# CHECK-NEXT:   ^bb0(%k_1: index):
# CHECK-NEXT:     %c1_1 = arith.constant 1 : index
# CHECK-NEXT:     %3 = arith.subi %k_1, %c1_1 : index
# CHECK-NEXT:     scf.yield %3 : index
# CHECK-NEXT:   }
# CHECK-NEXT:   %4 = arith.index_cast %k2 : index to i32
# CHECK-NEXT:   %y_5 = pl.tensor.write %4 into %y_1[0] : i32, tensor<1xi32>
# CHECK-NEXT:   func.return %y_5 : tensor<1xi32>
# CHECK-NEXT: }
