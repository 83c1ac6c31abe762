# RUN: pld-opt %s | filecheck %s

# A return in an arm of a trailing if: one return of the results.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def pick(self, x: pl.Tensor[[8], pl.INT32], n: pl.Scalar[pl.INT32]):
        if n == 0:
            return pl.read(x, [0])
        a = pl.read(x, [1])
        if n == 1:
            return a
        b = a + n
        return b

    @pl.function
    def zero(self):
        return 0

    @pl.function
    def nothing(self, n: pl.Scalar[pl.INDEX]):
        pass

# CHECK:      func.func @pick(%x: tensor<8xi32>, %n: i32) -> i32 attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0_i32 = arith.constant 0 : i32
# CHECK-NEXT:   %0 = arith.cmpi eq, %n, %c0_i32 : i32
# CHECK-NEXT:   %1 = scf.if %0 -> (i32) {
# CHECK-NEXT:     %2 = pl.tensor.read %x[0] : tensor<8xi32> -> i32
# CHECK-NEXT:     scf.yield %2 : i32
# CHECK-NEXT:   } else {
# CHECK-NEXT:     %a = pl.tensor.read %x[1] : tensor<8xi32> -> i32
# CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
# CHECK-NEXT:     %3 = arith.cmpi eq, %n, %c1_i32 : i32
# CHECK-NEXT:     %4 = scf.if %3 -> (i32) {
# CHECK-NEXT:       scf.yield %a : i32
# CHECK-NEXT:     } else {
# CHECK-NEXT:       %b = arith.addi %a, %n : i32
# CHECK-NEXT:       scf.yield %b : i32
# CHECK-NEXT:     }
# CHECK-NEXT:     scf.yield %4 : i32
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %1 : i32
# CHECK-NEXT: }
# CHECK-NEXT: func.func @zero() -> index {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   func.return %c0 : index
# CHECK-NEXT: }
# CHECK-NEXT: func.func @nothing(%n: index) {
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
