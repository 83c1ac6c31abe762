// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f() {
  // CHECK: :3: error: @missing is no function of this module
  pl.call @missing() : () -> ()
  func.return
}

// -----

"test.op"() {sym_name = "other"} : () -> ()
func.func @f() {
  // CHECK: :3: error: @other is no function of this module
  %0 = pl.submit @other() : () -> !pl.task_id
  func.return
}

// -----

builtin.module {
  func.func private @elsewhere()
}
func.func @f() {
  // CHECK: :3: error: @elsewhere is no function of this module
  pl.call @elsewhere() : () -> ()
  func.return
}

// -----

func.func private @kernel(i32, i32)
func.func @f(%i: i32) {
  // CHECK: :3: error: @kernel takes 2 arguments, not 1
  pl.call @kernel(%i) : (i32) -> ()
  func.return
}

// -----

func.func private @kernel(i32)
func.func @f(%i: i64) {
  // CHECK: :3: error: argument 0 of type i64 does not fit parameter 0 of @kernel, i32: the types differ
  pl.call @kernel(%i) : (i64) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>)
func.func @f(%k: !pl.tile<tensor<4xf32>>) {
  // CHECK: :3: error: argument 0 of type !pl.tile<tensor<4xf32>> does not fit parameter 0 of @kernel, tensor<4xf32>: the types differ
  pl.call @kernel(%k) : (!pl.tile<tensor<4xf32>>) -> ()
  func.return
}

// -----

func.func private @kernel(i32, !pld.dist_tensor<tensor<4xf32>>)
func.func @f(%i: i32, %t: tensor<4xf32>) {
  // CHECK: :3: error: argument 1 of type tensor<4xf32> does not fit parameter 1 of @kernel, !pld.dist_tensor<tensor<4xf32>>: a plain tensor is no window, which a peer could address
  pl.call @kernel(%i, %t) : (i32, tensor<4xf32>) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>)
func.func @f(%t: tensor<4xf16>) {
  // CHECK: :3: error: argument 0 of type tensor<4xf16> does not fit parameter 0 of @kernel, tensor<4xf32>: element type f16 is not f32
  pl.call @kernel(%t) : (tensor<4xf16>) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<?x?xf32>)
func.func @f(%t: tensor<4xf32>) {
  // CHECK: :3: error: argument 0 of type tensor<4xf32> does not fit parameter 0 of @kernel, tensor<?x?xf32>: rank 1 is not 2
  pl.call @kernel(%t) : (tensor<4xf32>) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<8x?xf32>)
func.func @f(%t: !pld.dist_tensor<tensor<4x4xf32>>) {
  // CHECK: :3: error: argument 0 of type !pld.dist_tensor<tensor<4x4xf32>> does not fit parameter 0 of @kernel, tensor<8x?xf32>: the extents differ
  pl.call @kernel(%t) : (!pld.dist_tensor<tensor<4x4xf32>>) -> ()
  func.return
}

// -----

func.func private @builtin(tensor<?x?xf32>) attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
func.func @f(%t: tensor<4xf16>) {
  // CHECK: :3: error: argument 0 of type tensor<4xf16> does not fit parameter 0 of @builtin, tensor<?x?xf32>: element type f16 is not f32
  pl.call @builtin(%t) : (tensor<4xf16>) -> ()
  func.return
}

// -----

func.func private @builtin(!pld.dist_tensor<tensor<?x?xf32>>) attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
func.func @f(%t: tensor<4x4xf32>) {
  // CHECK: :3: error: argument 0 of type tensor<4x4xf32> does not fit parameter 0 of @builtin, !pld.dist_tensor<tensor<?x?xf32>>: a plain tensor is no window, which a peer could address
  pl.call @builtin(%t) : (tensor<4x4xf32>) -> ()
  func.return
}

// -----

func.func private @kernel() -> (i32, i32)
func.func @f() {
  // CHECK: :3: error: @kernel has 2 results, not 1
  %0 = pl.call @kernel() : () -> i32
  func.return
}

// -----

func.func private @kernel() -> tensor<4xf32>
func.func @f() {
  // CHECK: :3: error: result 0 of type tensor<5xf32> does not fit result 0 of @kernel, tensor<4xf32>: the extents differ
  %0 = pl.call @kernel() : () -> tensor<5xf32>
  func.return
}

// -----

func.func private @kernel() -> tensor<4xf32>
func.func @f() {
  // CHECK: :3: error: result 0 of type !pld.dist_tensor<tensor<4xf32>> does not fit result 0 of @kernel, tensor<4xf32>: a result has the callee's kind
  %0 = pl.call @kernel() : () -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// -----

func.func private @kernel() -> !pld.dist_tensor<tensor<4xf32>>
func.func @f() {
  // CHECK: :3: error: result 0 of type tensor<4xf32> does not fit result 0 of @kernel, !pld.dist_tensor<tensor<4xf32>>: a plain tensor is no window, which a peer could address
  %0 = pl.call @kernel() : () -> tensor<4xf32>
  func.return
}

// -----

func.func private @pipeline() attributes {pl.func_type = "orchestration"}
func.func @f(%n: index) {
  // CHECK: :3: error: core_num is for launches of aic, aiv, group, incore, spmd functions; @pipeline is orchestration
  pl.call @pipeline() core_num(%n) : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f(%n: index) {
  // CHECK: :3: error: sync_start needs core_num: it admits that many blocks at once
  pl.call @kernel() sync_start : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f(%n: index) {
  // CHECK: :3: error: sync_start needs core_num: it admits that many blocks at once
  %0 = pl.submit @kernel() sync_start : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f() {
  %n = arith.constant 0 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 0
  pl.call @kernel() core_num(%n) : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f() {
  %n = arith.constant 2147483648 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 2147483648
  %0 = pl.submit @kernel() core_num(%n) : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f(%n: i32) {
  // CHECK: :3: error: operand 'core_num' at position 0 does not verify: i32 should be of base attribute index
  "pl.call"(%n) <{callee = @kernel, operandSegmentSizes = array<i32: 0, 0, 1>}> : (i32) -> ()
  func.return
}

// -----

func.func private @pipeline() attributes {pl.func_type = "orchestration"}
func.func @f(%r: index) {
  // CHECK: :3: error: device is for dispatches in a host body (pl.level host, pl.role orchestrator)
  pl.call @pipeline() device(%r) : () -> ()
  func.return
}

// -----

func.func private @pipeline() attributes {pl.func_type = "orchestration"}
%r = "test.op"() : () -> index
// CHECK: :1: error: device is for dispatches in a host body (pl.level host, pl.role orchestrator)
pl.call @pipeline() device(%r) : () -> ()

// -----

func.func private @kernel() attributes {pl.func_type = "incore"}
func.func @host(%r: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: device dispatches a chip pipeline; @kernel is incore, not an orchestration
  pl.call @kernel() device(%r) : () -> ()
  func.return
}

// -----

func.func private @builtin() attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
func.func @f() {
  %n = arith.constant 2 : index
  // CHECK: :3: error: a launch of the builtin kernel @builtin with core_num above 1 needs sync_start: early blocks would wait in its barrier for blocks not yet launched
  pl.call @builtin() core_num(%n) : () -> ()
  func.return
}

// -----

func.func private @builtin() attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x"}
func.func @f(%n: index) {
  // CHECK: :3: error: a launch of the builtin kernel @builtin with a core_num that may be above 1 needs sync_start: early blocks would wait in its barrier for blocks not yet launched
  %0 = pl.submit @builtin() core_num(%n) : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(i32, i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: arg_directions has 1 entries for 2 arguments
  pl.call @kernel(%i, %i) {arg_directions = ["scalar"]} : (i32, i32) -> ()
  func.return
}

// -----

func.func private @kernel(i32, i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: arg_directions entry 1 must be one of input, output, inout, output_existing, no_dep, scalar, not "in"
  %0 = pl.submit @kernel(%i, %i) {arg_directions = ["scalar", "in"]} : (i32, i32) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: arg_directions must be an array of strings, not "scalar"
  pl.call @kernel() {arg_directions = "scalar"} : () -> ()
  func.return
}

// -----

func.func private @kernel(i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: arg_directions must be an array of strings, not [1 : i64]
  pl.call @kernel(%i) {arg_directions = [1]} : (i32) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>) attributes {pl.func_type = "aiv"}
func.func @f(%t: tensor<4xf32>) {
  // CHECK: :3: error: no_dep names position 1 of 1 arguments
  pl.call @kernel(%t) {no_dep = array<i64: 1>} : (tensor<4xf32>) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>) attributes {pl.func_type = "aiv"}
func.func @f(%t: tensor<4xf32>) {
  // CHECK: :3: error: no_dep names position -1 of 1 arguments
  pl.call @kernel(%t) {no_dep = array<i64: -1>} : (tensor<4xf32>) -> ()
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>) attributes {pl.func_type = "aiv"}
func.func @f(%t: tensor<4xf32>) {
  // CHECK: :3: error: no_dep names a position twice: [0, 0]
  %0 = pl.submit @kernel(%t) {no_dep = array<i64: 0, 0>} : (tensor<4xf32>) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: no_dep names argument 0 of type i32: only tensors carry dependencies
  %0 = pl.submit @kernel(%i) {no_dep = array<i64: 0>} : (i32) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: no_dep must be an array<i64>, not [0 : i64]
  %0 = pl.submit @kernel(%i) {no_dep = [0]} : (i32) -> !pl.task_id
  func.return
}

// -----

func.func private @pipeline() attributes {pl.func_type = "orchestration"}
func.func @f() {
  // CHECK: :3: error: a submit launches aic, aiv, group, incore, spmd functions; @pipeline is orchestration
  %0 = pl.submit @pipeline() : () -> !pl.task_id
  func.return
}

// -----

func.func private @opaque()
func.func @f() {
  // CHECK: :3: error: a submit launches aic, aiv, group, incore, spmd functions; @opaque is opaque
  %0 = pl.submit @opaque() : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: the last result of a submit must be a !pl.task_id
  pl.submit @kernel() : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: the last result of a submit must be a !pl.task_id
  %0 = pl.submit @kernel() : () -> i32
  func.return
}

// -----

func.func private @kernel() -> i32 attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: @kernel has 1 results, not 0
  %0 = pl.submit @kernel() : () -> i32
  func.return
}

// -----

func.func private @kernel() -> i32 attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: @kernel has 1 results, not 0
  %0 = pl.submit @kernel() : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(i32) attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: @kernel takes 1 arguments, the last 0 of them contexts, not 2
  %0 = pl.submit @kernel(%i, %i) : (i32, i32) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "aiv"}
func.func @f() {
  // CHECK: :3: error: @kernel takes 2 arguments, the last 1 of them contexts, not 0
  %0 = pl.submit @kernel() : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) attributes {pl.func_type = "aiv", pl.arg_attrs = [{}, {pl.dir = "inout"}, {}]}
func.func @f(%d: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.comm_ctx) {
  // CHECK: :3: error: only trailing plain out parameters may be omitted; parameter 1 of @kernel, tensor<4xf32> with direction inout, must be passed
  %0 = pl.submit @kernel(%d, %c) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "aiv", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f() {
  // CHECK: :3: error: only trailing plain out parameters may be omitted; parameter 0 of @kernel, !pld.dist_tensor<tensor<4xf32>> with direction out, must be passed
  %0 = pl.submit @kernel() : () -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>, i32) attributes {pl.func_type = "aiv", pl.arg_attrs = [{pl.dir = "out"}, {}]}
func.func @f(%i: i32) {
  // CHECK: :3: error: only trailing plain out parameters may be omitted; parameter 1 of @kernel, i32 with direction in, must be passed
  %0 = pl.submit @kernel(%i) : (i32) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) attributes {pl.func_type = "aiv", pl.arg_attrs = [{}, {pl.dir = "out"}, {}]}
func.func @f(%d: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>) {
  // CHECK: :3: error: argument 1 of type tensor<4xf32> does not fit parameter 2 of @kernel, !pld.comm_ctx: the types differ
  %0 = pl.submit @kernel(%d, %t) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>) -> !pl.task_id
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @f(%i: i32) {
  // CHECK: :3: error: operand 'deps' at position 0 does not verify: i32 should be of base attribute pl.task_id
  %0 = "pl.submit"(%i) <{callee = @kernel, operandSegmentSizes = array<i32: 0, 1, 0>}> : (i32) -> !pl.task_id
  func.return
}

// -----

func.func @f(%i: i32) {
  // CHECK: :3: error: operand 'deps' at position 0 does not verify: i32 should be of base attribute pl.task_id
  %0 = "pl.task_dummy"(%i) : (i32) -> !pl.task_id
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: property 'callee' expected in operation 'pl.call'
  "pl.call"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: Expected SymbolRefAttr with no nested symbols. Underlying verification failure: expected empty array, but got ["g"]
  "pl.call"() <{callee = @f::@g, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: operand count (0) does not match with the total size (1) specified in attribute 'operandSegmentSizes'
  "pl.call"() <{callee = @f, operandSegmentSizes = array<i32: 0, 1, 0>}> : () -> ()
  func.return
}
