// RUN: not pld-run %s 2>&1 | filecheck %s

// A rank that does not come to a barrier: who waits for whom, and where.

func.func @chip(%signal: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %zero = arith.constant 0 : i32
  %c = pld.system.get_comm_ctx %signal : !pld.dist_tensor<tensor<2x1xi32>>
  %me = pld.system.rank %c : i32
  %first = arith.cmpi eq, %me, %zero : i32
  scf.if %first {
    %g = pld.tensor.barrier %signal : !pld.dist_tensor<tensor<2x1xi32>>
  }
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

// CHECK:      {{.*}}/deadlock.mlir:11:5: error: deadlock: every rank waits or has finished
// CHECK-NEXT: %g = pld.tensor.barrier
// CHECK-NEXT: ^
// CHECK-NEXT: note: the host waits for what it dispatched
// CHECK-NEXT: {{.*}}/deadlock.mlir:11:5: note: rank 0 waits for rank 1 of 'world' to come to barrier on window 'signal'
// CHECK:      note: rank 1 waits for a further dispatch
