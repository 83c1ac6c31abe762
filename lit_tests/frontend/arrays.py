# RUN: pld-opt %s | filecheck %s

# pl.array is storage: it is never carried.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8], pl.INT32], y: pl.Out[pl.Tensor[[8], pl.INT32]]):
        a = pl.array.create(8, pl.INT32)
        for i in pl.range(8):
            a[i] = pl.read(x, [i]) + 1
        if a[0] > 1:
            a[0] = 1
        y = pl.write(y, [0], a[0])
        return y

# CHECK:      func.func @f(%x: tensor<8xi32>, %y: tensor<8xi32> {pl.dir = "out"}) -> tensor<8xi32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %a = memref.alloca() : memref<8xi32>
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %i = %c0 to %c8 step %c1 {
# CHECK-NEXT:     %0 = pl.tensor.read %x[%i] : tensor<8xi32> -> i32
# CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
# CHECK-NEXT:     %1 = arith.addi %0, %c1_i32 : i32
# CHECK-NEXT:     memref.store %1, %a[%i] : memref<8xi32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %c0_1 = arith.constant 0 : index
# CHECK-NEXT:   %2 = memref.load %a[%c0_1] : memref<8xi32>
# CHECK-NEXT:   %c1_i32_1 = arith.constant 1 : i32
# CHECK-NEXT:   %3 = arith.cmpi sgt, %2, %c1_i32_1 : i32
# CHECK-NEXT:   scf.if %3 {
# CHECK-NEXT:     %c1_i32_2 = arith.constant 1 : i32
# CHECK-NEXT:     %c0_2 = arith.constant 0 : index
# CHECK-NEXT:     memref.store %c1_i32_2, %a[%c0_2] : memref<8xi32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %c0_3 = arith.constant 0 : index
# CHECK-NEXT:   %4 = memref.load %a[%c0_3] : memref<8xi32>
# CHECK-NEXT:   %y_1 = pl.tensor.write %4 into %y[0] : i32, tensor<8xi32>
# CHECK-NEXT:   func.return %y_1 : tensor<8xi32>
# CHECK-NEXT: }
