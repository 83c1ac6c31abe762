// The exchange of chip_pipeline.mlir on the host rail: stage, exchange and consume are three dispatches per
// device, and the collective stands in the host body.
//
//   pld-opt %s -p materialize-comm-domain-scopes,lower-host-tensor-collectives
//   pld-run %s --ranks 2
//
// On this rail all operands are windows: a device writes into its own by one dispatch, and the exchange is
// another, which the host orders behind it.

// Stages the rows to send: copies them, and says that destination d gets d + 1 of its 4 rows.
func.func @stage_step(%inp: tensor<8x64xf32>, %stage: tensor<8x64xf32> {pl.dir = "out"}, %counts: tensor<2x1xi32> {pl.dir = "out"})
    -> (tensor<8x64xf32>, tensor<2x1xi32>) attributes {pl.func_type = "incore"} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = pl.tile.load %inp[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
    %0 = pl.tile.store %row into %stage[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
  }
  %c0_1 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1_1 = arith.constant 1 : index
  scf.for %d = %c0_1 to %c2 step %c1_1 {
    %c1_2 = arith.constant 1 : index
    %1 = arith.addi %d, %c1_2 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = pl.tensor.write %2 into %counts[%d, 0] : i32, tensor<2x1xi32>
  }
  func.return %stage, %counts : tensor<8x64xf32>, tensor<2x1xi32>
}

// Consumes what arrived: from each source the rows that it sent, and no others.
func.func @consume_step(%data: !pld.dist_tensor<tensor<8x64xf32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"})
    -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  scf.for %s = %c0 to %c2 step %c1 {
    %arrived = pl.tensor.read %recv[%s, 0] : !pld.dist_tensor<tensor<2x1xi32>> -> i32
    %c4 = arith.constant 4 : index
    %first = arith.muli %s, %c4 : index
    %c0_1 = arith.constant 0 : index
    %0 = arith.index_cast %arrived : i32 to index
    %c1_1 = arith.constant 1 : index
    scf.for %k = %c0_1 to %0 step %c1_1 {
      %i = arith.addi %first, %k : index
      %row = pl.tile.load %data[%i, 0] [1, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<1x64xf32>>
      %1 = pl.tile.store %row into %out[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
    }
  }
  func.return %out : tensor<8x64xf32>
}

// The two pipelines around the exchange.
func.func @stage(%inp: tensor<8x64xf32>, %staged: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "out"}, %counts: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "out"})
    attributes {pl.func_type = "orchestration"} {
  %0, %1 = pl.call @stage_step(%inp, %staged, %counts)
    : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>) -> (tensor<8x64xf32>, tensor<2x1xi32>)
  func.return
}
func.func @consume(%data: !pld.dist_tensor<tensor<8x64xf32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @consume_step(%data, %recv, %out)
    : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

// The host: five windows on every device; the exchange is one operation for all of them.
func.func @host(%inputs: tensor<2x8x64xf32>, %outputs: tensor<2x8x64xf32> {pl.dir = "out"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c2048 = arith.constant 2048 : index
  %staged_buf = pld.tensor.alloc_window_buffer %c2048 {name = "staged_buf"} : !pld.window_buffer
  %staged = pld.tensor.window %staged_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
  %c2048_1 = arith.constant 2048 : index
  %data_buf = pld.tensor.alloc_window_buffer %c2048_1 {name = "data_buf"} : !pld.window_buffer
  %data = pld.tensor.window %data_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
  %c32 = arith.constant 32 : index
  %signal_buf = pld.tensor.alloc_window_buffer %c32 {name = "signal_buf"} : !pld.window_buffer
  %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xi32>>
  %c8 = arith.constant 8 : index
  %counts_buf = pld.tensor.alloc_window_buffer %c8 {name = "counts_buf"} : !pld.window_buffer
  %counts = pld.tensor.window %counts_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %c8_1 = arith.constant 8 : index
  %recv_buf = pld.tensor.alloc_window_buffer %c8_1 {name = "recv_buf"} : !pld.window_buffer
  %recv = pld.tensor.window %recv_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %c0 = arith.constant 0 : index
  %0 = pld.system.world_size : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %0 step %c1 {
    %1 = pl.tensor.slice %inputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %2 = pl.tensor.view %1 : tensor<1x8x64xf32> -> tensor<8x64xf32>
    pl.call @stage(%2, %staged, %counts) device(%r)
      : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>) -> ()
  }
  %c4 = arith.constant 4 : index
  %data2 = pld.tensor.all_to_all_v %staged, %data, %signal, %counts, %recv core_num(%c4)
    : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  %c0_1 = arith.constant 0 : index
  %3 = pld.system.world_size : index
  %c1_1 = arith.constant 1 : index
  scf.for %r_1 = %c0_1 to %3 step %c1_1 {
    %4 = pl.tensor.slice %outputs[%r_1, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %5 = pl.tensor.view %4 : tensor<1x8x64xf32> -> tensor<8x64xf32>
    pl.call @consume(%data2, %recv, %5) device(%r_1)
      : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> ()
  }
  func.return
}
