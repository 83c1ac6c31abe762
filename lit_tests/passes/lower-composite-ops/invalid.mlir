// RUN: not pld-opt %s -p lower-composite-ops --split-input-file 2>&1 | filecheck %s

// What has no expansion in a kernel.

// A width other than 1.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  %n = arith.constant 2 : index
  // CHECK: invalid.mlir:13:3: error: core_num must be 1 in a kernel, not 2
  %h = pld.tensor.allreduce %d, %s core_num(%n) {op = "sum"} : !D, !S
  func.return
}

// -----

// A width that is no constant.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: !T, %d: !D, %s: !S, %c: tensor<2xi32>, %r: !S, %n: index) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:26:3: error: core_num must be 1 in a kernel, and this is no compile-time constant
  %h = pld.tensor.all_to_all_v %in, %d, %s, %c, %r core_num(%n) : !T, !D, !S, tensor<2xi32>, !S
  func.return
}

// -----

// The indexed exchange.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: !T, %d: !D, %s: !S, %c: !S, %r: !S, %x: tensor<4xi32>, %n: index) attributes {pl.func_type = "incore"} {
  %c1 = arith.constant 1 : index
  // CHECK: invalid.mlir:40:3: error: pld.tensor.indexed_all_to_all_v is for chip orchestrations: it has no expansion in a kernel
  %h = pld.tensor.indexed_all_to_all_v %in, %d, %s, %c, %r, %x core_num(%c1) : !T, !D, !S, !S, !S, tensor<4xi32>
  func.return
}

// -----

// A ring.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:53:3: error: mode ring of an allreduce is for host bodies: in a kernel it is mesh
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !D, !S
  func.return
}

// -----

// A signal that states no number of ranks.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !D, %s: !pld.dist_tensor<tensor<?x1xi32>>) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:66:3: error: signal must state the number of ranks in a kernel, by a static dimension 0, and have a cell for each: [?, 1]
  %h = pld.tensor.broadcast %d, %s : !D, !pld.dist_tensor<tensor<?x1xi32>>
  func.return
}

// -----

// A signal without a cell.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%s: !pld.dist_tensor<tensor<2x0xi32>>) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:79:3: error: signal must state the number of ranks in a kernel, by a static dimension 0, and have a cell for each: [2, 0]
  %h = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x0xi32>>
  func.return
}

// -----

// A signal of no rank.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%s: !pld.dist_tensor<tensor<i32>>) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:92:3: error: signal must state the number of ranks in a kernel, by a static dimension 0, and have a cell for each: []
  %h = pld.tensor.barrier %s : !pld.dist_tensor<tensor<i32>>
  func.return
}

// -----

// A target of open extents.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !pld.dist_tensor<tensor<?x8xf32>>, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:105:3: error: target must have static extents in a kernel, not [?, 8]
  %h = pld.tensor.allreduce %d, %s {op = "sum"} : !pld.dist_tensor<tensor<?x8xf32>>, !S
  func.return
}

// -----

// An input of open extents.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: tensor<?x8xf32>, %d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:118:3: error: input must have static extents in a kernel, not [?, 8]
  %h = pld.tensor.allgather %in, %d, %s : tensor<?x8xf32>, !D, !S
  func.return
}

// -----

// An input of open width.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: tensor<4x?xf32>, %d: !pld.dist_tensor<tensor<4x?xf32>>, %s: !S, %c: tensor<2xi32>, %r: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:131:3: error: input must have static extents in a kernel, not [4, ?]
  %h = pld.tensor.all_to_all_v %in, %d, %s, %c, %r : tensor<4x?xf32>, !pld.dist_tensor<tensor<4x?xf32>>, !S, tensor<2xi32>, !S
  func.return
}

// -----

// Input and target of two shapes.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: tensor<8x4xf32>, %d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:144:3: error: input and target must have one shape in a kernel, not [8, 4] and [4, 8]
  %h = pld.tensor.all_to_all %in, %d, %s : tensor<8x4xf32>, !D, !S
  func.return
}

// -----

// Rows that cannot be cut into blocks.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: tensor<3x8xf32>, %d: !pld.dist_tensor<tensor<3x8xf32>>, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:157:3: error: dimension 0 of target must be a multiple of the 2 ranks that signal states, not 3: each rank has a block of rows
  %h = pld.tensor.all_to_all %in, %d, %s : tensor<3x8xf32>, !pld.dist_tensor<tensor<3x8xf32>>, !S
  func.return
}

// -----

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !pld.dist_tensor<tensor<3x8xf32>>, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:170:3: error: dimension 0 of target must be a multiple of the 2 ranks that signal states, not 3: each rank has a block of rows
  %h = pld.tensor.reduce_scatter %d, %s {op = "sum"} : !pld.dist_tensor<tensor<3x8xf32>>, !S
  func.return
}

// -----

// A target that does not hold all inputs.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%in: !T, %d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:183:3: error: target must be [8, 8] in a kernel, 2 inputs one below the other, not [4, 8]
  %h = pld.tensor.allgather %in, %d, %s : !T, !D, !S
  func.return
}

// -----

// A root that is no rank.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:196:3: error: root 2 is out of range: there are 2 ranks
  %h = pld.tensor.broadcast %d, %s {root = 2 : i64} : !D, !S
  func.return
}

// -----

// Every kernel is looked at.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @k(%d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:209:3: error: root 2 is out of range: there are 2 ranks
  %h = pld.tensor.broadcast %d, %s {root = 2 : i64} : !D, !S
  func.return
}
func.func @l(%d: !D, %s: !S) attributes {pl.func_type = "incore"} {
  // CHECK: invalid.mlir:214:3: error: root 3 is out of range: there are 2 ranks
  %h = pld.tensor.broadcast %d, %s {root = 3 : i64} : !D, !S
  func.return
}
