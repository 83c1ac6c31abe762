// Lowered by hand: both rails in one host body, a domain of all devices and one of two of them.

func.func @chip(%x: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %n: index, %data_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index})
    -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
  func.return %x : tensor<8x64xf32>
}

func.func @host(%inputs: tensor<2x8x64xf32>, %counts: tensor<2x2x1xi32> {pl.dir = "inout"})
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %bytes = arith.constant 2048 : index
  %few = arith.constant 64 : index
  %devices = pld.system.world_size : index
  pld.comm_domain attributes {name = "comm_d0", slots = ["send", "data", "signal", "sent", "recv"]} {
    %send_buf = pld.tensor.alloc_window_buffer %bytes {name = "send"} : !pld.window_buffer
    %data_buf = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
    %signal_buf = pld.tensor.alloc_window_buffer %few {name = "signal"} : !pld.window_buffer
    %sent_buf = pld.tensor.alloc_window_buffer %few {name = "sent"} : !pld.window_buffer
    %recv_buf = pld.tensor.alloc_window_buffer %few {name = "recv"} : !pld.window_buffer
    %send = pld.tensor.window %send_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
    %data = pld.tensor.window %data_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x8xi32>>
    %sent = pld.tensor.window %sent_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
    %recv = pld.tensor.window %recv_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
    pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 0, 2>, slots = ["other"]} {
      %other_buf = pld.tensor.alloc_window_buffer %bytes {name = "other"} : !pld.window_buffer
      %other = pld.tensor.window %other_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>
      scf.for %r = %c0 to %devices step %c1 {
        %ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<8x64xf32>>
        %box = pl.tensor.slice %inputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
        %x = pl.tensor.view %box : tensor<1x8x64xf32> -> tensor<8x64xf32>
        %twice = arith.addi %r, %r : index
        %y = pl.call @chip(%x, %data, %twice, %ctx) device(%r) {arg_directions = ["input", "inout", "scalar", "scalar"]}
          : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index, !pld.comm_ctx) -> tensor<8x64xf32>
      }
      %other_ctx = pld.system.get_comm_ctx %other : !pld.dist_tensor<tensor<8x64xf32>>
      %x0 = pl.tensor.slice %inputs[0, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<8x64xf32>
      %z = pl.call @chip(%x0, %other, %c10, %other_ctx) device(%c0) {arg_directions = ["input", "inout", "scalar", "scalar"]}
        : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, index, !pld.comm_ctx) -> tensor<8x64xf32>
    }
    scf.for %r = %c0 to %devices step %c1 {
      pld.builtin.all_to_all_v %send, %data, %signal, %sent, %recv device(%r) core_num(%c10) {arg_directions = ["input", "inout", "inout", "input", "inout"]}
        : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x8xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
    }
  }
  func.return
}
