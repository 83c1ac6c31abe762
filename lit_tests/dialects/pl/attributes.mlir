// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// What a function is, and what its parameters, loops and launches carry.

func.func private @opaque() -> () attributes {pl.func_type = "opaque"}
func.func private @orchestration() -> () attributes {pl.func_type = "orchestration", pl.level = "chip", pl.role = "orchestrator"}
func.func private @graph() -> () attributes {pl.func_type = "graph", pl.level = "chip", pl.role = "orchestrator"}
func.func private @incore() -> () attributes {pl.func_type = "incore", pl.level = "chip_die", pl.role = "sub_worker"}
func.func private @aic() -> () attributes {pl.func_type = "aic", pl.level = "aic", pl.role = "sub_worker"}
func.func private @aiv() -> () attributes {pl.func_type = "aiv", pl.level = "aiv", pl.role = "sub_worker"}
func.func private @group() -> () attributes {pl.func_type = "group", pl.level = "core_group", pl.role = "sub_worker"}
func.func private @spmd() -> () attributes {pl.func_type = "spmd", pl.level = "cluster_0"}
func.func private @inline() -> () attributes {pl.func_type = "inline", pl.level = "cluster_1"}
func.func private @levels_2() -> () attributes {pl.level = "cluster_2"}
func.func private @levels_global() -> () attributes {pl.level = "global"}
func.func private @host() -> () attributes {pl.level = "host", pl.role = "orchestrator"}
func.func private @host_worker() -> () attributes {pl.func_type = "spmd", pl.level = "host", pl.role = "sub_worker"}
func.func private @others(i32) -> () attributes {llvm.x, pl.func_type = "aiv"}
func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}, {pld.ctx_of = 0 : index}]}
func.func private @directions(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, i32) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "in"}, {pl.dir = "out"}, {}, {pl.dir = "in"}]}
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}

// CHECK: func.func private @opaque() -> () attributes {pl.func_type = "opaque"}
// CHECK-NEXT: func.func private @orchestration() -> () attributes {pl.func_type = "orchestration", pl.level = "chip", pl.role = "orchestrator"}
// CHECK-NEXT: func.func private @graph() -> () attributes {pl.func_type = "graph", pl.level = "chip", pl.role = "orchestrator"}
// CHECK-NEXT: func.func private @incore() -> () attributes {pl.func_type = "incore", pl.level = "chip_die", pl.role = "sub_worker"}
// CHECK-NEXT: func.func private @aic() -> () attributes {pl.func_type = "aic", pl.level = "aic", pl.role = "sub_worker"}
// CHECK-NEXT: func.func private @aiv() -> () attributes {pl.func_type = "aiv", pl.level = "aiv", pl.role = "sub_worker"}
// CHECK-NEXT: func.func private @group() -> () attributes {pl.func_type = "group", pl.level = "core_group", pl.role = "sub_worker"}
// CHECK-NEXT: func.func private @spmd() -> () attributes {pl.func_type = "spmd", pl.level = "cluster_0"}
// CHECK-NEXT: func.func private @inline() -> () attributes {pl.func_type = "inline", pl.level = "cluster_1"}
// CHECK-NEXT: func.func private @levels_2() -> () attributes {pl.level = "cluster_2"}
// CHECK-NEXT: func.func private @levels_global() -> () attributes {pl.level = "global"}
// CHECK-NEXT: func.func private @host() -> () attributes {pl.level = "host", pl.role = "orchestrator"}
// CHECK-NEXT: func.func private @host_worker() -> () attributes {pl.func_type = "spmd", pl.level = "host", pl.role = "sub_worker"}
// CHECK-NEXT: func.func private @others(i32) -> () attributes {llvm.x, pl.func_type = "aiv"}
// CHECK-NEXT: func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}, {pld.ctx_of = 0 : index}]}
// CHECK-NEXT: func.func private @directions(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, i32) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "in"}, {pl.dir = "out"}, {}, {pl.dir = "in"}]}
// CHECK-NEXT: func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
// CHECK-NEXT: func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
// CHECK-NEXT: }

func.func @with_contexts(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %s: i32, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "incore"} {
  func.return
}

// CHECK-NEXT: func.func @with_contexts(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %s: i32, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @loops(%n: index, %t: tensor<4xf32>) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.op"() {pl.anything = 1 : i32} : () -> ()
  } {pl.kind = "parallel"}
  %0 = scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  } {other = 1 : i32}
  func.return
}

// CHECK-NEXT: func.func @loops(%n: index, %t: tensor<4xf32>) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT: "test.op"() {pl.anything = 1 : i32} : () -> ()
// CHECK-NEXT: } {pl.kind = "parallel"}
// CHECK-NEXT: %0 = scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<4xf32>) {
// CHECK-NEXT: scf.yield %u : tensor<4xf32>
// CHECK-NEXT: } {other = 1 : i32}
// CHECK-NEXT: func.return
// CHECK-NEXT: }
