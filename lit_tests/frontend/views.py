# RUN: pld-opt %s | filecheck %s

# Subscripts: elements, slices, views without the indexed dimensions, stores.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, x: pl.Tensor[[4, 8, 64], pl.FP32], i: pl.Scalar[pl.INDEX], d: pld.DistributedTensor[[8, 64], pl.FP32], y: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
        a = x[i]
        b = x[i, 0:4]
        c = d[i * 2 : i * 2 + 2, :]
        e = x[i, 1, 2]
        whole = y[:]
        y[0:2, :] = c
        y[i] = a[0]
        t = pl.transpose(y, 0, -1)
        v = pl.tensor.view(t, [512])
        w = pl.reshape(v, [2, 256])
        z = pl.set_validshape(w, 1, 256)
        s = pl.slice(x, [1, 2, 64], [i, 0, 0])
        k = pl.create_tensor([2, 64], dtype=pl.FP32)
        k = pl.assemble(k, b[0:1], [1, 0])
        n = pl.tensor.dim(x, 1)
        g = d[i : i + n]
        return y, whole, e, z, s, k, g

# CHECK:      func.func @f(%x: tensor<4x8x64xf32>, %i: index, %d: !pld.dist_tensor<tensor<8x64xf32>>, %y: tensor<8x64xf32> {pl.dir = "out"}) -> (tensor<8x64xf32>, tensor<8x64xf32>, f32, tensor<2x256xf32, {valid_shape = array<i64: 1, 256>}>, tensor<1x2x64xf32>, tensor<2x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) attributes {pl.func_type = "orchestration"} {
# CHECK-NEXT:   %0 = pl.tensor.slice %x[%i, 0, 0] [1, 8, 64] : tensor<4x8x64xf32> -> tensor<1x8x64xf32>
# CHECK-NEXT:   %a = pl.tensor.view %0 : tensor<1x8x64xf32> -> tensor<8x64xf32>
# CHECK-NEXT:   %1 = pl.tensor.slice %x[%i, 0, 0] [1, 4, 64] : tensor<4x8x64xf32> -> tensor<1x4x64xf32>
# CHECK-NEXT:   %b = pl.tensor.view %1 : tensor<1x4x64xf32> -> tensor<4x64xf32>
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   %2 = arith.muli %i, %c2 : index
# CHECK-NEXT:   %c = pl.tensor.slice %d[%2, 0] [2, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pld.dist_tensor<tensor<2x64xf32>>
# CHECK-NEXT:   %e = pl.tensor.read %x[%i, 1, 2] : tensor<4x8x64xf32> -> f32
# CHECK-NEXT:   %y_1 = pl.tensor.assemble %c into %y[0, 0] : !pld.dist_tensor<tensor<2x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:   %3 = pl.tensor.slice %a[0, 0] [1, 64] : tensor<8x64xf32> -> tensor<1x64xf32>
# CHECK-NEXT:   %4 = pl.tensor.view %3 : tensor<1x64xf32> -> tensor<64xf32>
# CHECK-NEXT:   %y_2 = pl.tensor.assemble %4 into %y_1[%i, 0] : tensor<64xf32>, tensor<8x64xf32>
# CHECK-NEXT:   %t = pl.tensor.transpose %y_2 {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf32>
# CHECK-NEXT:   %v = pl.tensor.view %t : tensor<64x8xf32> -> tensor<512xf32>
# CHECK-NEXT:   %w = pl.tensor.reshape %v : tensor<512xf32> -> tensor<2x256xf32>
# CHECK-NEXT:   %z = pl.tensor.set_validshape %w : tensor<2x256xf32> -> tensor<2x256xf32, {valid_shape = array<i64: 1, 256>}>
# CHECK-NEXT:   %s = pl.tensor.slice %x[%i, 0, 0] [1, 2, 64] : tensor<4x8x64xf32> -> tensor<1x2x64xf32>
# CHECK-NEXT:   %k = pl.tensor.create : tensor<2x64xf32>
# CHECK-NEXT:   %5 = pl.tensor.slice %b[0, 0] [1, 64] : tensor<4x64xf32> -> tensor<1x64xf32>
# CHECK-NEXT:   %k_1 = pl.tensor.assemble %5 into %k[1, 0] : tensor<1x64xf32>, tensor<2x64xf32>
# CHECK-NEXT:   %g = pl.tensor.slice %d[%i, 0] [8, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT:   func.return %y_2, %y, %e, %z, %s, %k_1, %g : tensor<8x64xf32>, tensor<8x64xf32>, f32, tensor<2x256xf32, {valid_shape = array<i64: 1, 256>}>, tensor<1x2x64xf32>, tensor<2x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
# CHECK-NEXT: }
