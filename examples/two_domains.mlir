// Two communication domains that overlap: devices 0 and 1 reduce `left`, devices 1 and 2 reduce `right`. Device 1
// is rank 1 of the first and rank 0 of the second.
//
//   pld-opt %s -p synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives
//   pld-run %s
//
// The domains follow from the dispatches; nobody writes them. The first allreduce has no signal and gets one.

func.func @fill(%source: tensor<2x4xf32>, %window: !pld.dist_tensor<tensor<2x4xf32>> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @fill_step(%source, %window) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> tensor<2x4xf32>
  func.return
}
func.func @fill_step(%source: tensor<2x4xf32>, %to: tensor<2x4xf32> {pl.dir = "out"}) -> tensor<2x4xf32> attributes {pl.func_type = "incore"} {
  %tile = pl.tile.load %source[0, 0] [2, 4] : tensor<2x4xf32> -> !pl.tile<tensor<2x4xf32>>
  %0 = pl.tile.store %tile into %to[0, 0] : !pl.tile<tensor<2x4xf32>>, tensor<2x4xf32>
  func.return %to : tensor<2x4xf32>
}
func.func @keep(%window: !pld.dist_tensor<tensor<2x4xf32>>, %to: tensor<2x4xf32> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @fill_step(%window, %to) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c32 = arith.constant 32 : index
  %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
  %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
  %c32_1 = arith.constant 32 : index
  %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
  %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
  %c8 = arith.constant 8 : index
  %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
  %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %c2 step %c1 {
    %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
    %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
    pl.call @fill(%1, %left) device(%r) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
  }
  %c1_1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c1_2 = arith.constant 1 : index
  scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
    %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
    %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
    pl.call @fill(%3, %right) device(%r_1) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
  }
  %left_sum = pld.tensor.allreduce %left {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>
  %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %c0_1 = arith.constant 0 : index
  %c2_1 = arith.constant 2 : index
  %c1_3 = arith.constant 1 : index
  scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
    %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
    %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
    pl.call @keep(%left_sum, %5) device(%r_2) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
  }
  %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
  %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
  %c2_2 = arith.constant 2 : index
  pl.call @keep(%right_sum, %7) device(%c2_2) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
  func.return
}
