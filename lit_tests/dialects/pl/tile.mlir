// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Tile ops, on plain and on distributed tensors.

func.func @tiles(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %i: index) {
  %k = pl.tile.load %t[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
  %0 = pl.tile.load %d[7, %i] [1, 32] {user} : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x32xf32>>
  %1 = pl.tile.store %k into %t[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  %2 = pl.tile.store %k into %d[7, 0] : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  %3 = pl.tile.slice %k[0, 32] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf32>>
  %4 = pl.tile.slice %t[%i, 0] [%i, 64] : tensor<8x64xf32> -> tensor<?x64xf32>
  %5 = pl.tile.slice %d[4, 0] [4, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pld.dist_tensor<tensor<4x64xf32>>
  func.return
}

// CHECK: func.func @tiles(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %i: index) {
// CHECK-NEXT: %k = pl.tile.load %t[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
// CHECK-NEXT: %0 = pl.tile.load %d[7, %i] [1, 32] {user} : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x32xf32>>
// CHECK-NEXT: %1 = pl.tile.store %k into %t[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
// CHECK-NEXT: %2 = pl.tile.store %k into %d[7, 0] : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %3 = pl.tile.slice %k[0, 32] [1, 32] : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf32>>
// CHECK-NEXT: %4 = pl.tile.slice %t[%i, 0] [%i, 64] : tensor<8x64xf32> -> tensor<?x64xf32>
// CHECK-NEXT: %5 = pl.tile.slice %d[4, 0] [4, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pld.dist_tensor<tensor<4x64xf32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }
