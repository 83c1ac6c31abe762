// RUN: not pld-opt %{s:basename} --split-input-file 2>&1 | filecheck %s

func.func @f(%a: !pl.tile<tensor<4x64xf32>>, %b: !pl.tile<tensor<4x32xf32>>) {
  %c = pl.tile.add %a, %b : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x32xf32>>
  func.return
}
// CHECK: tile_compute_invalid.mlir:4:3: error: rhs must be a tile !pl.tile<tensor<4x64xf32>> as lhs, or a scalar f32, not !pl.tile<tensor<4x32xf32>>

// -----

func.func @f(%a: tensor<4x64xf32>, %b: f32) {
  %c = pl.tile.mul %a, %b : tensor<4x64xf32>, f32
  func.return
}
// CHECK: error: lhs must be a pl.tile, not tensor<4x64xf32>

// -----

func.func @f(%a: !pl.tile<tensor<4x64xf32>>) {
  %c = pl.tile.cast %a : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<64x4xf16>>
  func.return
}
// CHECK: error: a cast keeps the shape: source [4, 64], result [64, 4]

// -----

func.func @f(%a: f16) {
  %c = pl.tile.full %a : f16 -> !pl.tile<tensor<4x64xf32>>
  func.return
}
// CHECK: error: an element of the result is f32, not f16

// -----

func.func @f(%a: !pl.tile<tensor<64xf32>>) {
  %c = pl.tile.row_sum %a : !pl.tile<tensor<64xf32>> -> !pl.tile<tensor<1xf32>>
  func.return
}
// CHECK: error: a tile of rows is of rank 2, not !pl.tile<tensor<64xf32>>

// -----

func.func @f(%a: !pl.tile<tensor<4x64xf32>>) {
  %c = pl.tile.row_sum %a : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4xf32>>
  func.return
}
// CHECK: error: the result's shape is [4, 1], not [4]

// -----

func.func @f(%a: !pl.tile<tensor<4x64xf32>>) {
  %c = pl.tile.row_sum %a : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x1xf16>>
  func.return
}
// CHECK: error: source !pl.tile<tensor<4x64xf32>> and result !pl.tile<tensor<4x1xf16>> must have one element type

// -----

func.func @f(%a: !pl.tile<tensor<4x64xf32>>) {
  %c = pl.tile.reshape %a : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x32xf32>>
  func.return
}
// CHECK: error: source [4, 64] has 256 elements, result [4, 32] has 128

// -----

func.func @f(%a: tensor<4x64xf32>) {
  %c = pl.tensor.dim %a {axis = 2 : i64} : tensor<4x64xf32>
  func.return
}
// CHECK: error: axis 2 is none of the 2 axes of tensor<4x64xf32>

// -----

func.func @f(%a: tensor<4x64xf32>) {
  %c = pl.tile.load %a[0, 0] [4, 32] valid [4, 33] : tensor<4x64xf32> -> !pl.tile<tensor<4x32xf32>>
  func.return
}
// CHECK: error: offset 0, size 33 leaves the box in dimension 1, whose extent is 32

// -----

func.func @f(%a: !pld.dist_tensor<tensor<4x64xf32>>, %p: i32) {
  %c = pld.tile.remote_load %a[0, 0] [4, 32] valid [4] peer(%p) : !pld.dist_tensor<tensor<4x64xf32>> -> !pl.tile<tensor<4x32xf32>>
  func.return
}
// CHECK: error: the valid extents have 1 entries for rank 2
