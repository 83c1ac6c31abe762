// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s

// What returns and foreign control flow may make of a tensor is not guessed.

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @pick(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.return %b : !pld.dist_tensor<tensor<4xf32>>
^bb2:
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}
func.func @two_returns(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: unknown-merges.mlir:15:3: error: no context is known for 'r' in 'two_returns': its lineage is lost at 'r'
  %r = pl.call @pick(%c, %a, %b) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @k(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// -----

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @carried(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: unknown-merges.mlir:25:3: error: no context is known for 'x' in 'carried': its lineage is lost at 'x'
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    pl.call @k(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    %y = scf.execute_region -> (!pld.dist_tensor<tensor<4xf32>>) {
      scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
    }
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}

// -----

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @swap(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: unknown-merges.mlir:43:3: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
  // CHECK: unknown-merges.mlir:45:5: note: it is yielded here
  // CHECK: unknown-merges.mlir:44:5: note: 'x' is used here
  // CHECK: unknown-merges.mlir:43:3: error: loop-carried 'y' changes its context: it starts as 'b' and the body yields 'a'
  %r, %s = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
    pl.call @k(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %y, %x : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}

// -----

// A carry of which nothing is known is given another one: the walk ends.

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @rotate(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
  // CHECK: error: loop-carried 'y' changes its context: it starts as 'b' and the body yields 'c'
  %r, %s = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
    pl.call @k(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %y, %c : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}

// -----

// One branch is opaque, the other another window in plain sight.

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @branch(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: error: loop-carried 'x' changes its context: it starts as 'a' and the body yields 'b'
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    pl.call @k(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    %y = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
      %z = pl.call @opaque(%b) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
      scf.yield %z : !pld.dist_tensor<tensor<4xf32>>
    } else {
      scf.yield %b : !pld.dist_tensor<tensor<4xf32>>
    }
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return
}
