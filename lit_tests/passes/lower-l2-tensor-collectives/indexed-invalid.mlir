// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// What the indexed exchange is refused for.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X, %n: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: indexed-invalid.mlir:13:3: error: core_num must be a compile-time constant on the chip rail
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "orchestration"} {
  %a = arith.constant 4 : index
  %n = arith.subi %a, %a : index
  // CHECK: indexed-invalid.mlir:29:3: error: core_num is out of range [1, 2147483647]: 0
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 5 : index
  // CHECK: indexed-invalid.mlir:44:3: error: signal has 4 columns, fewer than the 5 admitted blocks (core_num 5, 2 ranks)
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

// S >= L is needed: nothing is rounded down.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x2xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  // CHECK: indexed-invalid.mlir:61:3: error: signal has 2 columns, fewer than the 3 admitted blocks (core_num 3, 2 ranks)
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xi32>
!D = !pld.dist_tensor<tensor<8x64xi32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:76:3: error: element type must be f32 or i8, not i32
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

// Plain counts: the verifier.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X, %recv2: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:93:3: error: send_counts must be a window, not tensor<2x1xi32>
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %recv, %recv2, %index core_num(%n) : !T, !D, !S, !C, !R, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %part = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: indexed-invalid.mlir:110:3: error: input 'part' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: indexed-invalid.mlir:107:3: note: 'part' of type tensor<8x64xf32> breaks it
  %d = pld.tensor.indexed_all_to_all_v %part, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X, %wide: tensor<2x8xi32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %part = pl.tensor.slice %wide[0, 0] [1, 8] : tensor<2x8xi32> -> !X
  // CHECK: indexed-invalid.mlir:127:3: error: index 'part' is not provably contiguous: the slice drops a dimension
  // CHECK: indexed-invalid.mlir:124:3: note: 'part' of type tensor<8xi32> breaks it
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %part core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X, %wide: tensor<2x2xi32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %part = pl.tensor.slice %wide[0, 1] [2, 1] : tensor<2x2xi32> -> !C
  // CHECK: indexed-invalid.mlir:144:3: error: recv_counts 'part' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: indexed-invalid.mlir:141:3: note: 'part' of type tensor<2x1xi32> breaks it
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %part, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

// Only the chip rail has it: not the host's.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @host(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:161:3: error: pld.tensor.indexed_all_to_all_v has no host-rail lowering (in 'host'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @kernel(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "incore"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:176:3: error: pld.tensor.indexed_all_to_all_v has no InCore-rail lowering (in 'kernel'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @kernel(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "aic"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:191:3: error: pld.tensor.indexed_all_to_all_v has no InCore-rail lowering (in 'kernel'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @kernel(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "aiv"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:206:3: error: pld.tensor.indexed_all_to_all_v has no InCore-rail lowering (in 'kernel'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @kernel(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "group"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:221:3: error: pld.tensor.indexed_all_to_all_v has no InCore-rail lowering (in 'kernel'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @kernel(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "spmd"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:236:3: error: pld.tensor.indexed_all_to_all_v has no InCore-rail lowering (in 'kernel'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @cluster(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.level = "cluster_0", pl.role = "orchestrator"} {
  %n = arith.constant 1 : index
  // CHECK: indexed-invalid.mlir:251:3: error: pld.tensor.indexed_all_to_all_v has no chip-rail lowering (in 'cluster'): write it in a chip orchestration, the only place where it can be lowered
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}
