// Two communication domains that overlap: devices 0 and 1 reduce `left`, devices 1 and 2 reduce `right`. Device 1
// is rank 1 of the first and rank 0 of the second.
//
//   pld-opt %s -p synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives
//   pld-run %s --ranks 3 -p synthesize-allreduce-signals,materialize-comm-domain-scopes
//
// The domains follow from the dispatches; nobody writes them. The first allreduce has no signal and gets one.

func.func @fill(%from: tensor<2x4xf32>, %window: !pld.dist_tensor<tensor<2x4xf32>> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  %filled = pl.call @fill_step(%from, %window) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> tensor<2x4xf32>
  func.return
}
func.func @fill_step(%from: tensor<2x4xf32>, %to: tensor<2x4xf32> {pl.dir = "out"}) -> tensor<2x4xf32> attributes {pl.func_type = "incore"} {
  %tile = pl.tile.load %from[0, 0] [2, 4] : tensor<2x4xf32> -> !pl.tile<tensor<2x4xf32>>
  %stored = pl.tile.store %tile into %to[0, 0] : !pl.tile<tensor<2x4xf32>>, tensor<2x4xf32>
  func.return %to : tensor<2x4xf32>
}
func.func @keep(%window: !pld.dist_tensor<tensor<2x4xf32>>, %to: tensor<2x4xf32> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  %kept = pl.call @fill_step(%window, %to) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %data_bytes = arith.constant 32 : index
  %signal_bytes = arith.constant 8 : index
  %left_buf = pld.tensor.alloc_window_buffer %data_bytes {name = "left"} : !pld.window_buffer
  %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
  %right_buf = pld.tensor.alloc_window_buffer %data_bytes {name = "right"} : !pld.window_buffer
  %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
  %signal_buf = pld.tensor.alloc_window_buffer %signal_bytes {name = "right_signal"} : !pld.window_buffer
  %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    %own = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<2x4xf32>
    pl.call @fill(%own, %left) device(%r) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
  }
  scf.for %r = %c1 to %c3 step %c1 {
    %own = pl.tensor.slice %rights[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<2x4xf32>
    pl.call @fill(%own, %right) device(%r) : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
  }
  %left_sum = pld.tensor.allreduce %left {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>
  %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    %out = pl.tensor.slice %sums[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<2x4xf32>
    pl.call @keep(%left_sum, %out) device(%r) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
  }
  %last = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<2x4xf32>
  pl.call @keep(%right_sum, %last) device(%c2) : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
  func.return
}
