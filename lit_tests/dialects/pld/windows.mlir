// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Windows and communication domains of a host body.

func.func @host(%bytes: index) -> i32 attributes {pl.level = "host", pl.role = "orchestrator"} {
  %b = pld.tensor.alloc_window_buffer %bytes {name = "data_buf"} : !pld.window_buffer
  %w = pld.tensor.window %b : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
  pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["data", "sig"]} {
    %0 = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
    %1 = pld.tensor.alloc_window_buffer %bytes {user, name = "sig"} : !pld.window_buffer
  }
  %2 = pld.comm_domain attributes {name = "comm_d1", slots = ["all", "of_a_later_domain"]} -> i32 {
    %3 = pld.tensor.alloc_window_buffer %bytes {name = "all"} : !pld.window_buffer
    %4, %5 = pld.comm_domain attributes {user = 1 : i32, name = "comm_d2", devices = array<i64: 1>, slots = ["inner"]} -> (i32, index) {
      %6 = pld.tensor.alloc_window_buffer %bytes {name = "inner"} : !pld.window_buffer
      %7 = pld.tensor.alloc_window_buffer %bytes {name = "of_a_later_domain"} : !pld.window_buffer
      %8 = arith.constant 1 : i32
      pld.yield %8, %bytes : i32, index
    }
    pld.yield %4 : i32
  }
  func.return %2 : i32
}

// CHECK: func.func @host(%bytes: index) -> i32 attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT: %b = pld.tensor.alloc_window_buffer %bytes {name = "data_buf"} : !pld.window_buffer
// CHECK-NEXT: %w = pld.tensor.window %b : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["data", "sig"]} {
// CHECK-NEXT: %0 = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
// CHECK-NEXT: %1 = pld.tensor.alloc_window_buffer %bytes {user, name = "sig"} : !pld.window_buffer
// CHECK-NEXT: }
// CHECK-NEXT: %2 = pld.comm_domain attributes {name = "comm_d1", slots = ["all", "of_a_later_domain"]} -> i32 {
// CHECK-NEXT: %3 = pld.tensor.alloc_window_buffer %bytes {name = "all"} : !pld.window_buffer
// CHECK-NEXT: %4, %5 = pld.comm_domain attributes {user = 1 : i32, name = "comm_d2", devices = array<i64: 1>, slots = ["inner"]} -> (i32, index) {
// CHECK-NEXT: %6 = pld.tensor.alloc_window_buffer %bytes {name = "inner"} : !pld.window_buffer
// CHECK-NEXT: %7 = pld.tensor.alloc_window_buffer %bytes {name = "of_a_later_domain"} : !pld.window_buffer
// CHECK-NEXT: %8 = arith.constant 1 : i32
// CHECK-NEXT: pld.yield %8, %bytes : i32, index
// CHECK-NEXT: }
// CHECK-NEXT: pld.yield %4 : i32
// CHECK-NEXT: }
// CHECK-NEXT: func.return %2 : i32
// CHECK-NEXT: }
