// RUN: not pld-opt %s -p legalize-spmd-launches --split-input-file 2>&1 | filecheck %s

// Outputs of which nothing would be left.

// CHECK: {{.*}}/invalid.mlir:11:3: error: 'scratch', result 0 of @k, has no tensor of the caller's, which an empty launch would leave: core_num 'n' is not provably at least 1
// CHECK: {{.*}}/invalid.mlir:10:39: note: the width is defined here
func.func @k(%a: tensor<8xf32>, %scratch: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %scratch : tensor<8xf32>
}
func.func @omitted(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r, %t = pl.submit @k(%a) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return
}

// -----

// CHECK: error: result 0 of @k has no tensor of the caller's
// CHECK: error: result 1 of @k has no tensor of the caller's
// CHECK: note: pass a tensor of that type for every output
func.func @k(%a: tensor<8xf32>) -> (tensor<8xf32>, index) attributes {pl.func_type = "incore"} {
  %e = pl.tensor.create : tensor<8xf32>
  %c0 = arith.constant 0 : index
  func.return %e, %c0 : tensor<8xf32>, index
}
func.func @fresh(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r, %c = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, index)
  func.return
}

// -----

// CHECK: error: 'a', result 0 of @k, has type tensor<?xf32> and the caller's tensor tensor<8xf32>, which
func.func @k(%a: tensor<?xf32> {pl.dir = "inout"}) -> tensor<?xf32> attributes {pl.func_type = "incore"} {
  func.return %a : tensor<?xf32>
}
func.func @types(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<?xf32>
  func.return
}

// -----

// Positive widths need nothing of the kind.
// CHECK-LABEL: func.func @positive(
// CHECK: pl.submit @k
func.func private @k(tensor<8xf32>) -> tensor<8xf32> attributes {pl.func_type = "incore"}
func.func @positive(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  %r, %t = pl.submit @k(%a) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return
}
