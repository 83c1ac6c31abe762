// RUN: not pld-opt %s -p materialize-comm-domain-scopes --split-input-file 2>&1 | filecheck %s

// What keeps a window buffer from having a domain.

// A buffer without a window.

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
  // CHECK: invalid.mlir:18:3: error: window buffer "d" has no window
  %b = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  func.return
}

// -----

// A buffer that no dispatch consumes.

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
  // CHECK: invalid.mlir:37:3: error: window buffer "d" is consumed by no dispatch
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  // CHECK: invalid.mlir:40:3: error: window buffer "s" is consumed by no dispatch
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  %h = pld.tensor.allreduce %d, %s {op = "sum"} : !D, !S
  func.return
}

// -----

// A loop that never turns.

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
  // CHECK: invalid.mlir:61:3: error: window buffer "d" is consumed by no dispatch
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  scf.for %r = %c2 to %c1 step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// A device that is computed.

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
  scf.for %r = %c0 to %c2 step %c1 {
    %q = arith.addi %r, %c1 : index
    // CHECK: invalid.mlir:88:5: error: the devices of this dispatch are not known: 'q' is of another form
    pl.call @stage(%d) device(%q) : (!D) -> ()
  }
  func.return
}

// -----

// A device that is a parameter.

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
  // CHECK: invalid.mlir:110:3: error: the devices of this dispatch are not known: 'n' is of another form
  pl.call @stage(%d) device(%n) : (!D) -> ()
  func.return
}

// -----

// A range whose end is no constant.

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
  scf.for %r = %c0 to %n step %c1 {
    // CHECK: invalid.mlir:132:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// A range whose step is no constant.

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
  scf.for %r = %c0 to %c2 step %n {
    // CHECK: invalid.mlir:155:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// All devices but the first.

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
  scf.for %r = %c1 to %all step %c1 {
    // CHECK: invalid.mlir:179:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// Every second device.

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
  scf.for %r = %c0 to %all step %c2 {
    // CHECK: invalid.mlir:203:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// More devices than a domain has.

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
  scf.for %r = %c0 to %c128 step %c1 {
    // CHECK: invalid.mlir:226:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// A negative device.

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
  %m = arith.constant -1 : index
  // CHECK: invalid.mlir:249:3: error: the devices of this dispatch are not known: 'm' is of another form
  pl.call @stage(%d) device(%m) : (!D) -> ()
  func.return
}

// -----

// A negative start.

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
  %m = arith.constant -1 : index
  scf.for %r = %m to %c2 step %c1 {
    // CHECK: invalid.mlir:272:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// A step of zero.

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
  scf.for %r = %c0 to %c2 step %c0 {
    // CHECK: invalid.mlir:295:5: error: the devices of this dispatch are not known: 'r' is of another form
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// A body of several blocks.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
// CHECK: invalid.mlir:310:1: error: 'host' branches between blocks: its windows cannot be put into a domain
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  pl.call @stage(%d) device(%c1) : (!D) -> ()
  cf.br ^end
^end:
  func.return
}
