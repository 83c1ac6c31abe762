# RUN: pld-opt %s | filecheck %s

# Names that the arms of an if bind become its results; a constant condition chooses its arm.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def pick(self, x: pl.Tensor[[8], pl.INT32], y: pl.Out[pl.Tensor[[1], pl.INT32]]):
        v = pl.read(x, [0])
        if v > 0:
            w = v
            unused = v
        elif v < -4:
            w = 7
        else:
            w = pl.read(x, [1])
        if w == v:
            w = w + 1
        if w != v:
            pl.write(y, [0], v)
        if True:
            r = w
        else:
            r = undefined
        if r > 0:
            s = pl.yield_(r)
        else:
            s = pl.yield_(0)
        y = pl.write(y, [0], s)
        return y

# CHECK:      func.func @pick(%x: tensor<8xi32>, %y: tensor<1xi32> {pl.dir = "out"}) -> tensor<1xi32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %v = pl.tensor.read %x[0] : tensor<8xi32> -> i32
# CHECK-NEXT:   %c0_i32 = arith.constant 0 : i32
# CHECK-NEXT:   %0 = arith.cmpi sgt, %v, %c0_i32 : i32
# CHECK-NEXT:   %w = scf.if %0 -> (i32) {
# CHECK-NEXT:     scf.yield %v : i32
# CHECK-NEXT:   } else {
# CHECK-NEXT:     %1 = arith.constant -4 : i32
# CHECK-NEXT:     %2 = arith.cmpi slt, %v, %1 : i32
# CHECK-NEXT:     %w_1 = scf.if %2 -> (i32) {
# CHECK-NEXT:       %c7_i32 = arith.constant 7 : i32
# CHECK-NEXT:       scf.yield %c7_i32 : i32
# CHECK-NEXT:     } else {
# CHECK-NEXT:       %w_2 = pl.tensor.read %x[1] : tensor<8xi32> -> i32
# CHECK-NEXT:       scf.yield %w_2 : i32
# CHECK-NEXT:     }
# CHECK-NEXT:     scf.yield %w_1 : i32
# CHECK-NEXT:   }
# CHECK-NEXT:   %3 = arith.cmpi eq, %w, %v : i32
# CHECK-NEXT:   %w_3 = scf.if %3 -> (i32) {
# CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
# CHECK-NEXT:     %w_4 = arith.addi %w, %c1_i32 : i32
# CHECK-NEXT:     scf.yield %w_4 : i32
# CHECK-NEXT:   } else {
# CHECK-NEXT:     scf.yield %w : i32
# CHECK-NEXT:   }
# CHECK-NEXT:   %4 = arith.cmpi ne, %w_3, %v : i32
# CHECK-NEXT:   scf.if %4 {
# CHECK-NEXT:     %5 = pl.tensor.write %v into %y[0] : i32, tensor<1xi32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %c0_i32_1 = arith.constant 0 : i32
# CHECK-NEXT:   %6 = arith.cmpi sgt, %w_3, %c0_i32_1 : i32
# CHECK-NEXT:   %s = scf.if %6 -> (i32) {
# CHECK-NEXT:     scf.yield %w_3 : i32
# CHECK-NEXT:   } else {
# CHECK-NEXT:     %c0_i32_2 = arith.constant 0 : i32
# CHECK-NEXT:     scf.yield %c0_i32_2 : i32
# CHECK-NEXT:   }
# CHECK-NEXT:   %y_1 = pl.tensor.write %s into %y[0] : i32, tensor<1xi32>
# CHECK-NEXT:   func.return %y_1 : tensor<1xi32>
# CHECK-NEXT: }
