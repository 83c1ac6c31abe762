// RUN: not pld-build %s --print 2>&1 | filecheck %s

// All that has no form is reported at once, each at its place; nothing is printed.

// CHECK-NOT: =====
// CHECK: {{.*}}/invalid.mlir:11:3: error: 'pl.tensor.assemble' has no form in a chip orchestration
// CHECK: note: a copy is a kernel's work
// CHECK: {{.*}}/invalid.mlir:12:3: error: 'func.call' has no form in a chip orchestration
func.func @helper() { func.return }
func.func @chip(%x: tensor<4xf32>, %y: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %d = pl.tensor.assemble %x into %y[0] : tensor<4xf32>, tensor<8xf32>
  func.call @helper() : () -> ()
  func.return
}
