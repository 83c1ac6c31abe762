// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f() attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: pld.system.world_size is for host bodies (pl.level host, pl.role orchestrator); 'f' is none
  %0 = pld.system.world_size : index
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: result must be of type index, not i32
  %0 = pld.system.world_size : i32
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: result 'result' at position 0 does not verify: result must be of type index, not i32
  %0 = "pld.system.world_size"() : () -> i32
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: tensor must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.system.get_comm_ctx %t : tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: result 'context' at position 0 does not verify: context must be of type !pld.comm_ctx, not i32
  %0 = "pld.system.get_comm_ctx"(%d) : (!pld.dist_tensor<tensor<8x64xf32>>) -> i32
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: operand 'context' at position 0 does not verify: context must be of type !pld.comm_ctx, not !pld.dist_tensor<tensor<8x64xf32>>
  %0 = "pld.system.rank"(%d) : (!pld.dist_tensor<tensor<8x64xf32>>) -> i32
  func.return
}

// -----

func.func @f(%c: !pld.comm_ctx) {
  // CHECK: :3: error: result 'result' at position 0 does not verify: result must be of type i32, not i64
  %0 = "pld.system.rank"(%c) : (!pld.comm_ctx) -> i64
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: operand 'context' at position 0 does not verify: context must be of type !pld.comm_ctx, not !pld.dist_tensor<tensor<8x64xf32>>
  %0 = "pld.system.nranks"(%d) : (!pld.dist_tensor<tensor<8x64xf32>>) -> i32
  func.return
}

// -----

func.func @f(%c: !pld.comm_ctx) {
  // CHECK: :3: error: result 'result' at position 0 does not verify: result must be of type i32, not i64
  %0 = "pld.system.nranks"(%c) : (!pld.comm_ctx) -> i64
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: property 'op' expected in operation 'pld.system.notify'
  pld.system.notify %sig[0, 0] peer(%p) value(%p) : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: op must be one of atomic_add, set, not "add"
  pld.system.notify %sig[0, 0] peer(%p) value(%p) {op = "add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  pld.system.notify %sig[0] peer(%p) value(%p) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: offset 2, size 1 leaves the signal in dimension 0, whose extent is 2
  pld.system.notify %sig[2, 0] peer(%p) value(%p) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: offset -1 of the signal in dimension 1 is negative
  pld.system.notify %sig[0, -1] peer(%p) value(%p) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: signal must have elements of i32, not f32
  pld.system.notify %d[0, 0] peer(%p) value(%p) {op = "set"} : !pld.dist_tensor<tensor<8x64xf32>>, i32, i32
  func.return
}

// -----

func.func @f(%sig: tensor<2x1xi32>, %p: i32) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  pld.system.notify %sig[0, 0] peer(%p) value(%p) {op = "set"} : tensor<2x1xi32>, i32, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32, %i: index) {
  // CHECK: :3: error: peer must be of type i32, not index
  pld.system.notify %sig[0, 0] peer(%i) value(%p) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, index, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32, %v: i64) {
  // CHECK: :3: error: value must be of type i32, not i64
  pld.system.notify %sig[0, 0] peer(%p) value(%v) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i64
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32, %i: index) {
  // CHECK: :3: error: the offsets mark 0 entries as values, but 1 values are given
  "pld.system.notify"(%sig, %i, %p, %p) <{static_offsets = array<i64: 0, 0>, op = "set"}> : (!pld.dist_tensor<tensor<2x1xi32>>, index, i32, i32) -> ()
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: property 'cmp' expected in operation 'pld.system.wait'
  pld.system.wait %sig[0, 0] expected(%p) : !pld.dist_tensor<tensor<2x1xi32>>, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: cmp must be one of eq, ge, not "gt"
  pld.system.wait %sig[0, 0] expected(%p) {cmp = "gt"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: the offsets have 1 entries for rank 2
  pld.system.wait %sig[0] expected(%p) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %p: i32) {
  // CHECK: :3: error: offset 1, size 1 leaves the signal in dimension 1, whose extent is 1
  pld.system.wait %sig[0, 1] expected(%p) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %p: i32) {
  // CHECK: :3: error: signal must have elements of i32, not f32
  pld.system.wait %d[0, 0] expected(%p) {cmp = "ge"} : !pld.dist_tensor<tensor<8x64xf32>>, i32
  func.return
}

// -----

func.func @f(%sig: tensor<2x1xi32>, %p: i32) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  pld.system.wait %sig[0, 0] expected(%p) {cmp = "ge"} : tensor<2x1xi32>, i32
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>, %i: index) {
  // CHECK: :3: error: expected must be of type i32, not index
  pld.system.wait %sig[0, 0] expected(%i) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, index
  func.return
}
