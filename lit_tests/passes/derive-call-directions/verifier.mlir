// RUN: not pld-opt %s -p auto-derive-task-dependencies --split-input-file 2>&1 | filecheck %s
// RUN: not pld-opt %s -p derive-call-directions --split-input-file 2>&1 | filecheck %s --check-prefix=DERIVE

// call-directions-resolved: what it refuses, as input of a pass that requires it; and what the
// deriving pass itself refuses of vectors that are there.

// CHECK: {{.*}}/verifier.mlir:14:3: error: this call of @k has no directions for its arguments
// CHECK: note: pass 'auto-derive-task-dependencies' requires 'call-directions-resolved': run 'derive-call-directions' before it
// DERIVE-NOT: verifier.mlir:14
func.func private @k(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @none() attributes {pl.func_type = "incore"}
func.func @missing(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @none() : () -> ()
  pl.call @k(%a) : (tensor<8xf32>) -> ()
  func.return
}

// -----

// CHECK: {{.*}}/verifier.mlir:27:3: error: argument 0 of @k is 'output', but parameter 0 is in: it may be 'input' or 'no_dep'
// DERIVE: {{.*}}/verifier.mlir:27:3: error: argument 0 of @k is 'output', but parameter 0 is in: it may be 'input' or 'no_dep'
// CHECK: error: argument 1 of @k is 'input', but parameter 1 is inout: it may be 'inout' or 'output_existing' or 'no_dep'
// CHECK: error: argument 2 of @k is 'input', but parameter 2 is out: it may be 'output' or 'output_existing' or 'inout' or 'no_dep'
// CHECK: error: argument 3 of @k is 'input', but one of type index is 'scalar'
func.func private @k(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, index) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "inout"}, {pl.dir = "out"}, {}]}
func.func @wrong(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @k(%a, %a, %a, %n) {arg_directions = ["output", "input", "input", "input"]} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, index) -> ()
  func.return
}

// -----

// CHECK: error: argument 0 of @k is 'scalar', but parameter 0 is in
func.func private @k(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func @tensor_as_scalar(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %t = pl.submit @k(%a) {arg_directions = ["scalar"]} : (tensor<8xf32>) -> !pl.task_id
  func.return
}

// -----

// Against the direction that a wrapper gets, not the one it is declared with.
// DERIVE: error: argument 0 of @w is 'input', but parameter 0 is inout
func.func private @k(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @w(%a: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @k(%a) {arg_directions = ["inout"]} : (tensor<8xf32>) -> ()
  func.return
}
func.func @stale(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @w(%a) {arg_directions = ["input"]} : (tensor<8xf32>) -> ()
  func.return
}
