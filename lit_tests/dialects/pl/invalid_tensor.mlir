// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f() {
  // CHECK: :3: error: a tensor is created with a static shape, not tensor<?xf32>: there is nothing to size it from
  %0 = pl.tensor.create : tensor<?xf32>
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: result must be a tensor, not !pld.dist_tensor<tensor<8xf32>>
  %0 = pl.tensor.create : !pld.dist_tensor<tensor<8xf32>>
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: result must be a tensor, not tensor<*xf32>
  %0 = pl.tensor.create : tensor<*xf32>
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: result 'result' at position 0 does not verify: result must be a tensor, not f32
  %0 = "pl.tensor.create"() : () -> f32
  func.return
}

// -----

func.func @f(%t: memref<8xf32>) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not memref<8xf32>
  %0 = pl.tensor.slice %t[0] [8] : memref<8xf32> -> tensor<8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<*xf32>) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not tensor<*xf32>
  %0 = pl.tensor.slice %t[0] [8] : tensor<*xf32> -> tensor<8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tensor.slice %t[0] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the sizes have 3 entries for rank 2
  %0 = pl.tensor.slice %t[0, 0] [8, 64, 1] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset -1 of the source in dimension 1 is negative
  %0 = pl.tensor.slice %t[0, -1] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: size -64 of the source in dimension 1 is negative
  %0 = pl.tensor.slice %t[0, 0] [8, -64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 1, size 8 leaves the source in dimension 0, whose extent is 8
  %0 = pl.tensor.slice %t[1, 0] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: offset 0, size 65 leaves the source in dimension 1, whose extent is 64
  %0 = pl.tensor.slice %t[%i, 0] [8, 65] : tensor<8x64xf32> -> tensor<8x65xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: offset 65 leaves the source in dimension 1, whose extent is 64
  %0 = pl.tensor.slice %t[0, 65] [8, %i] : tensor<8x64xf32> -> tensor<8x?xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :27: error: 99999999999999999999 is out of range
  %0 = pl.tensor.slice %t[99999999999999999999, 0] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :27: error: -9223372036854775808 is out of range
  %0 = pl.tensor.slice %t[-9223372036854775808, 0] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :34: error: 9223372036854775808 is out of range
  %0 = pl.tensor.slice %t[0, 0] [9223372036854775808, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :30: error: Expected integer literal
  %0 = pl.tensor.slice %t[0, true] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :30: error: operand is used with type index, but has been previously used or defined with type i32
  %0 = pl.tensor.slice %t[0, %p] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the result of a slice has the sizes [8, 64] as its shape (leading ones may go), not [8, 32]
  %0 = pl.tensor.slice %t[0, 0] [8, 64] : tensor<8x64xf32> -> tensor<8x32xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the result of a slice has the sizes [?, 64] as its shape (leading ones may go), not [8, 64]
  %0 = pl.tensor.slice %t[0, 0] [%i, 64] : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the result of a slice has the sizes [2, 64] as its shape (leading ones may go), not [64]
  %0 = pl.tensor.slice %t[0, 0] [2, 64] : tensor<8x64xf32> -> tensor<64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the result of a slice has the sizes [8, 64] as its shape (leading ones may go), not [1, 8, 64]
  %0 = pl.tensor.slice %t[0, 0] [8, 64] : tensor<8x64xf32> -> tensor<1x8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source tensor<8x64xf32> and result tensor<8x64xf16> must have one element type
  %0 = pl.tensor.slice %t[0, 0] [8, 64] : tensor<8x64xf32> -> tensor<8x64xf16>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result !pld.dist_tensor<tensor<8x64xf32>> must be of the kind of its source, tensor<8x64xf32>
  %0 = pl.tensor.slice %t[0, 0] [8, 64] : tensor<8x64xf32> -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: result tensor<8x64xf32> must be of the kind of its source, !pld.dist_tensor<tensor<8x64xf32>>
  %0 = pl.tensor.slice %d[0, 0] [8, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the offsets mark 0 entries as values, but 1 values are given
  %0 = "pl.tensor.slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 64>}> : (tensor<8x64xf32>, index) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the sizes mark 0 entries as values, but 1 values are given
  %0 = "pl.tensor.slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 64>}> : (tensor<8x64xf32>, index) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets mark 1 entries as values, but 0 values are given
  %0 = "pl.tensor.slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 8, 64>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: static_offsets must be an array<i64>, not array<i32: 0, 0>
  %0 = "pl.tensor.slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i32: 0, 0>, static_sizes = array<i64: 8, 64>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: static_sizes must be an array<i64>, not [8 : i64, 64 : i64]
  %0 = "pl.tensor.slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = [8, 64]}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: property 'static_offsets' expected in operation 'pl.tensor.slice'
  %0 = "pl.tensor.slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: Expected operandSegmentSizes property in pl.tensor.slice operation.
  %0 = "pl.tensor.slice"(%t) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf16>) {
  // CHECK: :3: error: source tensor<4x64xf32> and destination tensor<8x64xf16> must have one element type
  %0 = pl.tensor.assemble %s into %t[0, 0] : tensor<4x64xf32>, tensor<8x64xf16>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 0, size 8 leaves the destination in dimension 0, whose extent is 4
  %0 = pl.tensor.assemble %t into %s[0, 0] : tensor<8x64xf32>, tensor<4x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 5, size 4 leaves the destination in dimension 0, whose extent is 8
  %0 = pl.tensor.assemble %s into %t[5, 0] : tensor<4x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset -1 of the destination in dimension 0 is negative
  %0 = pl.tensor.assemble %s into %t[-1, 0] : tensor<4x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tensor.assemble %s into %t[0] : tensor<4x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<1x8x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: a source of rank 3 does not fit a destination of rank 2
  %0 = pl.tensor.assemble %s into %t[0, 0] : tensor<1x8x64xf32>, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %k: !pl.tile<tensor<4x64xf32>>) {
  // CHECK: :3: error: destination must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<4x64xf32>>
  %0 = pl.tensor.assemble %s into %k[0, 0] : tensor<4x64xf32>, !pl.tile<tensor<4x64xf32>>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %k: !pl.tile<tensor<4x64xf32>>) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<4x64xf32>>
  %0 = pl.tensor.assemble %k into %s[0, 0] : !pl.tile<tensor<4x64xf32>>, tensor<4x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the offsets mark 0 entries as values, but 1 values are given
  %0 = "pl.tensor.assemble"(%s, %t, %i) <{static_offsets = array<i64: 0, 0>}> : (tensor<4x64xf32>, tensor<8x64xf32>, index) -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%s: tensor<4x64xf32>, %t: tensor<8x64xf32>) {
  // CHECK: :3: error: result 'result' at position 0 does not verify: attribute tensor<8x64xf32> expected from variable 'T', but got tensor<4x64xf32>
  %0 = "pl.tensor.assemble"(%s, %t) <{static_offsets = array<i64: 0, 0>}> : (tensor<4x64xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source [8, 64] has 512 elements, result [511] has 511
  %0 = pl.tensor.view %t : tensor<8x64xf32> -> tensor<511xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source tensor<8x64xf32> and result tensor<512xf16> must have one element type
  %0 = pl.tensor.view %t : tensor<8x64xf32> -> tensor<512xf16>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result !pld.dist_tensor<tensor<512xf32>> must be of the kind of its source, tensor<8x64xf32>
  %0 = pl.tensor.view %t : tensor<8x64xf32> -> !pld.dist_tensor<tensor<512xf32>>
  func.return
}

// -----

func.func @f(%f: f32) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not f32
  %0 = pl.tensor.view %f : f32 -> tensor<1xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result must be a tensor or a pld.dist_tensor, not f32
  %0 = pl.tensor.view %t : tensor<8x64xf32> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source [8, 64] has 512 elements, result [511] has 511
  %0 = pl.tensor.reshape %t : tensor<8x64xf32> -> tensor<511xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source tensor<8x64xf32> and result tensor<512xf16> must have one element type
  %0 = pl.tensor.reshape %t : tensor<8x64xf32> -> tensor<512xf16>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result !pld.dist_tensor<tensor<512xf32>> must be of the kind of its source, tensor<8x64xf32>
  %0 = pl.tensor.reshape %t : tensor<8x64xf32> -> !pld.dist_tensor<tensor<512xf32>>
  func.return
}

// -----

func.func @f(%f: f32) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not f32
  %0 = pl.tensor.reshape %f : f32 -> tensor<1xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result must be a tensor or a pld.dist_tensor, not f32
  %0 = pl.tensor.reshape %t : tensor<8x64xf32> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: a valid shape changes no extent: source [8, 64], result [4, 64]
  %0 = pl.tensor.set_validshape %t : tensor<8x64xf32> -> tensor<4x64xf32, {valid_shape = array<i64: 4, 64>}>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: a valid shape changes no extent: source [8, 64], result [512]
  %0 = pl.tensor.set_validshape %t : tensor<8x64xf32> -> tensor<512xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source tensor<8x64xf32> and result tensor<8x64xf16> must have one element type
  %0 = pl.tensor.set_validshape %t : tensor<8x64xf32> -> tensor<8x64xf16>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: result tensor<8x64xf32> must be of the kind of its source, !pld.dist_tensor<tensor<8x64xf32>>
  %0 = pl.tensor.set_validshape %d : !pld.dist_tensor<tensor<8x64xf32>> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: a valid extent of tensor<8x64xf32, {valid_shape = array<i64: 9, 64>}> must lie between 0 and the extent, not 9
  %0 = pl.tensor.set_validshape %t : tensor<8x64xf32> -> tensor<8x64xf32, {valid_shape = array<i64: 9, 64>}>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: property 'axes' expected in operation 'pl.tensor.transpose'
  %0 = pl.tensor.transpose %t : tensor<8x64xf32> -> tensor<64x8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: axes must be an array<i64>, not [1 : i64, 0 : i64]
  %0 = pl.tensor.transpose %t {axes = [1, 0]} : tensor<8x64xf32> -> tensor<64x8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: axes [1] are no permutation of the 2 axes of the source
  %0 = pl.tensor.transpose %t {axes = array<i64: 1>} : tensor<8x64xf32> -> tensor<64x8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: axes [1, 1] are no permutation of the 2 axes of the source
  %0 = pl.tensor.transpose %t {axes = array<i64: 1, 1>} : tensor<8x64xf32> -> tensor<64x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: axes [1, 2] are no permutation of the 2 axes of the source
  %0 = pl.tensor.transpose %t {axes = array<i64: 1, 2>} : tensor<8x64xf32> -> tensor<64x8xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the result's shape is [64, 8], not [8, 64]
  %0 = pl.tensor.transpose %t {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: source tensor<8x64xf32> and result tensor<64x8xf16> must have one element type
  %0 = pl.tensor.transpose %t {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf16>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: result !pld.dist_tensor<tensor<64x8xf32>> must be of the kind of its source, tensor<8x64xf32>
  %0 = pl.tensor.transpose %t {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> !pld.dist_tensor<tensor<64x8xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tensor.read %t[0] : tensor<8x64xf32> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset 64, size 1 leaves the source in dimension 1, whose extent is 64
  %0 = pl.tensor.read %t[0, 64] : tensor<8x64xf32> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: offset -1 of the source in dimension 1 is negative
  %0 = pl.tensor.read %t[0, -1] : tensor<8x64xf32> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: an element of the source is f32, not f16
  %0 = pl.tensor.read %t[0, 0] : tensor<8x64xf32> -> f16
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>) {
  // CHECK: :3: error: source must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  %0 = pl.tensor.read %k[0, 0] : !pl.tile<tensor<1x64xf32>> -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %i: index) {
  // CHECK: :3: error: the offsets mark 0 entries as values, but 1 values are given
  %0 = "pl.tensor.read"(%t, %i) <{static_offsets = array<i64: 0, 0>}> : (tensor<8x64xf32>, index) -> f32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %v: f32) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  %0 = pl.tensor.write %v into %t[0] : f32, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %v: f32) {
  // CHECK: :3: error: offset 8, size 1 leaves the destination in dimension 0, whose extent is 8
  %0 = pl.tensor.write %v into %t[8, 0] : f32, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %p: i32) {
  // CHECK: :3: error: an element of the destination is f32, not i32
  %0 = pl.tensor.write %p into %t[0, 0] : i32, tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%k: !pl.tile<tensor<1x64xf32>>, %v: f32) {
  // CHECK: :3: error: destination must be a tensor or a pld.dist_tensor, not !pl.tile<tensor<1x64xf32>>
  %0 = pl.tensor.write %v into %k[0, 0] : f32, !pl.tile<tensor<1x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %v: f32) {
  // CHECK: :3: error: result 'result' at position 0 does not verify: attribute tensor<8x64xf32> expected from variable 'T', but got f32
  %0 = "pl.tensor.write"(%v, %t) <{static_offsets = array<i64: 0, 0>}> : (f32, tensor<8x64xf32>) -> f32
  func.return
}
