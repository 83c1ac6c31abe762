// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=ALL
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=NOTES
// ALL-COUNT-16: error:
// ALL-NOT: error:
// NOTES-COUNT-42: note:
// NOTES-NOT: note:

// Merges of different windows are refused where they happen, used or not; each with its yields and a use.

// CHECK: conflicts.mlir:17:3: error: branches yield distributed tensors of different contexts: 'a' and 'b' meet in 'm'
// CHECK: conflicts.mlir:21:5: note: it is yielded here
// CHECK: conflicts.mlir:24:3: note: 'm' is used here
// CHECK: {{^}}note: use each tensor inside its branch, or yield the same one from both
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @branches(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    %v = pl.tensor.view %b : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %v : !pld.dist_tensor<tensor<4xf32>>
  }
  %w = pl.tensor.view %m : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%m) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// Never used, and nothing of the kind after it.
// CHECK: conflicts.mlir:34:3: error: branches yield distributed tensors of different contexts: 'a' and 'b' meet in 'm'
// CHECK: conflicts.mlir:37:5: note: it is yielded here
// CHECK: {{^}}note: use each tensor inside its branch, or yield the same one from both
func.func @unused(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "graph"} {
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  scf.if %c {
    %z = arith.constant 0 : index
  }
  func.return
}
// -----

// CHECK: conflicts.mlir:52:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:54:5: note: it is yielded here
// CHECK: conflicts.mlir:53:5: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @rebound(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    pl.call @use(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// Two carries swapped, in an inner loop.
// CHECK: conflicts.mlir:72:5: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:73:7: note: it is yielded here
// CHECK: conflicts.mlir:73:7: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
// CHECK: conflicts.mlir:72:5: error: loop-carried 'y' changes its context: it starts as 'b' and the body yields 'a'
// CHECK: conflicts.mlir:73:7: note: it is yielded here
// CHECK: conflicts.mlir:73:7: note: 'y' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @swapped(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"} {
  scf.for %j = %n to %n step %n {
    %r, %s = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
      scf.yield %y, %x : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
    }
    pl.call @use(%s) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  }
  func.return
}
// -----

// A while loop: what its body yields against what it began with.
// CHECK: conflicts.mlir:86:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:90:5: note: it is yielded here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func @while(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r = scf.while (%x = %a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> {
    scf.condition(%c) %b : !pld.dist_tensor<tensor<4xf32>>
  } do {
  ^bb0(%y: !pld.dist_tensor<tensor<4xf32>>):
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// What the loop hands on has no other fault.
// CHECK: conflicts.mlir:103:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:108:5: note: it is yielded here
// CHECK: conflicts.mlir:104:5: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @handed_on(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r = scf.while (%x = %a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> {
    scf.condition(%c) %x : !pld.dist_tensor<tensor<4xf32>>
  } do {
  ^bb0(%y: !pld.dist_tensor<tensor<4xf32>>):
    pl.call @use(%y) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  pl.call @use(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// A carry of which nothing is known, and then another in plain sight.
// CHECK: conflicts.mlir:122:3: error: loop-carried 'x' changes its context: it starts as 'o' and the body yields 'b'
// CHECK: conflicts.mlir:123:5: note: it is yielded here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @becomes_known(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %o = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %o) -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// In host bodies too, where a window's op stands for the parameter.
// CHECK: conflicts.mlir:138:3: error: branches yield distributed tensors of different contexts: 'a' and 'b' meet in 'm'
// CHECK: conflicts.mlir:141:5: note: it is yielded here
// CHECK: {{^}}note: use each tensor inside its branch, or yield the same one from both
func.func @host(%c: i1, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %q = pld.tensor.alloc_window_buffer %n {name = "q"} : !pld.window_buffer
  %b = pld.tensor.window %q : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// One branch is opaque, the other another window in plain sight.
// CHECK: conflicts.mlir:158:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:165:5: note: it is yielded here
// CHECK: conflicts.mlir:160:7: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
func.func @host_carry(%c: i1, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %q = pld.tensor.alloc_window_buffer %n {name = "q"} : !pld.window_buffer
  %b = pld.tensor.window %q : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
      %o = func.call @opaque(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
      scf.yield %o : !pld.dist_tensor<tensor<4xf32>>
    } else {
      scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
    }
    scf.yield %m : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// A window that leaves its domain is still that window.
// CHECK: conflicts.mlir:183:3: error: branches yield distributed tensors of different contexts: 'w' and 'b' meet in 'm'
// CHECK: conflicts.mlir:186:5: note: it is yielded here
// CHECK: {{^}}note: use each tensor inside its branch, or yield the same one from both
func.func @domains(%c: i1, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %a = pld.comm_domain attributes {name = "comm_d0", slots = ["p"]} -> !pld.dist_tensor<tensor<4xf32>> {
    %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
    %w = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
    pld.yield %w : !pld.dist_tensor<tensor<4xf32>>
  }
  %q = pld.tensor.alloc_window_buffer %n {name = "q"} : !pld.window_buffer
  %b = pld.tensor.window %q : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
// -----

// A merge hides neither another merge nor what is lost elsewhere.
// CHECK: conflicts.mlir:207:3: error: branches yield distributed tensors of different contexts: 'a' and 'b' meet in 'm'
// CHECK: conflicts.mlir:210:5: note: it is yielded here
// CHECK: conflicts.mlir:218:3: note: 'm' is used here
// CHECK: {{^}}note: use each tensor inside its branch, or yield the same one from both
// CHECK: conflicts.mlir:212:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:214:5: note: it is yielded here
// CHECK: conflicts.mlir:213:5: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
// CHECK: conflicts.mlir:216:3: error: no context is known for 'o' in 'several': its lineage is lost at 'o'
// CHECK: conflicts.mlir:219:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @several(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    pl.call @use(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
  }
  %o = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %q = pld.system.get_comm_ctx %r : !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%m) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  pl.call @use(%o) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// What a callee returns, known only in a second round: the carry is no longer what it seemed.
// CHECK: conflicts.mlir:230:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:232:5: note: it is yielded here
// CHECK: conflicts.mlir:231:5: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func @carries(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    %y = pl.call @second(%n, %x, %b) : (index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return %r : !pld.dist_tensor<tensor<4xf32>>
}
func.func @second(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @carries(%n, %a, %b) : (index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %v = pl.tensor.view %b : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  func.return %v : !pld.dist_tensor<tensor<4xf32>>
}
// -----

// The same, asked for from the other side.
// CHECK: conflicts.mlir:254:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
// CHECK: conflicts.mlir:256:5: note: it is yielded here
// CHECK: conflicts.mlir:255:5: note: 'x' is used here
// CHECK: {{^}}note: carry each distributed tensor in a place of its own
func.func @second(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @carries(%n, %a, %b) : (index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %v = pl.tensor.view %b : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  func.return %v : !pld.dist_tensor<tensor<4xf32>>
}
func.func @carries(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    %y = pl.call @second(%n, %x, %b) : (index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return %r : !pld.dist_tensor<tensor<4xf32>>
}
