// RUN: pld-opt %s | pld-opt | filecheck %s
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s
// RUN: pld-opt %s --print-op-generic | pld-opt -p materialize-comm-domain-scopes | filecheck %s --check-prefix SLOTS

// Names that are not ASCII: printed in escapes, as MLIR prints them, and read as the same names.

// CHECK:      func.func private @"\C3\A9"(!pld.dist_tensor<tensor<16xf32>>)
// CHECK-SAME:   note = "\E2\82\AC \22\0A"
// CHECK:      alloc_window_buffer %{{.*}} {name = "fen\C3\AAtre"}
// CHECK:      pl.call @"\C3\A9"(%{{.*}}) device
// SLOTS:      slots = ["fen\C3\AAtre"]
func.func private @"é"(!pld.dist_tensor<tensor<16xf32>>) attributes {pl.func_type = "orchestration", note = "€ \22\n"}

func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %size = arith.constant 64 : index
  %device = arith.constant 0 : index
  %buffer = pld.tensor.alloc_window_buffer %size {name = "fenêtre"} : !pld.window_buffer
  %window = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<16xf32>>
  pl.call @"é"(%window) device(%device) : (!pld.dist_tensor<tensor<16xf32>>) -> ()
  func.return
}
