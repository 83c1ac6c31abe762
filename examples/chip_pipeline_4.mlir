// An exchange between four ranks, as its author writes it: a chip pipeline of three steps (stage,
// exchange, consume) and the host that dispatches it once per device.
//
//   pld-opt %s -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx
//
// Every rank sends rows to each of the 4 ranks, at most 4 of 64 elements to one.

// Stages the rows to send: copies them, and says that destination d gets d + 1 of its 4 rows.
func.func @stage_step(%inp: tensor<16x64xf32>, %stage: tensor<16x64xf32> {pl.dir = "out"}, %counts: tensor<4x1xi32> {pl.dir = "out"})
    -> (tensor<16x64xf32>, tensor<4x1xi32>) attributes {pl.func_type = "incore"} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %row = pl.tile.load %inp[%i, 0] [1, 64] : tensor<16x64xf32> -> !pl.tile<tensor<1x64xf32>>
    %0 = pl.tile.store %row into %stage[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<16x64xf32>
  }
  %c0_1 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1_1 = arith.constant 1 : index
  scf.for %d = %c0_1 to %c4 step %c1_1 {
    %c1_2 = arith.constant 1 : index
    %1 = arith.addi %d, %c1_2 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = pl.tensor.write %2 into %counts[%d, 0] : i32, tensor<4x1xi32>
  }
  func.return %stage, %counts : tensor<16x64xf32>, tensor<4x1xi32>
}

// Consumes what arrived: from each source the rows that it sent, and no others.
func.func @consume_step(%data: !pld.dist_tensor<tensor<16x64xf32>>, %recv: !pld.dist_tensor<tensor<4x1xi32>>, %out: tensor<16x64xf32> {pl.dir = "out"})
    -> tensor<16x64xf32> attributes {pl.func_type = "incore"} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %s = %c0 to %c4 step %c1 {
    %arrived = pl.tensor.read %recv[%s, 0] : !pld.dist_tensor<tensor<4x1xi32>> -> i32
    %c4_1 = arith.constant 4 : index
    %first = arith.muli %s, %c4_1 : index
    %c0_1 = arith.constant 0 : index
    %0 = arith.index_cast %arrived : i32 to index
    %c1_1 = arith.constant 1 : index
    scf.for %k = %c0_1 to %0 step %c1_1 {
      %i = arith.addi %first, %k : index
      %row = pl.tile.load %data[%i, 0] [1, 64] : !pld.dist_tensor<tensor<16x64xf32>> -> !pl.tile<tensor<1x64xf32>>
      %1 = pl.tile.store %row into %out[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<16x64xf32>
    }
  }
  func.return %out : tensor<16x64xf32>
}

// The chip pipeline of one card. The collective is an operation like any other.
func.func @chip_pipeline(%inp: tensor<16x64xf32>, %out: tensor<16x64xf32> {pl.dir = "out"}, %stage: tensor<16x64xf32> {pl.dir = "inout"},
    %data: !pld.dist_tensor<tensor<16x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<4x4xi32>> {pl.dir = "inout"},
    %counts: tensor<4x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<4x1xi32>> {pl.dir = "inout"})
    -> tensor<16x64xf32> attributes {pl.func_type = "orchestration"} {
  %stage2, %counts2 = pl.call @stage_step(%inp, %stage, %counts)
    : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<4x1xi32>) -> (tensor<16x64xf32>, tensor<4x1xi32>)
  %c4 = arith.constant 4 : index
  %data2 = pld.tensor.all_to_all_v %stage2, %data, %signal, %counts2, %recv core_num(%c4)
    : tensor<16x64xf32>, !pld.dist_tensor<tensor<16x64xf32>>, !pld.dist_tensor<tensor<4x4xi32>>, tensor<4x1xi32>, !pld.dist_tensor<tensor<4x1xi32>>
  %out2 = pl.call @consume_step(%data2, %recv, %out)
    : (!pld.dist_tensor<tensor<16x64xf32>>, !pld.dist_tensor<tensor<4x1xi32>>, tensor<16x64xf32>) -> tensor<16x64xf32>
  func.return %out2 : tensor<16x64xf32>
}

// The host: three windows on every device, one dispatch per device.
func.func @host(%inputs: tensor<4x16x64xf32>, %stages: tensor<4x16x64xf32> {pl.dir = "inout"},
    %counts: tensor<4x4x1xi32> {pl.dir = "inout"}, %outputs: tensor<4x16x64xf32> {pl.dir = "out"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c4096 = arith.constant 4096 : index
  %data_buf = pld.tensor.alloc_window_buffer %c4096 {name = "data_buf"} : !pld.window_buffer
  %c64 = arith.constant 64 : index
  %signal_buf = pld.tensor.alloc_window_buffer %c64 {name = "signal_buf"} : !pld.window_buffer
  %c16 = arith.constant 16 : index
  %recv_buf = pld.tensor.alloc_window_buffer %c16 {name = "recv_buf"} : !pld.window_buffer
  %c0 = arith.constant 0 : index
  %0 = pld.system.world_size : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %0 step %c1 {
    %data = pld.tensor.window %data_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<16x64xf32>>
    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x4xi32>>
    %recv = pld.tensor.window %recv_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x1xi32>>
    %1 = pl.tensor.slice %inputs[%r, 0, 0] [1, 16, 64] : tensor<4x16x64xf32> -> tensor<1x16x64xf32>
    %2 = pl.tensor.view %1 : tensor<1x16x64xf32> -> tensor<16x64xf32>
    %3 = pl.tensor.slice %outputs[%r, 0, 0] [1, 16, 64] : tensor<4x16x64xf32> -> tensor<1x16x64xf32>
    %4 = pl.tensor.view %3 : tensor<1x16x64xf32> -> tensor<16x64xf32>
    %5 = pl.tensor.slice %stages[%r, 0, 0] [1, 16, 64] : tensor<4x16x64xf32> -> tensor<1x16x64xf32>
    %6 = pl.tensor.view %5 : tensor<1x16x64xf32> -> tensor<16x64xf32>
    %7 = pl.tensor.slice %counts[%r, 0, 0] [1, 4, 1] : tensor<4x4x1xi32> -> tensor<1x4x1xi32>
    %8 = pl.tensor.view %7 : tensor<1x4x1xi32> -> tensor<4x1xi32>
    %9 = pl.call @chip_pipeline(%2, %4, %6, %data, %signal, %8, %recv) device(%r)
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, !pld.dist_tensor<tensor<16x64xf32>>, !pld.dist_tensor<tensor<4x4xi32>>, tensor<4x1xi32>, !pld.dist_tensor<tensor<4x1xi32>>) -> tensor<16x64xf32>
  }
  func.return
}
