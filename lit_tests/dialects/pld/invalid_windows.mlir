// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: property 'name' expected in operation 'pld.tensor.alloc_window_buffer'
  %0 = pld.tensor.alloc_window_buffer %bytes : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: name must be a string, not 3 : i32
  %0 = pld.tensor.alloc_window_buffer %bytes {name = 3 : i32} : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: a window buffer has a name that is not empty
  %0 = pld.tensor.alloc_window_buffer %bytes {name = ""} : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %z = arith.constant 0 : index
  // CHECK: :3: error: a window buffer has a positive size, not 0 bytes
  %0 = pld.tensor.alloc_window_buffer %z {name = "a"} : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  // CHECK: :3: error: the window buffer name "a" is taken in this module: the runtime finds windows by it
  %1 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  func.return
}
func.func @g(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the window buffer name "a" is taken in this module: the runtime finds windows by it
  %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  func.return
}

// -----

func.func @f(%bytes: i64) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: operand 'bytes' at position 0 does not verify: i64 should be of base attribute index
  %0 = "pld.tensor.alloc_window_buffer"(%bytes) <{name = "a"}> : (i64) -> !pld.window_buffer
  func.return
}

// -----

func.func @f(%b: !pld.window_buffer) {
  // CHECK: :3: error: result must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.window %b : !pld.window_buffer -> tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%b: !pld.window_buffer) {
  // CHECK: :3: error: a window has a static shape, not that of tensor<?x64xf32>
  %0 = pld.tensor.window %b : !pld.window_buffer -> !pld.dist_tensor<tensor<?x64xf32>>
  func.return
}

// -----

func.func @f(%b: !pld.window_buffer) {
  // CHECK: :3: error: a window has no view (layout, stride, valid_shape): tensor<8x64xf32, {layout = "nd"}>
  %0 = pld.tensor.window %b : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32, {layout = "nd"}>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: operand 'buffer' at position 0 does not verify: buffer must be of type !pld.window_buffer, not !pld.dist_tensor<tensor<8x64xf32>>
  %0 = "pld.tensor.window"(%d) : (!pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: pld.comm_domain is for host bodies (pl.level host, pl.role orchestrator); 'f' is none
  pld.comm_domain attributes {name = "d", slots = []} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: property 'name' expected in operation 'pld.comm_domain'
  pld.comm_domain attributes {slots = []} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: property 'slots' expected in operation 'pld.comm_domain'
  pld.comm_domain attributes {name = "d"} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: name must be a string, not 3 : i32
  pld.comm_domain attributes {name = 3 : i32, slots = []} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: slots must be an array of strings, not "a"
  pld.comm_domain attributes {name = "d", slots = "a"} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: slots must be an array of strings, not [1 : i64]
  pld.comm_domain attributes {name = "d", slots = [1]} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: devices must be an array<i64>, not [0 : i64]
  pld.comm_domain attributes {name = "d", slots = [], devices = [0]} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: devices lists no device: leave it out for all devices
  pld.comm_domain attributes {name = "d", slots = [], devices = array<i64>} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: devices must be distinct and not negative: [0, 0]
  pld.comm_domain attributes {name = "d", slots = [], devices = array<i64: 0, 0>} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: devices must be distinct and not negative: [-1]
  pld.comm_domain attributes {name = "d", slots = [], devices = array<i64: -1>} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: slots names a buffer twice: ['a', 'a']
  pld.comm_domain attributes {name = "d", slots = ["a", "a"]} {
    %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: slot "b" names no window buffer that is allocated in this domain
  pld.comm_domain attributes {name = "d", slots = ["b"]} {
    %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
  // CHECK: :3: error: slot "a" names no window buffer that is allocated in this domain
  pld.comm_domain attributes {name = "d", slots = ["a"]} {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pld.comm_domain attributes {name = "outer", slots = ["a"]} {
    // CHECK: :5: error: window buffer "a" is a slot of this domain, "inner", and of "outer" around it
    pld.comm_domain attributes {name = "inner", slots = ["a"]} {
      %0 = pld.tensor.alloc_window_buffer %bytes {name = "a"} : !pld.window_buffer
    }
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the domain has the results (), its body yields (i32)
  pld.comm_domain attributes {name = "d", slots = []} {
    %1 = arith.constant 1 : i32
    pld.yield %1 : i32
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the domain has the results (i32), its body yields ()
  %0 = pld.comm_domain attributes {name = "d", slots = []} -> i32 {
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the domain has the results (i32), its body yields (i64)
  %0 = pld.comm_domain attributes {name = "d", slots = []} -> i32 {
    %1 = arith.constant 1 : i64
    pld.yield %1 : i64
  }
  func.return
}

// -----

func.func @f(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pld.comm_domain attributes {name = "d", slots = []} {
    // CHECK: :5: error: 'func.return' expects parent op 'func.func'
    func.return
  }
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the body of a domain takes no arguments
  pld.comm_domain attributes {name = "d", slots = []} {
  ^bb0(%x: i32):
    "test.op"() : () -> ()
  }
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: the body of a domain is empty: it has no text form
  pld.comm_domain attributes {name = "d", slots = []} {
  ^bb0:
  }
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: Region 'body' at position 0 expected a single block, but got 0 blocks
  pld.comm_domain attributes {name = "d", slots = []} {}
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  // CHECK: :3: error: Region 'body' at position 0 expected a single block, but got 2 blocks
  pld.comm_domain attributes {name = "d", slots = []} {
    cf.br ^bb1
  ^bb1:
    pld.yield
  }
  func.return
}

// -----

func.func @f() attributes {pl.level = "host", pl.role = "orchestrator"} {
  "test.op"() ({
    // CHECK: :5: error: 'pld.yield' expects parent op 'pld.comm_domain'
    pld.yield
  }) : () -> ()
  func.return
}
