// RUN: not pld-opt %s -p synthesize-allreduce-signals --split-input-file 2>&1 | filecheck %s

// An allreduce that must name its signal.

// In a loop, also within a branch.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    scf.if %yes {
      // CHECK: invalid.mlir:23:7: error: an allreduce in a loop needs an explicit signal
      %h = pld.tensor.allreduce %d {op = "sum"} : !D
    }
  }
  %k = pld.tensor.allreduce %d {op = "sum"} : !D
  func.return
}

// -----

// In the condition of a loop.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  scf.while () : () -> () {
    // CHECK: invalid.mlir:48:5: error: an allreduce in a loop needs an explicit signal
    %h = pld.tensor.allreduce %d {op = "sum"} : !D
    scf.condition(%yes)
  } do {
    scf.yield
  }
  func.return
}

// -----

// A width that is known at run time only.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host(%n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  // CHECK: invalid.mlir:73:3: error: an allreduce with a run-time core_num needs an explicit signal
  %h = pld.tensor.allreduce %d core_num(%n) {op = "sum"} : !D
  func.return
}

// -----

// A ring of nobody knows how many.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  // CHECK: invalid.mlir:98:3: error: an allreduce of mode ring needs an explicit signal: nothing says how many ranks there are, and its signal has 2*(ranks-1)+1 rows and a column a rank
  %h = pld.tensor.allreduce %d {op = "sum", mode = "ring"} : !D
  func.return
}
