// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tile.load %t[0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the sizes have 1 entries for rank 2
  %0 = pl.tile.load %t[0, 0] [64] : tensor<8x64xf32> -> !pl.tile<tensor<64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 8, size 1 leaves the source in dimension 0, whose extent is 8
  %0 = pl.tile.load %t[8, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset -1 of the source in dimension 0 is negative
  %0 = pl.tile.load %t[-1, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the sizes of a tile must be constants, not [?, 64]
  %0 = pl.tile.load %t[0, 0] [%i, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the tile has the sizes [1, 64] as its shape, not [64]
  %0 = pl.tile.load %t[0, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the source has elements of f32, the tile of f16
  %0 = pl.tile.load %t[0, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf16>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result must be a pl.tile, not tensor<1x64xf32>
  %0 = pl.tile.load %t[0, 0] [1, 64] : tensor<8x64xf32> -> tensor<1x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  %0 = pl.tile.load %k[0, 0] [1, 64] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tile.store %k into %t[0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 8, size 1 leaves the destination in dimension 0, whose extent is 8
  %0 = pl.tile.store %k into %t[8, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset -1 of the destination in dimension 1 is negative
  %0 = pl.tile.store %k into %t[0, -1] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<64xf32>) {
  // CHECK: :3: error: a tile of rank 2 does not fit a tensor of rank 1
  %0 = pl.tile.store %k into %t[0] : !pl.tile<tensor<1x64xf32>>, tensor<64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf16>) {
  // CHECK: :3: error: the destination has elements of f16, the tile of f32
  %0 = pl.tile.store %k into %t[0, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf16>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: tile must be a pl.tile, not tensor<8x64xf32>
  %0 = pl.tile.store %t into %t[0, 0] : tensor<8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: destination must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  %0 = pl.tile.store %k into %k[0, 0] : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the offsets mark 0 entries as values, but 1 values are given
  %0 = "pl.tile.store"(%k, %t, %i) <{static_offsets = array<i64: 0, 0>}> : (!pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>, index) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tile.slice %k[0] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: the sizes have 1 entries for rank 2
  %0 = pl.tile.slice %k[0, 0] [32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<32xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: offset 33, size 32 leaves the source in dimension 1, whose extent is 64
  %0 = pl.tile.slice %k[0, 33] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: the result of a slice has the sizes [1, 32] as its shape, not [1, 64]
  %0 = pl.tile.slice %k[0, 0] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: source !pl.tile<tensor<1x64xf32>> and result !pl.tile<tensor<1x32xf16>> must have one element type
  %0 = pl.tile.slice %k[0, 0] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf16>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: result tensor<1x32xf32> must be of the kind of its source, !pl.tile<tensor<1x64xf32>>
  %0 = pl.tile.slice %k[0, 0] [1, 32] : !pl.tile<tensor<1x64xf32>> -> tensor<1x32xf32>
  func.return
}

// -----

func.func @f(%p: i32) {
  // CHECK: :3: error: source must be a pl.tile or a tensor or a pld.dist_tensor, not i32
  %0 = pl.tile.slice %p[0, 0] [1, 32] : i32 -> tensor<1x32xf32>
  func.return
}
