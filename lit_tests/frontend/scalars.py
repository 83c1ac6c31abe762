# RUN: pld-opt %s | filecheck %s

# Types of scalars: literals take their partner's, integers meet in the wider.

import pypto.language as pl
import pypto.language.distributed as pld


N = 3


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, d: pld.DistributedTensor[[4, 1], pl.INT32], i: pl.Scalar[pl.INDEX], a: pl.Scalar[pl.INT32], h: pl.Scalar[pl.INT64], x: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[4], pl.FP32]]):
        me = pld.rank(pld.get_comm_ctx(d))
        if i != me:
            pl.write(y, [0], x * 2)
        p = (i + N - 1) % N
        q = a // 2 - 1 + h
        s = (a << 2) >> 1
        m = -a + ~s
        if x < 0.5 and not (a == 1 or q >= 2):
            pl.write(y, [p], -x / 2 + 1.5)
        b = pl.min(a, s) + pl.max(m, 4)
        c = pl.cast(b, pl.INDEX) + pl.cast(x, pl.INT32)
        e = pl.cast(pl.cast(c, pl.FP32), pl.FP16)
        k = pl.const(5, pl.INT32)
        typed: pl.Scalar[pl.INT32] = 6
        pl.write(y, [c], pl.cast(e, pl.FP32) + pl.cast(typed + k + 2 ** N, pl.FP32))
        return y

# CHECK:      func.func @f(%d: !pld.dist_tensor<tensor<4x1xi32>>, %i: index, %a: i32, %h: i64, %x: f32, %y: tensor<4xf32> {pl.dir = "out"}) -> tensor<4xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %0 = pld.system.get_comm_ctx %d : !pld.dist_tensor<tensor<4x1xi32>>
# CHECK-NEXT:   %me = pld.system.rank %0 : i32
# CHECK-NEXT:   %1 = arith.index_cast %me : i32 to index
# CHECK-NEXT:   %2 = arith.cmpi ne, %i, %1 : index
# CHECK-NEXT:   scf.if %2 {
# CHECK-NEXT:     %3 = arith.constant 2.000000e+00 : f32
# CHECK-NEXT:     %4 = arith.mulf %x, %3 : f32
# CHECK-NEXT:     %5 = pl.tensor.write %4 into %y[0] : f32, tensor<4xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %c3 = arith.constant 3 : index
# CHECK-NEXT:   %6 = arith.addi %i, %c3 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %7 = arith.subi %6, %c1 : index
# CHECK-NEXT:   %c3_1 = arith.constant 3 : index
# CHECK-NEXT:   %p = arith.remsi %7, %c3_1 : index
# CHECK-NEXT:   %c2_i32 = arith.constant 2 : i32
# CHECK-NEXT:   %8 = arith.divsi %a, %c2_i32 : i32
# CHECK-NEXT:   %c1_i32 = arith.constant 1 : i32
# CHECK-NEXT:   %9 = arith.subi %8, %c1_i32 : i32
# CHECK-NEXT:   %10 = arith.extsi %9 : i32 to i64
# CHECK-NEXT:   %q = arith.addi %10, %h : i64
# CHECK-NEXT:   %c2_i32_1 = arith.constant 2 : i32
# CHECK-NEXT:   %11 = arith.shli %a, %c2_i32_1 : i32
# CHECK-NEXT:   %c1_i32_1 = arith.constant 1 : i32
# CHECK-NEXT:   %s = arith.shrsi %11, %c1_i32_1 : i32
# CHECK-NEXT:   %c0_i32 = arith.constant 0 : i32
# CHECK-NEXT:   %12 = arith.subi %c0_i32, %a : i32
# CHECK-NEXT:   %13 = arith.constant -1 : i32
# CHECK-NEXT:   %14 = arith.xori %s, %13 : i32
# CHECK-NEXT:   %m = arith.addi %12, %14 : i32
# CHECK-NEXT:   %15 = arith.constant 5.000000e-01 : f32
# CHECK-NEXT:   %16 = arith.cmpf olt, %x, %15 : f32
# CHECK-NEXT:   %c1_i32_2 = arith.constant 1 : i32
# CHECK-NEXT:   %17 = arith.cmpi eq, %a, %c1_i32_2 : i32
# CHECK-NEXT:   %c2_i64 = arith.constant 2 : i64
# CHECK-NEXT:   %18 = arith.cmpi sge, %q, %c2_i64 : i64
# CHECK-NEXT:   %19 = arith.ori %17, %18 : i1
# CHECK-NEXT:   %20 = arith.constant true
# CHECK-NEXT:   %21 = arith.xori %19, %20 : i1
# CHECK-NEXT:   %22 = arith.andi %16, %21 : i1
# CHECK-NEXT:   scf.if %22 {
# CHECK-NEXT:     %23 = arith.negf %x : f32
# CHECK-NEXT:     %24 = arith.constant 2.000000e+00 : f32
# CHECK-NEXT:     %25 = arith.divf %23, %24 : f32
# CHECK-NEXT:     %26 = arith.constant 1.500000e+00 : f32
# CHECK-NEXT:     %27 = arith.addf %25, %26 : f32
# CHECK-NEXT:     %28 = pl.tensor.write %27 into %y[%p] : f32, tensor<4xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   %29 = arith.minsi %a, %s : i32
# CHECK-NEXT:   %c4_i32 = arith.constant 4 : i32
# CHECK-NEXT:   %30 = arith.maxsi %m, %c4_i32 : i32
# CHECK-NEXT:   %b = arith.addi %29, %30 : i32
# CHECK-NEXT:   %31 = arith.index_cast %b : i32 to index
# CHECK-NEXT:   %32 = arith.fptosi %x : f32 to i32
# CHECK-NEXT:   %33 = arith.index_cast %32 : i32 to index
# CHECK-NEXT:   %c = arith.addi %31, %33 : index
# CHECK-NEXT:   %34 = arith.index_cast %c : index to i64
# CHECK-NEXT:   %35 = arith.sitofp %34 : i64 to f32
# CHECK-NEXT:   %e = arith.truncf %35 : f32 to f16
# CHECK-NEXT:   %k = arith.constant 5 : i32
# CHECK-NEXT:   %36 = arith.extf %e : f16 to f32
# CHECK-NEXT:   %c6_i32 = arith.constant 6 : i32
# CHECK-NEXT:   %37 = arith.addi %c6_i32, %k : i32
# CHECK-NEXT:   %c8_i32 = arith.constant 8 : i32
# CHECK-NEXT:   %38 = arith.addi %37, %c8_i32 : i32
# CHECK-NEXT:   %39 = arith.sitofp %38 : i32 to f32
# CHECK-NEXT:   %40 = arith.addf %36, %39 : f32
# CHECK-NEXT:   %41 = pl.tensor.write %40 into %y[%c] : f32, tensor<4xf32>
# CHECK-NEXT:   func.return %y : tensor<4xf32>
# CHECK-NEXT: }
