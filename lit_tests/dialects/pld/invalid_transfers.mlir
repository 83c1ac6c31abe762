// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: destination must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.tensor.put %t[0, 0] into %t[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf16>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: source tensor<8x64xf16> and destination !pld.dist_tensor<tensor<8x64xf32>> must have one element type
  pld.tensor.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : tensor<8x64xf16>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %k: !pl.tile<tensor<1x64xf32>>, %p: i32) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  pld.tensor.put %k[0, 0] into %d[0, 0] [4, 64] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the source offsets have 1 entries for rank 2
  pld.tensor.put %t[0] into %d[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the destination offsets have 1 entries for rank 2
  pld.tensor.put %t[0, 0] into %d[0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the sizes have 1 entries for rank 2
  pld.tensor.put %t[0, 0] into %d[0, 0] [4] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: offset 5, size 4 leaves the source in dimension 0, whose extent is 8
  pld.tensor.put %t[5, 0] into %d[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: offset 5, size 4 leaves the destination in dimension 0, whose extent is 8
  pld.tensor.put %t[0, 0] into %d[5, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<512xf32>>, %p: i32) {
  // CHECK: :3: error: source and destination must be of one rank, not 2 and 1
  pld.tensor.put %t[0, 0] into %d[0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<512xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32, %i: index) {
  // CHECK: :3: error: operand 'peer' at position 2 does not verify: peer must be of type i32, not index
  "pld.tensor.put"(%t, %d, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>, atomic = "none", static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index) -> ()
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: atomic must be one of none, add, not "max"
  pld.tensor.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) {atomic = "max"} : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32, %i: index) {
  // CHECK: :3: error: the source offsets mark 0 entries as values, but 1 values are given
  "pld.tensor.put"(%t, %d, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, atomic = "none", static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32, %i: index) {
  // CHECK: :3: error: the destination offsets mark 0 entries as values, but 1 values are given
  "pld.tensor.put"(%t, %d, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1>, atomic = "none", static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32, %i: index) {
  // CHECK: :3: error: the sizes mark 0 entries as values, but 1 values are given
  "pld.tensor.put"(%t, %d, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1>, atomic = "none", static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: destination must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.tile.put %t[0, 0] into %t[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf16>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: source tensor<8x64xf16> and destination !pld.dist_tensor<tensor<8x64xf32>> must have one element type
  pld.tile.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : tensor<8x64xf16>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %k: !pl.tile<tensor<1x64xf32>>, %p: i32) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  pld.tile.put %k[0, 0] into %d[0, 0] [4, 64] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: source must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.tensor.get %t[0, 0] into %t[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf16>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: source !pld.dist_tensor<tensor<8x64xf16>> and destination tensor<8x64xf32> must have one element type
  pld.tensor.get %d[0, 0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf16>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %k: !pl.tile<tensor<1x64xf32>>, %p: i32) {
  // CHECK: :3: error: destination must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  pld.tensor.get %d[0, 0] into %k[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: the source offsets have 1 entries for rank 2
  pld.tensor.get %d[0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: the destination offsets have 1 entries for rank 2
  pld.tensor.get %d[0, 0] into %t[0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: the sizes have 1 entries for rank 2
  pld.tensor.get %d[0, 0] into %t[0, 0] [4] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: offset 5, size 4 leaves the source in dimension 0, whose extent is 8
  pld.tensor.get %d[5, 0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: offset 5, size 4 leaves the destination in dimension 0, whose extent is 8
  pld.tensor.get %d[0, 0] into %t[5, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<512xf32>, %p: i32) {
  // CHECK: :3: error: source and destination must be of one rank, not 2 and 1
  pld.tensor.get %d[0, 0] into %t[0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<512xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32, %i: index) {
  // CHECK: :3: error: operand 'peer' at position 2 does not verify: peer must be of type i32, not index
  "pld.tensor.get"(%d, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>, static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>, index) -> ()
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32, %i: index) {
  // CHECK: :3: error: the source offsets mark 0 entries as values, but 1 values are given
  "pld.tensor.get"(%d, %t, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32, %i: index) {
  // CHECK: :3: error: the destination offsets mark 0 entries as values, but 1 values are given
  "pld.tensor.get"(%d, %t, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1>, static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %p: i32, %i: index) {
  // CHECK: :3: error: the sizes mark 0 entries as values, but 1 values are given
  "pld.tensor.get"(%d, %t, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1>, static_source_offsets = array<i64: 0, 0>, static_destination_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 64>}> : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>, index, i32) -> ()
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: source must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.tile.get %t[0, 0] into %t[0, 0] [4, 64] peer(%p) : tensor<8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf16>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: source !pld.dist_tensor<tensor<8x64xf16>> and destination tensor<8x64xf32> must have one element type
  pld.tile.get %d[0, 0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf16>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %t: tensor<8x64xf32>, %k: !pl.tile<tensor<1x64xf32>>, %p: i32) {
  // CHECK: :3: error: destination must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  pld.tile.get %d[0, 0] into %k[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: source must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tile.remote_load %t[0, 0] [1, 64] peer(%p) : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pld.tile.remote_load %d[0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the sizes have 1 entries for rank 2
  %0 = pld.tile.remote_load %d[0, 0] [64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: offset 8, size 1 leaves the source in dimension 0, whose extent is 8
  %0 = pld.tile.remote_load %d[8, 0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32, %i: index) {
  // CHECK: :3: error: the sizes of a tile must be constants, not [?, 64]
  %0 = pld.tile.remote_load %d[0, 0] [%i, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the tile has the sizes [2, 64] as its shape, not [1, 64]
  %0 = pld.tile.remote_load %d[0, 0] [2, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the source has elements of f32, the tile of f16
  %0 = pld.tile.remote_load %d[0, 0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf16>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: result must be a pl.tile, not tensor<1x64xf32>
  %0 = pld.tile.remote_load %d[0, 0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> tensor<1x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %i: index) {
  // CHECK: :3: error: operand 'peer' at position 1 does not verify: peer must be of type i32, not index
  %0 = "pld.tile.remote_load"(%d, %i) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 64>}> : (!pld.dist_tensor<tensor<8x64xf32>>, index) -> !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: destination must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.tile.remote_store %k into %t[0, 0] peer(%p) : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: tile must be a pl.tile, not tensor<8x64xf32>
  pld.tile.remote_store %t into %d[0, 0] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  pld.tile.remote_store %k into %d[0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: offset 8, size 1 leaves the destination in dimension 0, whose extent is 8
  pld.tile.remote_store %k into %d[8, 0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<64xf32>>, %p: i32) {
  // CHECK: :3: error: a tile of rank 2 does not fit a tensor of rank 1
  pld.tile.remote_store %k into %d[0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf16>>, %p: i32) {
  // CHECK: :3: error: the destination has elements of f16, the tile of f32
  pld.tile.remote_store %k into %d[0, 0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf16>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: atomic must be one of none, add, not "sub"
  pld.tile.remote_store %k into %d[0, 0] peer(%p) {atomic = "sub"} : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: atomic must be one of none, add, not unit
  pld.tile.remote_store %k into %d[0, 0] peer(%p) {atomic} : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}
