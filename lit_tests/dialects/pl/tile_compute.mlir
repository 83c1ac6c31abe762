// RUN: PLD_ROUNDTRIP
// RUN: PLD_GENERIC_ROUNDTRIP

func.func @k(%d: !pld.dist_tensor<tensor<?x64xf32>>, %t: tensor<8x64xf32>, %n: index, %s: f32) attributes {pl.func_type = "incore"} {
  %dim = pl.tensor.dim %d {axis = 0 : i64} : !pld.dist_tensor<tensor<?x64xf32>>
  // CHECK: pl.tensor.dim %d {axis = 0 : i64} : !pld.dist_tensor<tensor<?x64xf32>>
  %a = pl.tile.load %t[%n, 0] [4, 64] valid [%n, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
  // CHECK-NEXT: pl.tile.load %t[%n, 0] [4, 64] valid [%n, 64] : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>
  %p = arith.constant 1 : i32
  %r = pld.tile.remote_load %d[%n, 0] [4, 64] valid [2, %n] peer(%p) : !pld.dist_tensor<tensor<?x64xf32>> -> !pl.tile<tensor<4x64xf32>>
  // CHECK: pld.tile.remote_load %d[%n, 0] [4, 64] valid [2, %n] peer(%p) : !pld.dist_tensor<tensor<?x64xf32>> -> !pl.tile<tensor<4x64xf32>>
  %b = pl.tile.add %a, %r : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
  // CHECK-NEXT: pl.tile.add %a, %r : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
  %c = pl.tile.sub %b, %s : !pl.tile<tensor<4x64xf32>>, f32
  // CHECK-NEXT: pl.tile.sub %b, %s : !pl.tile<tensor<4x64xf32>>, f32
  %e = pl.tile.mul %c, %s : !pl.tile<tensor<4x64xf32>>, f32
  // CHECK-NEXT: pl.tile.mul
  %f = pl.tile.div %e, %s : !pl.tile<tensor<4x64xf32>>, f32
  // CHECK-NEXT: pl.tile.div
  %g = pl.tile.max %f, %a : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
  // CHECK-NEXT: pl.tile.max
  %h = pl.tile.min %g, %a : !pl.tile<tensor<4x64xf32>>, !pl.tile<tensor<4x64xf32>>
  // CHECK-NEXT: pl.tile.min
  %i = pl.tile.cast %h : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x64xf16>>
  // CHECK-NEXT: pl.tile.cast %h : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x64xf16>>
  %j = pl.tile.full %s : f32 -> !pl.tile<tensor<4x64xf32>>
  // CHECK-NEXT: pl.tile.full %s : f32 -> !pl.tile<tensor<4x64xf32>>
  %k = pl.tile.row_sum %j : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x1xf32>>
  // CHECK-NEXT: pl.tile.row_sum %j : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x1xf32>>
  %l = pl.tile.reshape %k : !pl.tile<tensor<4x1xf32>> -> !pl.tile<tensor<1x4xf32>>
  // CHECK-NEXT: pl.tile.reshape %k : !pl.tile<tensor<4x1xf32>> -> !pl.tile<tensor<1x4xf32>>
  %m = pl.tile.block_idx : index
  // CHECK-NEXT: pl.tile.block_idx : index
  %o = pl.tile.block_num : index
  // CHECK-NEXT: pl.tile.block_num : index
  func.return
}
