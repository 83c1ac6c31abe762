// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// The managed collectives: all operands, clauses and attributes.

func.func @all_to_all_v(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts core_num(%c4) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %1 = pld.tensor.all_to_all_v %input, %d, %signal, %send_counts, %recv_counts core_num(%n) {user = 1 : i32} : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK: func.func @all_to_all_v(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts core_num(%c4) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %1 = pld.tensor.all_to_all_v %input, %d, %signal, %send_counts, %recv_counts core_num(%n) {user = 1 : i32} : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @all_to_all_v_kinds(%input: !pld.dist_tensor<tensor<?x64xbf16>>, %target: !pld.dist_tensor<tensor<8x64xbf16>>, %signal: !pld.dist_tensor<tensor<2x1xi32>>, %send_counts: !pld.dist_tensor<tensor<2xi32>>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : !pld.dist_tensor<tensor<?x64xbf16>>, !pld.dist_tensor<tensor<8x64xbf16>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK-NEXT: func.func @all_to_all_v_kinds(%input: !pld.dist_tensor<tensor<?x64xbf16>>, %target: !pld.dist_tensor<tensor<8x64xbf16>>, %signal: !pld.dist_tensor<tensor<2x1xi32>>, %send_counts: !pld.dist_tensor<tensor<2xi32>>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
// CHECK-NEXT: %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : !pld.dist_tensor<tensor<?x64xbf16>>, !pld.dist_tensor<tensor<8x64xbf16>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @all_to_all_v_one_rank(%input: tensor<3x?xi8>, %target: !pld.dist_tensor<tensor<3x?xi8>>, %signal: !pld.dist_tensor<tensor<1x1xi32>>, %send_counts: tensor<1xi32>, %recv_counts: !pld.dist_tensor<tensor<1x1xi32>>) {
  %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<3x?xi8>, !pld.dist_tensor<tensor<3x?xi8>>, !pld.dist_tensor<tensor<1x1xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// CHECK-NEXT: func.func @all_to_all_v_one_rank(%input: tensor<3x?xi8>, %target: !pld.dist_tensor<tensor<3x?xi8>>, %signal: !pld.dist_tensor<tensor<1x1xi32>>, %send_counts: tensor<1xi32>, %recv_counts: !pld.dist_tensor<tensor<1x1xi32>>) {
// CHECK-NEXT: %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<3x?xi8>, !pld.dist_tensor<tensor<3x?xi8>>, !pld.dist_tensor<tensor<1x1xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @all_to_all_v_packed(%input: tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}>, %target: !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 64, 1>}>>, %signal: !pld.dist_tensor<tensor<2x1xi32>>, %send_counts: tensor<2xi32, {stride = array<i64: 1>}>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}>, !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 64, 1>}>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2xi32, {stride = array<i64: 1>}>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK-NEXT: func.func @all_to_all_v_packed(%input: tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}>, %target: !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 64, 1>}>>, %signal: !pld.dist_tensor<tensor<2x1xi32>>, %send_counts: tensor<2xi32, {stride = array<i64: 1>}>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
// CHECK-NEXT: %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}>, !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 64, 1>}>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2xi32, {stride = array<i64: 1>}>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @indexed_all_to_all_v(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %recv_window: !pld.dist_tensor<tensor<2x1xi32>>, %index: tensor<8xi32>, %other: !pld.dist_tensor<tensor<2x4xi32>>, %n: index) {
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  %1 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_window, %other core_num(%n) {user} : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x4xi32>>
  func.return
}

// CHECK-NEXT: func.func @indexed_all_to_all_v(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %recv_window: !pld.dist_tensor<tensor<2x1xi32>>, %index: tensor<8xi32>, %other: !pld.dist_tensor<tensor<2x4xi32>>, %n: index) {
// CHECK-NEXT: %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
// CHECK-NEXT: %1 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_window, %other core_num(%n) {user} : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x4xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @others(%t: tensor<4x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %half: !pld.dist_tensor<tensor<8x64xf16>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<4x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %1 = pld.tensor.allgather %t, %d, %sig : tensor<4x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %h = pld.tensor.allreduce %d, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %2 = pld.tensor.allreduce %half, %sig core_num(%n) {op = "max", mode = "ring"} : !pld.dist_tensor<tensor<8x64xf16>>, !pld.dist_tensor<tensor<2x1xi32>>
  %3 = pld.tensor.allreduce %d, %sig {user = 1 : i32, op = "min"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %4 = pld.tensor.reduce_scatter %d, %sig {op = "prod"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %5 = pld.tensor.broadcast %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %6 = pld.tensor.broadcast %d, %sig {root = 1 : i64} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %g = pld.tensor.barrier %sig : !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK-NEXT: func.func @others(%t: tensor<4x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %half: !pld.dist_tensor<tensor<8x64xf16>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT: %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<4x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %1 = pld.tensor.allgather %t, %d, %sig : tensor<4x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %h = pld.tensor.allreduce %d, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %2 = pld.tensor.allreduce %half, %sig core_num(%n) {op = "max", mode = "ring"} : !pld.dist_tensor<tensor<8x64xf16>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %3 = pld.tensor.allreduce %d, %sig {user = 1 : i32, op = "min"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %4 = pld.tensor.reduce_scatter %d, %sig {op = "prod"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %5 = pld.tensor.broadcast %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %6 = pld.tensor.broadcast %d, %sig {root = 1 : i64} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %g = pld.tensor.barrier %sig : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @others_on_windows(%i: !pld.dist_tensor<tensor<8x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %0 = pld.tensor.all_to_all %i, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %1 = pld.tensor.allgather %i, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %2 = pld.tensor.allreduce %d {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
  %3 = pld.tensor.allreduce %d core_num(%n) {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// CHECK-NEXT: func.func @others_on_windows(%i: !pld.dist_tensor<tensor<8x64xf32>>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT: %0 = pld.tensor.all_to_all %i, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %1 = pld.tensor.allgather %i, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %2 = pld.tensor.allreduce %d {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %3 = pld.tensor.allreduce %d core_num(%n) {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

// GENERIC: "pld.tensor.all_to_all_v"(%input, %target, %signal, %send_counts, %recv_counts, %c4) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, index) -> !pld.dist_tensor<tensor<8x64xf32>>
