// RUN: pld-opt %s -p derive-call-directions | filecheck %s
// RUN: xdsl-opt %s -p derive-call-directions | filecheck %s
// RUN: pld-opt %s -p derive-call-directions,derive-call-directions | filecheck %s

// Each row of the table: what the callee's parameter is, what is passed, what the argument becomes.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @writes(%x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}
func.func private @mixed(tensor<8xf32>, !pld.dist_tensor<tensor<8xf32>>, index, !pld.comm_ctx) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "inout"}, {}, {pld.ctx_of = 1 : index}]}
func.func private @nothing() attributes {pl.func_type = "incore"}

// CHECK-LABEL: func.func @not_a_tensor(
// CHECK:         pl.call @mixed{{.*}} {arg_directions = ["input", "inout", "scalar", "scalar"]}
// CHECK-NEXT:    pl.call @nothing() : () -> ()
func.func @not_a_tensor(%a: tensor<8xf32>, %d: !pld.dist_tensor<tensor<8xf32>>, %d_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @mixed(%a, %d, %n, %d_ctx) : (tensor<8xf32>, !pld.dist_tensor<tensor<8xf32>>, index, !pld.comm_ctx) -> ()
  pl.call @nothing() : () -> ()
  func.return
}

// CHECK-LABEL: func.func @in(
// CHECK:         pl.call @reads(%a) {arg_directions = ["input"]}
// CHECK:         scf.for
// CHECK:           pl.call @reads(%a) {arg_directions = ["input"]}
func.func @in(%a: tensor<8xf32> {pl.dir = "inout"}, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @inout(
// CHECK:         pl.call @updates(%e) {arg_directions = ["inout"]}
func.func @inout() attributes {pl.func_type = "orchestration"} {
  %e = pl.tensor.create : tensor<8xf32>
  pl.call @updates(%e) : (tensor<8xf32>) -> ()
  func.return
}

// A parameter (in or out of its function), a created tensor, a slice: each is a buffer not written yet.
// CHECK-LABEL: func.func @out(
// CHECK:         pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK-NEXT:    pl.call @writes(%b) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%e) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%s) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%t) {arg_directions = ["output_existing"]}
func.func @out(%a: tensor<8xf32> {pl.dir = "out"}, %b: tensor<8xf32>, %c: tensor<16xf32> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %e = pl.tensor.create : tensor<8xf32>
  %2 = pl.call @writes(%e) : (tensor<8xf32>) -> tensor<8xf32>
  %s = pl.tensor.slice %c[0] [8] : tensor<16xf32> -> tensor<8xf32>
  %3 = pl.call @writes(%s) : (tensor<8xf32>) -> tensor<8xf32>
  %t = pl.tensor.slice %c[8] [8] : tensor<16xf32> -> tensor<8xf32>
  %4 = pl.call @writes(%t) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// An output that the runtime allocated has been written by its task.
func.func @fills(%a: tensor<8xf32>, %x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}
// CHECK-LABEL: func.func @allocated(
// CHECK:         pl.submit @fills(%a) {arg_directions = ["input"]}
// CHECK:         pl.submit @fills(%a, %0) {arg_directions = ["input", "inout"]}
func.func @allocated(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %0, %t0 = pl.submit @fills(%a) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  %1, %t1 = pl.submit @fills(%a, %0) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return
}

// Calls and submits alike, also from the host and with an output that the runtime allocates.
func.func private @stage(tensor<8xf32>, tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}]}

// CHECK-LABEL: func.func @submits(
// CHECK:         pl.submit @stage(%a) {arg_directions = ["input"]}
// CHECK:         pl.submit @stage(%a, %a){{.*}} {arg_directions = ["input", "output_existing"]}
func.func @submits(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %t0 = pl.submit @stage(%a) : (tensor<8xf32>) -> !pl.task_id
  %t1 = pl.submit @stage(%a, %a) deps(%t0) : (tensor<8xf32>, tensor<8xf32>) -> !pl.task_id
  func.return
}

func.func private @chip(tensor<8xf32>) attributes {pl.func_type = "orchestration", pl.arg_attrs = [{pl.dir = "inout"}]}

// CHECK-LABEL: func.func @host(
// CHECK:         pl.call @chip(%a) device(%n) {arg_directions = ["inout"]}
func.func @host(%a: tensor<8xf32>, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pl.call @chip(%a) device(%n) : (tensor<8xf32>) -> ()
  func.return
}
