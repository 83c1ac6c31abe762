// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// A collective that breaks several rules reports the first, in the order of the reference's table.

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%wide: tensor<8x128xf16>, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %zero = arith.subi %c4, %c4 : index
  %c6 = arith.constant 6 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf16> -> !T
  // CHECK: order.mlir:19:3: error: core_num must be a compile-time constant
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%wide: tensor<8x128xf16>, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %zero = arith.subi %c4, %c4 : index
  %c6 = arith.constant 6 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf16> -> !T
  // CHECK: order.mlir:39:3: error: core_num is out of range
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv core_num(%zero) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%wide: tensor<8x128xf16>, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %zero = arith.subi %c4, %c4 : index
  %c6 = arith.constant 6 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf16> -> !T
  // CHECK: order.mlir:59:3: error: signal has 4 columns
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv core_num(%c6) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%wide: tensor<8x128xf16>, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %zero = arith.subi %c4, %c4 : index
  %c6 = arith.constant 6 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf16> -> !T
  // CHECK: order.mlir:79:3: error: element type must be
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%wide: tensor<8x128xf32>, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %zero = arith.subi %c4, %c4 : index
  %c6 = arith.constant 6 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: order.mlir:99:3: error: input 'half' is not provably contiguous
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}
