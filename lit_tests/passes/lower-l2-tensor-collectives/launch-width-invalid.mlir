// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// A signal of B - 1 columns, for each row of the table in launch-width.mlir.

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x6xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 7 : index
  // CHECK: launch-width-invalid.mlir:9:3: error: signal has 6 columns, fewer than the 7 admitted blocks (core_num 7, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x6xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x7xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 8 : index
  // CHECK: launch-width-invalid.mlir:20:3: error: signal has 7 columns, fewer than the 8 admitted blocks (core_num 8, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x7xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x7xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 9 : index
  // CHECK: launch-width-invalid.mlir:31:3: error: signal has 7 columns, fewer than the 8 admitted blocks (core_num 9, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x7xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x7xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 10 : index
  // CHECK: launch-width-invalid.mlir:42:3: error: signal has 7 columns, fewer than the 8 admitted blocks (core_num 10, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x7xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x7xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 15 : index
  // CHECK: launch-width-invalid.mlir:53:3: error: signal has 7 columns, fewer than the 8 admitted blocks (core_num 15, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x7xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<16x4xf32>, %t: !pld.dist_tensor<tensor<16x4xf32>>, %s: !pld.dist_tensor<tensor<8x15xi32>>,
    %c: tensor<8xi32>, %r: !pld.dist_tensor<tensor<8x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  // CHECK: launch-width-invalid.mlir:64:3: error: signal has 15 columns, fewer than the 16 admitted blocks (core_num 16, 8 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<16x4xf32>, !pld.dist_tensor<tensor<16x4xf32>>, !pld.dist_tensor<tensor<8x15xi32>>, tensor<8xi32>, !pld.dist_tensor<tensor<8x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<32x4xf32>, %t: !pld.dist_tensor<tensor<32x4xf32>>, %s: !pld.dist_tensor<tensor<16x6xi32>>,
    %c: tensor<16xi32>, %r: !pld.dist_tensor<tensor<16x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 7 : index
  // CHECK: launch-width-invalid.mlir:75:3: error: signal has 6 columns, fewer than the 7 admitted blocks (core_num 7, 16 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<32x4xf32>, !pld.dist_tensor<tensor<32x4xf32>>, !pld.dist_tensor<tensor<16x6xi32>>, tensor<16xi32>, !pld.dist_tensor<tensor<16x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<32x4xf32>, %t: !pld.dist_tensor<tensor<32x4xf32>>, %s: !pld.dist_tensor<tensor<16x15xi32>>,
    %c: tensor<16xi32>, %r: !pld.dist_tensor<tensor<16x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  // CHECK: launch-width-invalid.mlir:86:3: error: signal has 15 columns, fewer than the 16 admitted blocks (core_num 16, 16 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<32x4xf32>, !pld.dist_tensor<tensor<32x4xf32>>, !pld.dist_tensor<tensor<16x15xi32>>, tensor<16xi32>, !pld.dist_tensor<tensor<16x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<8x4xf32>, %t: !pld.dist_tensor<tensor<8x4xf32>>, %s: !pld.dist_tensor<tensor<4x15xi32>>,
    %c: tensor<4xi32>, %r: !pld.dist_tensor<tensor<4x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 16 : index
  // CHECK: launch-width-invalid.mlir:97:3: error: signal has 15 columns, fewer than the 16 admitted blocks (core_num 16, 4 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<8x4xf32>, !pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<4x15xi32>>, tensor<4xi32>, !pld.dist_tensor<tensor<4x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<2x4xf32>, %t: !pld.dist_tensor<tensor<2x4xf32>>, %s: !pld.dist_tensor<tensor<1x3xi32>>,
    %c: tensor<1xi32>, %r: !pld.dist_tensor<tensor<1x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  // CHECK: launch-width-invalid.mlir:108:3: error: signal has 3 columns, fewer than the 4 admitted blocks (core_num 4, 1 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<1x3xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<2x4xf32>, %t: !pld.dist_tensor<tensor<2x4xf32>>, %s: !pld.dist_tensor<tensor<1x2147483646xi32>>,
    %c: tensor<1xi32>, %r: !pld.dist_tensor<tensor<1x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  // CHECK: launch-width-invalid.mlir:119:3: error: signal has 2147483646 columns, fewer than the 2147483647 admitted blocks (core_num 2147483647, 1 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<1x2147483646xi32>>, tensor<1xi32>, !pld.dist_tensor<tensor<1x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2 : index
  // CHECK: launch-width-invalid.mlir:130:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 2, 2 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  // CHECK: launch-width-invalid.mlir:141:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 3, 2 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x1xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2 : index
  // CHECK: launch-width-invalid.mlir:152:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 2, 3 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x1xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x2xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  // CHECK: launch-width-invalid.mlir:163:3: error: signal has 2 columns, fewer than the 3 admitted blocks (core_num 3, 3 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x2xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<6x4xf32>, %t: !pld.dist_tensor<tensor<6x4xf32>>, %s: !pld.dist_tensor<tensor<3x2xi32>>,
    %c: tensor<3xi32>, %r: !pld.dist_tensor<tensor<3x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  // CHECK: launch-width-invalid.mlir:174:3: error: signal has 2 columns, fewer than the 3 admitted blocks (core_num 4, 3 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<6x4xf32>, !pld.dist_tensor<tensor<6x4xf32>>, !pld.dist_tensor<tensor<3x2xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<4x4xf32>, %t: !pld.dist_tensor<tensor<4x4xf32>>, %s: !pld.dist_tensor<tensor<2x2147483645xi32>>,
    %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  // CHECK: launch-width-invalid.mlir:185:3: error: signal has 2147483645 columns, fewer than the 2147483646 admitted blocks (core_num 2147483647, 2 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4x4xf32>, !pld.dist_tensor<tensor<4x4xf32>>, !pld.dist_tensor<tensor<2x2147483645xi32>>, tensor<2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<4294967294x4xf32>, %t: !pld.dist_tensor<tensor<4294967294x4xf32>>, %s: !pld.dist_tensor<tensor<2147483647x2147483646xi32>>,
    %c: tensor<2147483647xi32>, %r: !pld.dist_tensor<tensor<2147483647x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483647 : index
  // CHECK: launch-width-invalid.mlir:196:3: error: signal has 2147483646 columns, fewer than the 2147483647 admitted blocks (core_num 2147483647, 2147483647 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4294967294x4xf32>, !pld.dist_tensor<tensor<4294967294x4xf32>>, !pld.dist_tensor<tensor<2147483647x2147483646xi32>>, tensor<2147483647xi32>, !pld.dist_tensor<tensor<2147483647x1xi32>>
  func.return
}

// -----

func.func @f(%in: tensor<4294967294x4xf32>, %t: !pld.dist_tensor<tensor<4294967294x4xf32>>, %s: !pld.dist_tensor<tensor<2147483647x2147483645xi32>>,
    %c: tensor<2147483647xi32>, %r: !pld.dist_tensor<tensor<2147483647x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483646 : index
  // CHECK: launch-width-invalid.mlir:207:3: error: signal has 2147483645 columns, fewer than the 2147483646 admitted blocks (core_num 2147483646, 2147483647 ranks)
  %d = pld.tensor.all_to_all_v %in, %t, %s, %c, %r core_num(%n)
    : tensor<4294967294x4xf32>, !pld.dist_tensor<tensor<4294967294x4xf32>>, !pld.dist_tensor<tensor<2147483647x2147483645xi32>>, tensor<2147483647xi32>, !pld.dist_tensor<tensor<2147483647x1xi32>>
  func.return
}
