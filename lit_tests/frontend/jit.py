# RUN: pld-opt %s | filecheck %s

# The jit family: the host entry and what it reaches; inline functions are expanded.

import pypto.language as pl
import pypto.language.distributed as pld



@pl.jit.inline
def copy_row(x: pl.Tensor[[8, 64], pl.FP32], y: pl.Tensor[[8, 64], pl.FP32], i: pl.Scalar[pl.INDEX]):
    t = pl.load(x, [i, 0], [1, 64])
    y = pl.store(t, [i, 0], y)
    return y


@pl.jit.incore
def copy(x: pl.Tensor[[8, 64], pl.FP32], y: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
    for i in pl.range(8):
        y = copy_row(x, y, i)
    return y


@pl.jit
def chip(x: pl.Tensor[[8, 64], pl.FP32], y: pl.Out[pl.Tensor[[8, 64], pl.FP32]]):
    return copy(x, y)


@pl.jit.incore
def unreached(x: pl.Tensor[[8, 64], pl.FP32]):
    pass


@pl.jit.host
def main(xs: pl.Tensor[[2, 8, 64], pl.FP32], ys: pl.Out[pl.Tensor[[2, 8, 64], pl.FP32]]):
    for r in pl.range(pld.world_size()):
        chip(xs[r], ys[r], device=r)

# CHECK:      func.func @copy(%x: tensor<8x64xf32>, %y: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   %y_1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%y_2 = %y) -> (tensor<8x64xf32>) {
# CHECK-NEXT:     %t = pl.tile.load %x[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
# CHECK-NEXT:     %y_3 = pl.tile.store %t into %y_2[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
# CHECK-NEXT:     scf.yield %y_3 : tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return %y_1 : tensor<8x64xf32>
# CHECK-NEXT: }
# CHECK-NEXT: func.func @chip(%x: tensor<8x64xf32>, %y: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
# CHECK-NEXT:   %0 = pl.call @copy(%x, %y) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
# CHECK-NEXT:   func.return %0 : tensor<8x64xf32>
# CHECK-NEXT: }
# CHECK-NEXT: func.func @main(%xs: tensor<2x8x64xf32>, %ys: tensor<2x8x64xf32> {pl.dir = "out"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %0 = pld.system.world_size : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %r = %c0 to %0 step %c1 {
# CHECK-NEXT:     %1 = pl.tensor.slice %xs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
# CHECK-NEXT:     %2 = pl.tensor.view %1 : tensor<1x8x64xf32> -> tensor<8x64xf32>
# CHECK-NEXT:     %3 = pl.tensor.slice %ys[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
# CHECK-NEXT:     %4 = pl.tensor.view %3 : tensor<1x8x64xf32> -> tensor<8x64xf32>
# CHECK-NEXT:     %5 = pl.call @chip(%2, %4) device(%r) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
