# RUN: pld-opt %s | filecheck %s

# Tile ops.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], y: pl.Out[pl.Tensor[[8, 64], pl.FP32]], n: pl.Scalar[pl.INT32]):
        a = pl.load(x, [0, 0], [4, 64], valid_shape=[n, 64])
        whole = pl.load(x, [0, 0], [4, 64], valid_shape=[4, 64])
        b = pl.add(a, whole) * 2.0 - a
        c = pl.maximum(pl.minimum(b, 1), pl.tile.full([4, 64], pl.FP32, 0))
        d = 2 * pl.div(c, 3)
        e = pl.cast(d, pl.FP16)
        tmp = pl.tile.create([4, 64], dtype=pl.FP32)
        s = pl.tile.row_sum(d, tmp)
        r = pl.tile.reshape(s, [1, 4])
        q = pl.slice(r, [1, 2], [0, 2])
        i = pl.tile.get_block_idx() * pl.tile.get_block_num()
        pl.store(q, [i, 0], y)
        y = pl.store(pl.cast(e, pl.FP32), [i, 0], y)
        return y

# CHECK:      func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x64xf32> {pl.dir = "out"}, %n: i32) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %0 = arith.index_cast %n : i32 to index
# CHECK-NEXT:   %a = pl.tile.load %x[0, 0] [4, 64] valid [%0, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %whole = pl.tile.load %x[0, 0] [4, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %1 = pl.tile.add %a, %whole : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %2 = arith.constant 2.000000e+00 : f32
# CHECK-NEXT:   %3 = pl.tile.mul %1, %2 : !pl.tile<tensor<4x64xf32>>, f32
# CHECK-NEXT:   %b = pl.tile.sub %3, %a : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %4 = arith.constant 1.000000e+00 : f32
# CHECK-NEXT:   %5 = pl.tile.min %b, %4 : !pl.tile<tensor<4x64xf32>>, f32
# CHECK-NEXT:   %6 = arith.constant 0.000000e+00 : f32
# CHECK-NEXT:   %7 = pl.tile.full %6 : f32 -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %c = pl.tile.max %5, %7 : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %8 = arith.constant 3.000000e+00 : f32
# CHECK-NEXT:   %9 = pl.tile.div %c, %8 : !pl.tile<tensor<4x64xf32>>, f32
# CHECK-NEXT:   %10 = arith.constant 2.000000e+00 : f32
# CHECK-NEXT:   %d = pl.tile.mul %9, %10 : !pl.tile<tensor<4x64xf32>>, f32
# CHECK-NEXT:   %e = pl.tile.cast %d : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x64xf16>>
# CHECK-NEXT:   %s = pl.tile.row_sum %d : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x1xf32>>
# CHECK-NEXT:   %r = pl.tile.reshape %s : !pl.tile<tensor<4x1xf32>> -> !pl.tile<tensor<1x4xf32>>
# CHECK-NEXT:   %q = pl.tile.slice %r[0, 2] [1, 2] : !pl.tile<tensor<1x4xf32>> -> !pl.tile<tensor<1x2xf32>>
# CHECK-NEXT:   %11 = pl.tile.block_idx : index
# CHECK-NEXT:   %12 = pl.tile.block_num : index
# CHECK-NEXT:   %i = arith.muli %11, %12 : index
# CHECK-NEXT:   %13 = pl.tile.store %q into %y[%i, 0] : !pl.tile<tensor<1x2xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   %14 = pl.tile.cast %e : !pl.tile<tensor<4x64xf16>> -> !pl.tile<tensor<4x64xf32>>
# CHECK-NEXT:   %y_1 = pl.tile.store %14 into %y[%i, 0] : !pl.tile<tensor<4x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   func.return %y_1 : tensor<8x64xf32>
# CHECK-NEXT: }
