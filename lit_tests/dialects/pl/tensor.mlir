// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Tensor ops, on plain and on distributed tensors.

func.func @tensors(%t: tensor<32x64xf32>, %d: !pld.dist_tensor<tensor<32x64xf32>>, %c: !pld.dist_tensor<tensor<2x1xi32>>, %dyn: tensor<?x64xf32>, %v: i32, %f: f32, %i: index) {
  %e = pl.tensor.create : tensor<8x64xf32>
  %e1 = pl.tensor.create {user} : tensor<8x64xf32, {layout = "dn"}>
  %0 = pl.tensor.slice %t[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
  %1 = pl.tensor.slice %d[%i, 0] [1, 64] : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<64xf32>>
  %2 = pl.tensor.slice %dyn[%i, %i] [%i, 64] {user = 1 : i32} : tensor<?x64xf32> -> tensor<?x64xf32>
  %3 = pl.tensor.assemble %e into %t[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  %4 = pl.tensor.assemble %1 into %d[%i, 0] : !pld.dist_tensor<tensor<64xf32>>, !pld.dist_tensor<tensor<32x64xf32>>
  %5 = pl.tensor.assemble %1 into %3[31, 0] : !pld.dist_tensor<tensor<64xf32>>, tensor<32x64xf32>
  %6 = pl.tensor.view %0 : tensor<8x64xf32> -> tensor<512xf32>
  %7 = pl.tensor.view %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<2048xf32>>
  %8 = pl.tensor.view %dyn : tensor<?x64xf32> -> tensor<512xf32>
  %9 = pl.tensor.reshape %0 : tensor<8x64xf32> -> tensor<16x32xf32>
  %10 = pl.tensor.reshape %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<?x32xf32>>
  %11 = pl.tensor.set_validshape %0 : tensor<8x64xf32> -> tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>
  %12 = pl.tensor.set_validshape %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<32x64xf32, {valid_shape = array<i64: 4, 64>}>>
  %13 = pl.tensor.transpose %0 {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf32>
  %14 = pl.tensor.transpose %d {user = 1 : i32, axes = array<i64: 0, 1>} : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<32x64xf32>>
  %15 = pl.tensor.read %c[%i, 0] : !pld.dist_tensor<tensor<2x1xi32>> -> i32
  %16 = pl.tensor.read %t[31, 63] : tensor<32x64xf32> -> f32
  %17 = pl.tensor.write %v into %c[%i, 0] : i32, !pld.dist_tensor<tensor<2x1xi32>>
  %18 = pl.tensor.write %f into %t[0, %i] : f32, tensor<32x64xf32>
  func.return
}

// CHECK: func.func @tensors(%t: tensor<32x64xf32>, %d: !pld.dist_tensor<tensor<32x64xf32>>, %c: !pld.dist_tensor<tensor<2x1xi32>>, %dyn: tensor<?x64xf32>, %v: i32, %f: f32, %i: index) {
// CHECK-NEXT: %e = pl.tensor.create : tensor<8x64xf32>
// CHECK-NEXT: %e1 = pl.tensor.create {user} : tensor<8x64xf32, {layout = "dn"}>
// CHECK-NEXT: %0 = pl.tensor.slice %t[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
// CHECK-NEXT: %1 = pl.tensor.slice %d[%i, 0] [1, 64] : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<64xf32>>
// CHECK-NEXT: %2 = pl.tensor.slice %dyn[%i, %i] [%i, 64] {user = 1 : i32} : tensor<?x64xf32> -> tensor<?x64xf32>
// CHECK-NEXT: %3 = pl.tensor.assemble %e into %t[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
// CHECK-NEXT: %4 = pl.tensor.assemble %1 into %d[%i, 0] : !pld.dist_tensor<tensor<64xf32>>, !pld.dist_tensor<tensor<32x64xf32>>
// CHECK-NEXT: %5 = pl.tensor.assemble %1 into %3[31, 0] : !pld.dist_tensor<tensor<64xf32>>, tensor<32x64xf32>
// CHECK-NEXT: %6 = pl.tensor.view %0 : tensor<8x64xf32> -> tensor<512xf32>
// CHECK-NEXT: %7 = pl.tensor.view %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<2048xf32>>
// CHECK-NEXT: %8 = pl.tensor.view %dyn : tensor<?x64xf32> -> tensor<512xf32>
// CHECK-NEXT: %9 = pl.tensor.reshape %0 : tensor<8x64xf32> -> tensor<16x32xf32>
// CHECK-NEXT: %10 = pl.tensor.reshape %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<?x32xf32>>
// CHECK-NEXT: %11 = pl.tensor.set_validshape %0 : tensor<8x64xf32> -> tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>
// CHECK-NEXT: %12 = pl.tensor.set_validshape %d : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<32x64xf32, {valid_shape = array<i64: 4, 64>}>>
// CHECK-NEXT: %13 = pl.tensor.transpose %0 {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf32>
// CHECK-NEXT: %14 = pl.tensor.transpose %d {user = 1 : i32, axes = array<i64: 0, 1>} : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<32x64xf32>>
// CHECK-NEXT: %15 = pl.tensor.read %c[%i, 0] : !pld.dist_tensor<tensor<2x1xi32>> -> i32
// CHECK-NEXT: %16 = pl.tensor.read %t[31, 63] : tensor<32x64xf32> -> f32
// CHECK-NEXT: %17 = pl.tensor.write %v into %c[%i, 0] : i32, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: %18 = pl.tensor.write %f into %t[0, %i] : f32, tensor<32x64xf32>
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @rank_0(%t: tensor<f32>) {
  %0 = pl.tensor.read %t[] : tensor<f32> -> f32
  %1 = pl.tensor.write %0 into %t[] : f32, tensor<f32>
  %2 = pl.tensor.slice %t[] [] : tensor<f32> -> tensor<f32>
  %3 = pl.tensor.transpose %t {axes = array<i64>} : tensor<f32> -> tensor<f32>
  func.return
}

// CHECK-NEXT: func.func @rank_0(%t: tensor<f32>) {
// CHECK-NEXT: %0 = pl.tensor.read %t[] : tensor<f32> -> f32
// CHECK-NEXT: %1 = pl.tensor.write %0 into %t[] : f32, tensor<f32>
// CHECK-NEXT: %2 = pl.tensor.slice %t[] [] : tensor<f32> -> tensor<f32>
// CHECK-NEXT: %3 = pl.tensor.transpose %t {axes = array<i64>} : tensor<f32> -> tensor<f32>
// CHECK-NEXT: func.return
// CHECK-NEXT: }
