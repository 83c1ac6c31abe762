// RUN: not pld-opt %{s:basename} --split-input-file -t pld-python 2>&1 | filecheck %s

// What the DSL has no words for is refused by name, at its place. Nothing is printed as something else.

// CHECK: way_back_refused.mlir:7:3: error: 'tensor.empty' cannot be said in the DSL
func.func @foreign() {
  %0 = tensor.empty() : tensor<4xf32>
  func.return
}
// -----
// CHECK: way_back_refused.mlir:13:3: error: the attribute 'user' cannot be said in the DSL
func.func @attribute(%x: tensor<4xf32>) {
  %0 = pl.tensor.view %x {user} : tensor<4xf32> -> tensor<2x2xf32>
  func.return
}
// -----
// CHECK: way_back_refused.mlir:19:3: error: 'arith.addf' as it is here (the attribute 'fastmath') cannot be said in the DSL
func.func @property(%x: f32) {
  %0 = arith.addf %x, %x fastmath<fast> : f32
  func.return
}
// -----
// CHECK: way_back_refused.mlir:24:1: error: 'func.func' as it is here (the attribute 'arg_attrs') cannot be said in the DSL
func.func @parameter(%x: f32 {other.attribute}) {
  func.return
}
// -----
// CHECK: way_back_refused.mlir:29:1: error: 'func.func' as it is here (the attribute 'sym_visibility') cannot be said in the DSL
func.func private @visibility() {
  func.return
}
// -----
// CHECK: way_back_refused.mlir:37:3: error: a while loop that passes on other values than it carries cannot be said in the DSL
// The condition would be read first, and what is passed on has no name.

func.func @passes_on(%x: i32, %c: i1) {
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  func.return
}
// -----
// CHECK: way_back_refused.mlir:49:5: error: a while condition that is no single expression cannot be said in the DSL
func.func @condition(%x: tensor<8xi32>) {
  scf.while () : () -> () {
    %v = pl.tensor.read %x[0] : tensor<8xi32> -> i32
    %c = arith.cmpi eq, %v, %v : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  func.return
}
// -----
// CHECK: way_back_refused.mlir:60:3: error: a step that is no constant cannot be said in the DSL
func.func @step(%n: index) {
  scf.for %i = %n to %n step %n {
  }
  func.return
}
// -----
// CHECK: way_back_refused.mlir:68:3: error: 'scf.for' as it is here (the step of a loop must be a positive constant) cannot be said in the DSL
func.func @no_step(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %n to %n step %c0 {
  }
  func.return
}
// -----
// CHECK: way_back_refused.mlir:74:1: error: the function name 'while' cannot be said in the DSL
func.func @while() {
  func.return
}
// -----
// CHECK: way_back_refused.mlir:80:3: error: the constant 0x7f800000 : f32 cannot be said in the DSL
func.func @infinite() {
  %0 = arith.constant 0x7F800000 : f32
  func.return
}
// -----
// CHECK: way_back_refused.mlir:85:1: error: 'memref.global' in a module cannot be said in the DSL
"memref.global"() <{sym_name = "g", type = memref<1xi32>, initial_value = dense<0> : tensor<1xi32>, sym_visibility = "private"}> : () -> ()
// -----
// CHECK: way_back_refused.mlir:88:1: error: the attribute 'name' of a module cannot be said in the DSL
builtin.module attributes {name = "m"} {
}
