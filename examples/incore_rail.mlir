// The same exchange on the InCore rail: one kernel stages, exchanges and consumes, and the collectives in it
// are written out as notify, wait and put.
//
//   pld-opt %s -p lower-composite-ops
//   pld-run %s --ranks 2 -p lower-composite-ops
//
// An allreduce on the same signal follows: a signal clears itself and serves any number of collectives.

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

func.func @exchange_step(%staged: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"},
    %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %total: !pld.dist_tensor<tensor<2x64xf32>> {pl.dir = "inout"}) attributes {pl.func_type = "incore"} {
  %data2 = pld.tensor.all_to_all_v %staged, %data, %signal, %counts, %recv
    : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %first = pl.tile.load %data2[0, 0] [2, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<2x64xf32>>
  %0 = pl.tile.store %first into %total[0, 0] : !pl.tile<tensor<2x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
  %1 = pld.tensor.allreduce %total, %signal {op = "sum"} : !pld.dist_tensor<tensor<2x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"},
    %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"},
    %total: !pld.dist_tensor<tensor<2x64xf32>> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %stage2, %counts2 = pl.call @stage_step(%inp, %stage, %counts)
    : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>)
  pl.call @exchange_step(%stage2, %data, %signal, %counts2, %recv, %total)
    : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x64xf32>>) -> ()
  %0 = pl.call @consume_step(%data, %recv, %out)
    : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> tensor<8x64xf32>
  func.return
}

func.func @host(%inputs: tensor<2x8x64xf32>, %stages: tensor<2x8x64xf32> {pl.dir = "inout"},
    %counts: tensor<2x2x1xi32> {pl.dir = "inout"}, %outputs: tensor<2x8x64xf32> {pl.dir = "out"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c2048 = arith.constant 2048 : index
  %data_buf = pld.tensor.alloc_window_buffer %c2048 {name = "data_buf"} : !pld.window_buffer
  %data = pld.tensor.window %data_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
  %c8 = arith.constant 8 : index
  %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
  %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %c8_1 = arith.constant 8 : index
  %recv_buf = pld.tensor.alloc_window_buffer %c8_1 {name = "recv_buf"} : !pld.window_buffer
  %recv = pld.tensor.window %recv_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %c512 = arith.constant 512 : index
  %total_buf = pld.tensor.alloc_window_buffer %c512 {name = "total_buf"} : !pld.window_buffer
  %total = pld.tensor.window %total_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x64xf32>>
  %c0 = arith.constant 0 : index
  %0 = pld.system.world_size : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %0 step %c1 {
    %1 = pl.tensor.slice %inputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %2 = pl.tensor.view %1 : tensor<1x8x64xf32> -> tensor<8x64xf32>
    %3 = pl.tensor.slice %outputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %4 = pl.tensor.view %3 : tensor<1x8x64xf32> -> tensor<8x64xf32>
    %5 = pl.tensor.slice %stages[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %6 = pl.tensor.view %5 : tensor<1x8x64xf32> -> tensor<8x64xf32>
    %7 = pl.tensor.slice %counts[%r, 0, 0] [1, 2, 1] : tensor<2x2x1xi32> -> tensor<1x2x1xi32>
    %8 = pl.tensor.view %7 : tensor<1x2x1xi32> -> tensor<2x1xi32>
    pl.call @chip_pipeline(%2, %4, %6, %8, %data, %signal, %recv, %total) device(%r)
      : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x64xf32>>) -> ()
  }
  func.return
}
