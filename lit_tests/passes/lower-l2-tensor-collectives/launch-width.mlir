// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s

// B = L below P, else the largest multiple of P not above L; S = B is enough. The reference's table, and its boundaries.

// P = 8, L = 1, S = 1
// CHECK-LABEL: func.func @w0(
// CHECK-NEXT:    %n = arith.constant 1 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) : (
// CHECK-NEXT:    func.return
func.func @w0(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x1xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x1xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 7, S = 7
// CHECK-LABEL: func.func @w1(
// CHECK-NEXT:    %n = arith.constant 7 : index
// CHECK-NEXT:    %c7 = arith.constant 7 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c7) sync_start : (
// CHECK-NEXT:    func.return
func.func @w1(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x7xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 7 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x7xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 8, S = 8
// CHECK-LABEL: func.func @w2(
// CHECK-NEXT:    %n = arith.constant 8 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c8) sync_start : (
// CHECK-NEXT:    func.return
func.func @w2(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x8xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 8 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x8xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 9, S = 8
// CHECK-LABEL: func.func @w3(
// CHECK-NEXT:    %n = arith.constant 9 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c8) sync_start : (
// CHECK-NEXT:    func.return
func.func @w3(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x8xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 9 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x8xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 10, S = 8
// CHECK-LABEL: func.func @w4(
// CHECK-NEXT:    %n = arith.constant 10 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c8) sync_start : (
// CHECK-NEXT:    func.return
func.func @w4(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x8xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 10 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x8xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 15, S = 8
// CHECK-LABEL: func.func @w5(
// CHECK-NEXT:    %n = arith.constant 15 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c8) sync_start : (
// CHECK-NEXT:    func.return
func.func @w5(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x8xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 15 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x8xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 8, L = 16, S = 16
// CHECK-LABEL: func.func @w6(
// CHECK-NEXT:    %n = arith.constant 16 : index
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c16) sync_start : (
// CHECK-NEXT:    func.return
func.func @w6(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x16xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x16xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// P = 16, L = 7, S = 7
// CHECK-LABEL: func.func @w7(
// CHECK-NEXT:    %n = arith.constant 7 : index
// CHECK-NEXT:    %c7 = arith.constant 7 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c7) sync_start : (
// CHECK-NEXT:    func.return
func.func @w7(%in: tensor<32x4xf32>, %t: !pld.dist_tensor<tensor<32x4xf32>>, %s: !pld.dist_tensor<tensor<16x7xi32>>,
    %c: tensor<16xi32>, %r: !pld.dist_tensor<tensor<16x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 7 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<32x4xf32>, !pld.dist_tensor<tensor<32x4xf32>>, !pld.dist_tensor<tensor<16x7xi32>>, tensor<16xi32>, !pld.dist_tensor<tensor<16x1xi32>>
  func.return
}

// P = 16, L = 16, S = 16
// CHECK-LABEL: func.func @w8(
// CHECK-NEXT:    %n = arith.constant 16 : index
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c16) sync_start : (
// CHECK-NEXT:    func.return
func.func @w8(%in: tensor<32x4xf32>, %t: !pld.dist_tensor<tensor<32x4xf32>>, %s: !pld.dist_tensor<tensor<16x16xi32>>,
    %c: tensor<16xi32>, %r: !pld.dist_tensor<tensor<16x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<32x4xf32>, !pld.dist_tensor<tensor<32x4xf32>>, !pld.dist_tensor<tensor<16x16xi32>>, tensor<16xi32>, !pld.dist_tensor<tensor<16x1xi32>>
  func.return
}

// P = 4, L = 16, S = 16
// CHECK-LABEL: func.func @w9(
// CHECK-NEXT:    %n = arith.constant 16 : index
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c16) sync_start : (
// CHECK-NEXT:    func.return
func.func @w9(%in: tensor<8x4xf32>, %t: !pld.dist_tensor<tensor<8x4xf32>>, %s: !pld.dist_tensor<tensor<4x16xi32>>,
    %c: tensor<4xi32>, %r: !pld.dist_tensor<tensor<4x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<8x4xf32>, !pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<4x16xi32>>, tensor<4xi32>, !pld.dist_tensor<tensor<4x1xi32>>
  func.return
}

// P = 1, L = 1, S = 1
// CHECK-LABEL: func.func @w10(
// CHECK-NEXT:    %n = arith.constant 1 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) : (
// CHECK-NEXT:    func.return
func.func @w10(%in: tensor<2x4xf32>, %t: !pld.dist_tensor<tensor<2x4xf32>>, %s: !pld.dist_tensor<tensor<1x1xi32>>,
    %c: tensor<1xi32>, %r: !pld.dist_tensor<tensor<1x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<1x1xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// P = 1, L = 4, S = 4
// CHECK-LABEL: func.func @w11(
// CHECK-NEXT:    %n = arith.constant 4 : index
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c4) sync_start : (
// CHECK-NEXT:    func.return
func.func @w11(%in: tensor<2x4xf32>, %t: !pld.dist_tensor<tensor<2x4xf32>>, %s: !pld.dist_tensor<tensor<1x4xi32>>,
    %c: tensor<1xi32>, %r: !pld.dist_tensor<tensor<1x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<1x4xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// P = 1, L = 2147483647, S = 2147483647
// CHECK-LABEL: func.func @w12(
// CHECK-NEXT:    %n = arith.constant 2147483647 : index
// CHECK-NEXT:    %c2147483647 = arith.constant 2147483647 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2147483647) sync_start : (
// CHECK-NEXT:    func.return
func.func @w12(%in: tensor<2x4xf32>, %t: !pld.dist_tensor<tensor<2x4xf32>>, %s: !pld.dist_tensor<tensor<1x2147483647xi32>>,
    %c: tensor<1xi32>, %r: !pld.dist_tensor<tensor<1x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<1x2147483647xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// P = 2, L = 1, S = 1
// CHECK-LABEL: func.func @w13(
// CHECK-NEXT:    %n = arith.constant 1 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) : (
// CHECK-NEXT:    func.return
func.func @w13(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// P = 2, L = 2, S = 2
// CHECK-LABEL: func.func @w14(
// CHECK-NEXT:    %n = arith.constant 2 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2) sync_start : (
// CHECK-NEXT:    func.return
func.func @w14(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x2xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x2xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// P = 2, L = 3, S = 2
// CHECK-LABEL: func.func @w15(
// CHECK-NEXT:    %n = arith.constant 3 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2) sync_start : (
// CHECK-NEXT:    func.return
func.func @w15(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x2xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x2xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// P = 3, L = 2, S = 2
// CHECK-LABEL: func.func @w16(
// CHECK-NEXT:    %n = arith.constant 2 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2) sync_start : (
// CHECK-NEXT:    func.return
func.func @w16(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x2xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x2xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// P = 3, L = 3, S = 3
// CHECK-LABEL: func.func @w17(
// CHECK-NEXT:    %n = arith.constant 3 : index
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c3) sync_start : (
// CHECK-NEXT:    func.return
func.func @w17(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x3xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x3xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// P = 3, L = 4, S = 3
// CHECK-LABEL: func.func @w18(
// CHECK-NEXT:    %n = arith.constant 4 : index
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c3) sync_start : (
// CHECK-NEXT:    func.return
func.func @w18(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x3xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x3xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// P = 2, L = 2147483647, S = 2147483646
// CHECK-LABEL: func.func @w19(
// CHECK-NEXT:    %n = arith.constant 2147483647 : index
// CHECK-NEXT:    %c2147483646 = arith.constant 2147483646 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2147483646) sync_start : (
// CHECK-NEXT:    func.return
func.func @w19(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x2147483646xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x2147483646xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// P = 2147483647, L = 2147483647, S = 2147483647
// CHECK-LABEL: func.func @w20(
// CHECK-NEXT:    %n = arith.constant 2147483647 : index
// CHECK-NEXT:    %c2147483647 = arith.constant 2147483647 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2147483647) sync_start : (
// CHECK-NEXT:    func.return
func.func @w20(%in: tensor<4294967294x4xf32>, %t: !pld.dist_tensor<tensor<4294967294x4xf32>>, %s: !pld.dist_tensor<tensor<2147483647x2147483647xi32>>,
    %c: tensor<2147483647xi32>, %r: !pld.dist_tensor<tensor<2147483647x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4294967294x4xf32>, !pld.dist_tensor<tensor<4294967294x4xf32>>, !pld.dist_tensor<tensor<2147483647x2147483647xi32>>, tensor<2147483647xi32>, !pld.dist_tensor<tensor<2147483647x1xi32>>
  func.return
}

// P = 2147483647, L = 2147483646, S = 2147483646
// CHECK-LABEL: func.func @w21(
// CHECK-NEXT:    %n = arith.constant 2147483646 : index
// CHECK-NEXT:    %c2147483646 = arith.constant 2147483646 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %s, %c, %r) core_num(%c2147483646) sync_start : (
// CHECK-NEXT:    func.return
func.func @w21(%in: tensor<4294967294x4xf32>, %t: !pld.dist_tensor<tensor<4294967294x4xf32>>, %s: !pld.dist_tensor<tensor<2147483647x2147483646xi32>>,
    %c: tensor<2147483647xi32>, %r: !pld.dist_tensor<tensor<2147483647x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483646 : index
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4294967294x4xf32>, !pld.dist_tensor<tensor<4294967294x4xf32>>, !pld.dist_tensor<tensor<2147483647x2147483646xi32>>, tensor<2147483647xi32>, !pld.dist_tensor<tensor<2147483647x1xi32>>
  func.return
}

// Without core_num one block is launched; a signal may have more columns than blocks.
// CHECK-LABEL: func.func @absent(
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) : (
!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @absent(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// The six folders of arith, through each other; the old operand stays for canonicalize.
// CHECK-LABEL: func.func @folded(
// CHECK:         %n6 = arith.xori %n5, %n1 : index
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %d = pl.call @__builtin_all_to_all_v__fp32({{.*}}) core_num(%c4) sync_start
func.func @folded(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %one = arith.constant 1 : index
  %n1 = arith.addi %one, %one : index
  %n2 = arith.muli %n1, %n1 : index
  %n3 = arith.subi %n2, %one : index
  %n4 = arith.andi %n3, %n1 : index
  %n5 = arith.ori %n4, %n2 : index
  %n6 = arith.xori %n5, %n1 : index
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n6) : !T, !D, !S, !C, !R
  func.return
}

// A constant from outside the loop.
// CHECK-LABEL: func.func @in_loop(
// CHECK:         scf.for
// CHECK-NEXT:      %c2 = arith.constant 2 : index
// CHECK-NEXT:      %d = pl.call @__builtin_all_to_all_v__fp32({{.*}}) core_num(%c2) sync_start
func.func @in_loop(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2 : index
  scf.for %i = %n to %n step %n {
    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  }
  func.return
}
