// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// The types, in the text of design.md.

func.func private @plain(tensor<8x64xf32>, tensor<?x64xf32>, tensor<f32>) -> ()
func.func private @views(tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}>) -> ()
func.func private @each_key(tensor<8x64xf32, {layout = "nd"}>, tensor<8x64xf32, {layout = "nz"}>, tensor<8x64xf32, {stride = array<i64: 1, 8>}>, tensor<8x64xf32, {valid_shape = array<i64: 0, 64>}>) -> ()
func.func private @rank_0(tensor<f32, {stride = array<i64>, valid_shape = array<i64>}>, !pld.dist_tensor<tensor<f32>>) -> ()
func.func private @dynamic_view(tensor<?x64xf32, {stride = array<i64: 64, 1>, valid_shape = array<i64: 9, 64>}>) -> ()
func.func private @not_ours(tensor<8x64xf32, "sparse">, tensor<8x64xf32, {other = 1 : i64}>) -> ()
func.func private @dist(!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<?x?xi32>>, !pld.dist_tensor<tensor<8x64xf16, {layout = "dn"}>>) -> ()
func.func private @handles(!pld.comm_ctx, !pld.window_buffer, !pl.task_id) -> ()
func.func private @tiles(!pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32, {valid_shape = array<i64: 1, 32>}>>) -> ()

// CHECK: func.func private @plain(tensor<8x64xf32>, tensor<?x64xf32>, tensor<f32>) -> ()
// CHECK-NEXT: func.func private @views(tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}>) -> ()
// CHECK-NEXT: func.func private @each_key(tensor<8x64xf32, {layout = "nd"}>, tensor<8x64xf32, {layout = "nz"}>, tensor<8x64xf32, {stride = array<i64: 1, 8>}>, tensor<8x64xf32, {valid_shape = array<i64: 0, 64>}>) -> ()
// CHECK-NEXT: func.func private @rank_0(tensor<f32, {stride = array<i64>, valid_shape = array<i64>}>, !pld.dist_tensor<tensor<f32>>) -> ()
// CHECK-NEXT: func.func private @dynamic_view(tensor<?x64xf32, {stride = array<i64: 64, 1>, valid_shape = array<i64: 9, 64>}>) -> ()
// CHECK-NEXT: func.func private @not_ours(tensor<8x64xf32, "sparse">, tensor<8x64xf32, {other = 1 : i64}>) -> ()
// CHECK-NEXT: func.func private @dist(!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<?x?xi32>>, !pld.dist_tensor<tensor<8x64xf16, {layout = "dn"}>>) -> ()
// CHECK-NEXT: func.func private @handles(!pld.comm_ctx, !pld.window_buffer, !pl.task_id) -> ()
// CHECK-NEXT: func.func private @tiles(!pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32, {valid_shape = array<i64: 1, 32>}>>) -> ()
