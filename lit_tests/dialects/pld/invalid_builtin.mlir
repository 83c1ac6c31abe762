// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: pld.builtin.all_to_all_v takes the arguments (input, target, signal, send_counts, recv_counts), not 4 of them
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: pld.builtin.all_to_all_v takes the arguments (input, target, signal, send_counts, recv_counts), not 6 of them
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<7x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: dimension 0 of target must be a positive multiple of the 2 ranks that signal states, not 7
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<7x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi64>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: send_counts must have elements of i32, not i64
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi64>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: input and target must not be the same value
  pld.builtin.all_to_all_v %tgt, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %z = arith.constant 0 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 0
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) core_num(%z) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: arg_directions has 1 entries for 5 arguments
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) {arg_directions = ["input"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: arg_directions entry 4 must be one of input, output, inout, output_existing, no_dep, scalar, not "both"
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) {arg_directions = ["input", "inout", "inout", "input", "both"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: arg_directions must be an array of strings, not 3 : i32
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) {arg_directions = 3 : i32} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: 'pl.task' has no place on pld.builtin.all_to_all_v
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) {pl.task = 0 : index} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf16>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: input !pld.dist_tensor<tensor<8x64xf16>> and target !pld.dist_tensor<tensor<8x64xf32>> must have one element type
  pld.builtin.all_to_all %in, %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf16>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: pld.builtin.allgather takes the arguments (input, target, signal), not 2 of them
  pld.builtin.allgather %in, %tgt device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: property 'op' expected in operation 'pld.builtin.allreduce'
  pld.builtin.allreduce %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: op must be one of sum, max, min, prod, not "avg"
  pld.builtin.allreduce %tgt, %sig device(%r) {op = "avg"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: mode must be one of mesh, ring, not "tree"
  pld.builtin.allreduce %tgt, %sig device(%r) {op = "sum", mode = "tree"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: pld.builtin.allreduce takes the arguments (target, signal), not 1 of them
  pld.builtin.allreduce %tgt device(%r) {op = "sum"} : (!pld.dist_tensor<tensor<8x64xf32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xi8>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: target must have elements of f16 or f32, not i8
  pld.builtin.allreduce %tgt, %sig device(%r) {op = "sum"} : (!pld.dist_tensor<tensor<8x64xi8>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: property 'op' expected in operation 'pld.builtin.reduce_scatter'
  pld.builtin.reduce_scatter %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: op must be one of sum, max, min, prod, not 1 : i32
  pld.builtin.reduce_scatter %tgt, %sig device(%r) {op = 1 : i32} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: root must not be negative: -1
  pld.builtin.broadcast %tgt, %sig device(%r) {root = -1 : i64} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: root must be an i64 integer, not 1 : i32
  pld.builtin.broadcast %tgt, %sig device(%r) {root = 1 : i32} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: target and signal must not be the same value
  pld.builtin.broadcast %sig, %sig device(%r) : (!pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: signal must have elements of i32, not f32
  pld.builtin.barrier %tgt device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>)
  func.return
}

// -----

func.func @f(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :28: error: Expected 'device'
  pld.builtin.barrier %sig : (!pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x4xi32>>) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: expected 1 value for device, but got 0
  "pld.builtin.barrier"(%sig) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!pld.dist_tensor<tensor<2x4xi32>>) -> ()
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x4xi32>>, %r: i32) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: operand 'device' at position 1 does not verify: i32 should be of base attribute index
  "pld.builtin.barrier"(%sig, %r) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!pld.dist_tensor<tensor<2x4xi32>>, i32) -> ()
  func.return
}
