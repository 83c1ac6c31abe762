// Lowered by hand: loops, branches, carries, ids that may not be there, views, scalars in memory.

func.func private @fill(!pld.comm_ctx) attributes {pl.func_type = "aiv", pl.arg_attrs = [{}]}

func.func @stage(%a: tensor<8x64xf32>, %b: tensor<8x64xf32> {pl.dir = "inout"}, %n: index, %f: f32) -> tensor<8x64xf32>
    attributes {pl.func_type = "incore"} {
  func.return %b : tensor<8x64xf32>
}

func.func @cube(%a: tensor<8x64xf32>, %b: tensor<8x64xf32> {pl.dir = "inout"}) -> tensor<8x64xf32>
    attributes {pl.func_type = "aic"} {
  func.return %b : tensor<8x64xf32>
}

func.func @pipeline(%x: tensor<8x64xf32>, %y: tensor<8x64xf32> {pl.dir = "inout"}, %z: tensor<8x64xf32> {pl.dir = "inout"},
    %big: tensor<4x8x64xf32> {pl.dir = "inout"}, %counts: tensor<4xi32> {pl.dir = "inout"}, %n: index, %flag: i1, %f: f32, %int: i32)
    attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  // A task that runs only in a branch, and one that waits for it.
  scf.if %flag {
    %s = pl.call @stage(%x, %y, %n, %f) {pl.task = 0 : index, arg_directions = ["input", "inout", "scalar", "scalar"]}
      : (tensor<8x64xf32>, tensor<8x64xf32>, index, f32) -> tensor<8x64xf32>
  } else {
    %s = pl.call @cube(%x, %y) {pl.task = 1 : index, arg_directions = ["input", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  }
  // Ping-pong: two buffers change places; a task waits for its last iteration.
  %p, %q, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%cur = %y, %next = %z, %acc = %c0) -> (tensor<8x64xf32>, tensor<8x64xf32>, index) {
    %plane = pl.tensor.slice %big[%i, 0, 0] [1, 8, 64] : tensor<4x8x64xf32> -> tensor<8x64xf32>
    %new = pl.call @stage(%plane, %next, %acc, %f) {pl.task = 2 : index, pl.after = array<i64: 0, 1, 2>, arg_directions = ["input", "inout", "scalar", "scalar"]}
      : (tensor<8x64xf32>, tensor<8x64xf32>, index, f32) -> tensor<8x64xf32>
    %count = pl.tensor.read %counts[%i] : tensor<4xi32> -> i32
    %wide = arith.index_cast %count : i32 to index
    %more = arith.addi %acc, %wide : index
    %up = arith.addi %count, %one : i32
    %written = pl.tensor.write %up into %counts[%i] : i32, tensor<4xi32>
    scf.yield %new, %cur, %more : tensor<8x64xf32>, tensor<8x64xf32>, index
  }
  // A while that counts down.
  %left = scf.while (%k = %sum) : (index) -> index {
    %go = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%go) %k : index
  } do {
  ^bb0(%k: index):
    %w = pl.call @cube(%p, %q) core_num(%c4) {pl.task = 3 : index, pl.after = array<i64: 2, 3>, arg_directions = ["input", "inout"]}
      : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %less = arith.subi %k, %c1 : index
    scf.yield %less : index
  }
  // A run-time width, behind its guard; the branch hands the caller's tensor on.
  %some = arith.cmpi sgt, %n, %c0 : index
  %guarded = scf.if %some -> (tensor<8x64xf32>) {
    %g = pl.call @stage(%x, %z, %left, %f) core_num(%n) sync_start {pl.task = 4 : index, arg_directions = ["input", "inout", "scalar", "scalar"]}
      : (tensor<8x64xf32>, tensor<8x64xf32>, index, f32) -> tensor<8x64xf32>
    scf.yield %g : tensor<8x64xf32>
  } else {
    scf.yield %z : tensor<8x64xf32>
  }
  %picked = scf.if %flag -> (tensor<8x64xf32>) {
    scf.yield %guarded : tensor<8x64xf32>
  } else {
    scf.yield %y : tensor<8x64xf32>
  }
  %t = pl.tensor.transpose %picked {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf32>
  %v = pl.tensor.view %t : tensor<64x8xf32> -> tensor<8x64xf32>
  %own = pl.tensor.create : tensor<8x64xf32>
  %neg = arith.divsi %int, %one : i32
  %lots = arith.muli %neg, %int : i32
  %small = arith.cmpi ult, %lots, %int : i32
  %chosen = arith.select %small, %lots, %neg : i32
  %last = arith.index_cast %chosen : i32 to index
  %end = pl.call @stage(%v, %own, %last, %f) {pl.task = 5 : index, pl.after = array<i64: 4>, arg_directions = ["input", "output_existing", "scalar", "scalar"]}
    : (tensor<8x64xf32>, tensor<8x64xf32>, index, f32) -> tensor<8x64xf32>
  func.return
}
