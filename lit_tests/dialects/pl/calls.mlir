// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Calls and submits: every clause, every kind of argument and callee.

func.func private @kernel(tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>> attributes {pl.func_type = "incore"}
func.func private @views(tensor<?x64xf32>, tensor<8x64xf32, {layout = "dn"}>) -> tensor<?x64xf32> attributes {pl.func_type = "aic"}
func.func private @stage(!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32> attributes {pl.func_type = "group", pl.arg_attrs = [{}, {}, {pl.dir = "out"}, {pl.dir = "out"}, {pld.ctx_of = 0 : index}]}
func.func private @spmd() -> () attributes {pl.func_type = "spmd"}
func.func private @helper(i32, !pl.tile<tensor<4xf32>>, tensor<*xf32>) -> i32 attributes {pl.func_type = "inline"}
func.func private @chip_pipeline(tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> () attributes {pl.func_type = "orchestration"}
func.func private @chip_graph() -> () attributes {pl.func_type = "graph"}
func.func private @builtin(tensor<?x?xf32>, !pld.dist_tensor<tensor<?x?xi32>>) -> !pld.dist_tensor<tensor<?x?xi32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
func.func @host(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %r: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pl.call @chip_pipeline(%a, %b) device(%r) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> ()
  pl.call @chip_graph() device(%r) {user = "x", arg_directions = []} : () -> ()
  func.return
}

// CHECK: func.func private @kernel(tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>> attributes {pl.func_type = "incore"}
// CHECK-NEXT: func.func private @views(tensor<?x64xf32>, tensor<8x64xf32, {layout = "dn"}>) -> tensor<?x64xf32> attributes {pl.func_type = "aic"}
// CHECK-NEXT: func.func private @stage(!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32> attributes {pl.func_type = "group", pl.arg_attrs = [{}, {}, {pl.dir = "out"}, {pl.dir = "out"}, {pld.ctx_of = 0 : index}]}
// CHECK-NEXT: func.func private @spmd() -> () attributes {pl.func_type = "spmd"}
// CHECK-NEXT: func.func private @helper(i32, !pl.tile<tensor<4xf32>>, tensor<*xf32>) -> i32 attributes {pl.func_type = "inline"}
// CHECK-NEXT: func.func private @chip_pipeline(tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-NEXT: func.func private @chip_graph() -> () attributes {pl.func_type = "graph"}
// CHECK-NEXT: func.func private @builtin(tensor<?x?xf32>, !pld.dist_tensor<tensor<?x?xi32>>) -> !pld.dist_tensor<tensor<?x?xi32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
// CHECK-NEXT: func.func @host(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %r: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT: pl.call @chip_pipeline(%a, %b) device(%r) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> ()
// CHECK-NEXT: pl.call @chip_graph() device(%r) {user = "x", arg_directions = []} : () -> ()
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @calls(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %n: index, %i: i32, %k: !pl.tile<tensor<4xf32>>, %x: tensor<*xf32>) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2147483647 = arith.constant 2147483647 : index
  %0 = pl.call @kernel(%a, %b) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
  %1 = pl.call @kernel(%a, %b) core_num(%n) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
  %2 = pl.call @kernel(%b, %b) core_num(%c2147483647) {pl.task = 3 : index, pl.after = array<i64: 0, 1>, user = "x", arg_directions = ["input", "inout"], no_dep = array<i64: 1>} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
  %3 = pl.call @views(%a, %a) {arg_directions = ["output", "output_existing"]} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = pl.call @helper(%i, %k, %x) {arg_directions = ["scalar", "no_dep", "scalar"]} : (i32, !pl.tile<tensor<4xf32>>, tensor<*xf32>) -> i32
  pl.call @spmd() core_num(%c1) : () -> ()
  func.return
}

// CHECK-NEXT: func.func @calls(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %n: index, %i: i32, %k: !pl.tile<tensor<4xf32>>, %x: tensor<*xf32>) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %c2147483647 = arith.constant 2147483647 : index
// CHECK-NEXT: %0 = pl.call @kernel(%a, %b) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %1 = pl.call @kernel(%a, %b) core_num(%n) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %2 = pl.call @kernel(%b, %b) core_num(%c2147483647) {pl.task = 3 : index, pl.after = array<i64: 0, 1>, user = "x", arg_directions = ["input", "inout"], no_dep = array<i64: 1>} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %3 = pl.call @views(%a, %a) {arg_directions = ["output", "output_existing"]} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK-NEXT: %4 = pl.call @helper(%i, %k, %x) {arg_directions = ["scalar", "no_dep", "scalar"]} : (i32, !pl.tile<tensor<4xf32>>, tensor<*xf32>) -> i32
// CHECK-NEXT: pl.call @spmd() core_num(%c1) : () -> ()
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @submits(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %i: i32, %c: !pld.comm_ctx, %o: tensor<4xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %t0 = pl.submit @spmd() : () -> !pl.task_id
  %t1 = pl.task_dummy deps(%t0)
  %t2 = pl.task_dummy deps(%t0, %t1)
  %t3 = pl.task_dummy
  %0, %1 = pl.submit @kernel(%a, %b) deps(%t0, %t1) core_num(%n) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> (!pld.dist_tensor<tensor<8x64xf32>>, !pl.task_id)
  %2, %3 = pl.submit @stage(%b, %i, %c) deps(%1) {pl.task = 0 : index, arg_directions = ["input", "scalar", "scalar"], no_dep = array<i64: 0>} : (!pld.dist_tensor<tensor<8x64xf32>>, i32, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
  %4, %5 = pl.submit @stage(%b, %i, %a, %c) : (!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
  %6, %7 = pl.submit @stage(%b, %i, %a, %o, %c) core_num(%n) : (!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, tensor<4xf32>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
  func.return
}

// CHECK-NEXT: func.func @submits(%a: tensor<8x64xf32>, %b: !pld.dist_tensor<tensor<8x64xf32>>, %i: i32, %c: !pld.comm_ctx, %o: tensor<4xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %t0 = pl.submit @spmd() : () -> !pl.task_id
// CHECK-NEXT: %t1 = pl.task_dummy deps(%t0)
// CHECK-NEXT: %t2 = pl.task_dummy deps(%t0, %t1)
// CHECK-NEXT: %t3 = pl.task_dummy
// CHECK-NEXT: %0, %1 = pl.submit @kernel(%a, %b) deps(%t0, %t1) core_num(%n) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>) -> (!pld.dist_tensor<tensor<8x64xf32>>, !pl.task_id)
// CHECK-NEXT: %2, %3 = pl.submit @stage(%b, %i, %c) deps(%1) {pl.task = 0 : index, arg_directions = ["input", "scalar", "scalar"], no_dep = array<i64: 0>} : (!pld.dist_tensor<tensor<8x64xf32>>, i32, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
// CHECK-NEXT: %4, %5 = pl.submit @stage(%b, %i, %a, %c) : (!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
// CHECK-NEXT: %6, %7 = pl.submit @stage(%b, %i, %a, %o, %c) core_num(%n) : (!pld.dist_tensor<tensor<8x64xf32>>, i32, tensor<8x64xf32>, tensor<4xf32>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @builtin_launches(%a: tensor<8xf32>, %b: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = pl.call @builtin(%a, %b) : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
  %1 = pl.call @builtin(%a, %b) core_num(%c1) : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
  %2 = pl.call @builtin(%a, %b) core_num(%c4) sync_start : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK-NEXT: func.func @builtin_launches(%a: tensor<8xf32>, %b: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %0 = pl.call @builtin(%a, %b) : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %1 = pl.call @builtin(%a, %b) core_num(%c1) : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %2 = pl.call @builtin(%a, %b) core_num(%c4) sync_start : (tensor<8xf32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }
