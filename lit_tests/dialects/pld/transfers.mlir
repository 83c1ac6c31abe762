// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// One-sided transfers; the source of a put and the destination of a get may be of either kind.

func.func @transfers(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %e: !pld.dist_tensor<tensor<8x64xf32>>, %i: index, %p: i32) {
  pld.tensor.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tensor.put %e[%i, %i] into %d[4, 0] [%i, 64] peer(%p) {atomic = "add"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tile.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tile.put %e[0, 0] into %d[%i, 0] [4, 64] peer(%p) {user, atomic = "add"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tensor.get %d[%i, 0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  pld.tensor.get %d[%i, 0] into %e[0, 0] [4, 64] peer(%p) {user} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tile.get %d[%i, 0] into %t[4, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
  pld.tile.get %d[%i, 0] into %e[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  %k = pld.tile.remote_load %d[%i, 0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
  pld.tile.remote_store %k into %d[%i, 0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.tile.remote_store %k into %d[%i, 0] peer(%p) {atomic = "add"} : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// CHECK: func.func @transfers(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %e: !pld.dist_tensor<tensor<8x64xf32>>, %i: index, %p: i32) {
// CHECK-NEXT: pld.tensor.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tensor.put %e[%i, %i] into %d[4, 0] [%i, 64] peer(%p) {atomic = "add"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tile.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tile.put %e[0, 0] into %d[%i, 0] [4, 64] peer(%p) {user, atomic = "add"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tensor.get %d[%i, 0] into %t[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
// CHECK-NEXT: pld.tensor.get %d[%i, 0] into %e[0, 0] [4, 64] peer(%p) {user} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tile.get %d[%i, 0] into %t[4, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>
// CHECK-NEXT: pld.tile.get %d[%i, 0] into %e[0, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %k = pld.tile.remote_load %d[%i, 0] [1, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// CHECK-NEXT: pld.tile.remote_store %k into %d[%i, 0] peer(%p) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: pld.tile.remote_store %k into %d[%i, 0] peer(%p) {atomic = "add"} : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: func.return
// CHECK-NEXT: }
