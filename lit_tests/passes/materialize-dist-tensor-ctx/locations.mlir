// RUN: pld-opt %s -p materialize-dist-tensor-ctx --print-debuginfo --print-op-generic | filecheck %s

// A context parameter has its tensor's place, a query that of its call; all else keeps its own.

func.func @chip(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  func.return
}
func.func @host(%n: index, %d: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @chip(%a) device(%d) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// CHECK: "pld.tensor.window"{{.*}} loc("{{.*}}locations.mlir":10:3)
// CHECK: "pld.system.get_comm_ctx"(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.comm_ctx loc("{{.*}}locations.mlir":11:3)
// CHECK: "pl.call"(%a, %a_ctx, %d){{.*}} loc("{{.*}}locations.mlir":11:3)
