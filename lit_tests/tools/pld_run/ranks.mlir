// RUN: pld-run %s | filecheck %s --check-prefix=REPORT
// RUN: not pld-run %s --ranks 4 2>&1 | filecheck %s

// The number of ranks is the one that the signals state.

func.func @chip(%signal: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %g = pld.tensor.barrier %signal : !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 8 : index
  %buffer = pld.tensor.alloc_window_buffer %bytes {name = "signal"} : !pld.window_buffer
  %signal = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @chip(%signal) device(%r) : (!pld.dist_tensor<tensor<2x1xi32>>) -> ()
  }
  func.return
}

// REPORT:      rank dispatches L3->L2 tasks bytes on the wire barriers signals waited (ms)
// REPORT-NEXT: 0 1 1 0 1 0
// REPORT-NEXT: 1 1 1 0 1 0

// CHECK: {{.*}}/ranks.mlir:7:3: error: --ranks is 4, but signal [2, 1] states 2 ranks
