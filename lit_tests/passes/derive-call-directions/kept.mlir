// RUN: pld-opt %s -p derive-call-directions | filecheck %s
// RUN: xdsl-opt %s -p derive-call-directions | filecheck %s
// RUN: pld-opt %s -p derive-call-directions,derive-call-directions | filecheck %s

// Vectors that are there stay, and what they write counts; no_dep positions become no_dep.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @writes(%x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}

// CHECK-LABEL: func.func @explicit(
// CHECK:         pl.call @writes(%a) {user.note = "kept", arg_directions = ["output"]}
// CHECK-NEXT:    pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK:         pl.call @updates(%e) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%e) {arg_directions = ["no_dep"]}
// CHECK:         pl.call @reads(%a) {no_dep = array<i64: 0>, arg_directions = ["input"]}
func.func @explicit(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @writes(%a) {user.note = "kept", arg_directions = ["output"]} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %e = pl.tensor.create : tensor<8xf32>
  pl.call @updates(%e) {arg_directions = ["output_existing"]} : (tensor<8xf32>) -> ()
  %2 = pl.call @writes(%e) {arg_directions = ["no_dep"]} : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @reads(%a) {no_dep = array<i64: 0>, arg_directions = ["input"]} : (tensor<8xf32>) -> ()
  func.return
}

func.func private @three(tensor<8xf32>, tensor<8xf32>, index) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}, {pl.dir = "out"}, {}]}

// CHECK-LABEL: func.func @no_dep(
// CHECK:         pl.call @three(%a, %b, %n) core_num(%n) sync_start {no_dep = array<i64: 0>, arg_directions = ["no_dep", "output_existing", "scalar"]}
func.func @no_dep(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @three(%a, %b, %n) core_num(%n) sync_start {no_dep = array<i64: 0>} : (tensor<8xf32>, tensor<8xf32>, index) -> ()
  func.return
}
