// RUN: pld-opt %S/../../examples/incore_rail.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops | filecheck %s --check-prefix=COMPOSITE
// RUN: pld-opt %S/../../examples/incore_rail.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefix=CTX
// RUN: pld-opt %S/../../examples/incore_rail.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-dist-tensor-ctx,canonicalize | filecheck %s --check-prefix=END
// RUN: pld-opt %S/../../examples/incore_rail.mlir -p pld-default-pipeline | filecheck %s --check-prefix=END
// RUN: pld-opt %S/../../examples/incore_rail.mlir -p pld-default-pipeline,pld-default-pipeline | filecheck %s --check-prefix=END

// The kernel after each pass that changes it; the whole pipeline ends there, and a second run changes nothing.

// After lower-composite-ops.

// COMPOSITE-LABEL: func.func @exchange_step(%staged: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %total: !pld.dist_tensor<tensor<2x64xf32>> {pl.dir = "inout"}) attributes {pl.func_type = "incore"} {
// COMPOSITE-NEXT:    %ctx = pld.system.get_comm_ctx %signal : !pld.dist_tensor<tensor<2x1xi32>>
// COMPOSITE-NEXT:    %me = pld.system.rank %ctx : i32
// COMPOSITE-NEXT:    %mine = arith.index_cast %me : i32 to index
// COMPOSITE-NEXT:    %c0 = arith.constant 0 : index
// COMPOSITE-NEXT:    %c2 = arith.constant 2 : index
// COMPOSITE-NEXT:    %c1 = arith.constant 1 : index
// COMPOSITE-NEXT:    %n1 = arith.constant 1 : i32
// COMPOSITE-NEXT:    scf.for %d = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      %peer = arith.index_cast %d : index to i32
// COMPOSITE-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    scf.for %s = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      pld.system.wait %signal[%s, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %c4 = arith.constant 4 : index
// COMPOSITE-NEXT:    %my_block = arith.muli %mine, %c4 : index
// COMPOSITE-NEXT:    %n0 = arith.constant 0 : i32
// COMPOSITE-NEXT:    %n4 = arith.constant 4 : i32
// COMPOSITE-NEXT:    scf.for %d_1 = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      %peer_1 = arith.index_cast %d_1 : index to i32
// COMPOSITE-NEXT:      %wanted = pl.tensor.read %counts[%d_1, 0] : tensor<2x1xi32> -> i32
// COMPOSITE-NEXT:      %positive = arith.maxsi %wanted, %n0 : i32
// COMPOSITE-NEXT:      %count = arith.minsi %positive, %n4 : i32
// COMPOSITE-NEXT:      pld.system.notify %recv[%mine, 0] peer(%peer_1) value(%count) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:      %some = arith.cmpi sgt, %count, %n0 : i32
// COMPOSITE-NEXT:      scf.if %some {
// COMPOSITE-NEXT:        %first = arith.muli %d_1, %c4 : index
// COMPOSITE-NEXT:        %rows = arith.index_cast %count : i32 to index
// COMPOSITE-NEXT:        pld.tile.put %staged[%first, 0] into %data[%my_block, 0] [%rows, 64] peer(%peer_1) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
// COMPOSITE-NEXT:      }
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    scf.for %d_2 = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      %peer_2 = arith.index_cast %d_2 : index to i32
// COMPOSITE-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %n2 = arith.constant 2 : i32
// COMPOSITE-NEXT:    scf.for %s_1 = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      pld.system.wait %signal[%s_1, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %minus2 = arith.constant -2 : i32
// COMPOSITE-NEXT:    scf.for %s_2 = %c0 to %c2 step %c1 {
// COMPOSITE-NEXT:      pld.system.notify %signal[%s_2, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %first_1 = pl.tile.load %data[0, 0] [2, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<2x64xf32>>
// COMPOSITE-NEXT:    %0 = pl.tile.store %first_1 into %total[0, 0] : !pl.tile<tensor<2x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// COMPOSITE-NEXT:    %ctx_1 = pld.system.get_comm_ctx %signal : !pld.dist_tensor<tensor<2x1xi32>>
// COMPOSITE-NEXT:    %me_1 = pld.system.rank %ctx_1 : i32
// COMPOSITE-NEXT:    %mine_1 = arith.index_cast %me_1 : i32 to index
// COMPOSITE-NEXT:    %c0_1 = arith.constant 0 : index
// COMPOSITE-NEXT:    %c2_1 = arith.constant 2 : index
// COMPOSITE-NEXT:    %c1_1 = arith.constant 1 : index
// COMPOSITE-NEXT:    %n1_1 = arith.constant 1 : i32
// COMPOSITE-NEXT:    scf.for %d_3 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:      %peer_3 = arith.index_cast %d_3 : index to i32
// COMPOSITE-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_3) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    scf.for %s_3 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:      pld.system.wait %signal[%s_3, 0] expected(%n1_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %n0_1 = arith.constant 0 : i32
// COMPOSITE-NEXT:    scf.for %row = %mine_1 to %c2_1 step %c2_1 {
// COMPOSITE-NEXT:      %acc = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%n0_1) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// COMPOSITE-NEXT:      %acc_1 = scf.for %s_4 = %c1_1 to %c2_1 step %c1_1 iter_args(%acc_2 = %acc) -> (!pl.tile<tensor<1x64xf32>>) {
// COMPOSITE-NEXT:        %peer_4 = arith.index_cast %s_4 : index to i32
// COMPOSITE-NEXT:        %part = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%peer_4) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// COMPOSITE-NEXT:        %acc_3 = pl.tile.add %acc_2, %part : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
// COMPOSITE-NEXT:        scf.yield %acc_3 : !pl.tile<tensor<1x64xf32>>
// COMPOSITE-NEXT:      }
// COMPOSITE-NEXT:      scf.for %d_4 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:        %peer_5 = arith.index_cast %d_4 : index to i32
// COMPOSITE-NEXT:        pld.tile.remote_store %acc_1 into %total[%row, 0] peer(%peer_5) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// COMPOSITE-NEXT:      }
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    scf.for %d_5 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:      %peer_6 = arith.index_cast %d_5 : index to i32
// COMPOSITE-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_6) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %n2_1 = arith.constant 2 : i32
// COMPOSITE-NEXT:    scf.for %s_5 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:      pld.system.wait %signal[%s_5, 0] expected(%n2_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    %minus2_1 = arith.constant -2 : i32
// COMPOSITE-NEXT:    scf.for %s_6 = %c0_1 to %c2_1 step %c1_1 {
// COMPOSITE-NEXT:      pld.system.notify %signal[%s_6, 0] peer(%me_1) value(%minus2_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// COMPOSITE-NEXT:    }
// COMPOSITE-NEXT:    func.return
// COMPOSITE-NEXT:  }

// After materialize-dist-tensor-ctx.

// CTX-LABEL: func.func @exchange_step(%staged: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %total: !pld.dist_tensor<tensor<2x64xf32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}, %total_ctx: !pld.comm_ctx {pld.ctx_of = 5 : index}) attributes {pl.func_type = "incore"} {
// CTX-NEXT:    %me = pld.system.rank %signal_ctx : i32
// CTX-NEXT:    %mine = arith.index_cast %me : i32 to index
// CTX-NEXT:    %c0 = arith.constant 0 : index
// CTX-NEXT:    %c2 = arith.constant 2 : index
// CTX-NEXT:    %c1 = arith.constant 1 : index
// CTX-NEXT:    %n1 = arith.constant 1 : i32
// CTX-NEXT:    scf.for %d = %c0 to %c2 step %c1 {
// CTX-NEXT:      %peer = arith.index_cast %d : index to i32
// CTX-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    scf.for %s = %c0 to %c2 step %c1 {
// CTX-NEXT:      pld.system.wait %signal[%s, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CTX-NEXT:    }
// CTX-NEXT:    %c4 = arith.constant 4 : index
// CTX-NEXT:    %my_block = arith.muli %mine, %c4 : index
// CTX-NEXT:    %n0 = arith.constant 0 : i32
// CTX-NEXT:    %n4 = arith.constant 4 : i32
// CTX-NEXT:    scf.for %d_1 = %c0 to %c2 step %c1 {
// CTX-NEXT:      %peer_1 = arith.index_cast %d_1 : index to i32
// CTX-NEXT:      %wanted = pl.tensor.read %counts[%d_1, 0] : tensor<2x1xi32> -> i32
// CTX-NEXT:      %positive = arith.maxsi %wanted, %n0 : i32
// CTX-NEXT:      %count = arith.minsi %positive, %n4 : i32
// CTX-NEXT:      pld.system.notify %recv[%mine, 0] peer(%peer_1) value(%count) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:      %some = arith.cmpi sgt, %count, %n0 : i32
// CTX-NEXT:      scf.if %some {
// CTX-NEXT:        %first = arith.muli %d_1, %c4 : index
// CTX-NEXT:        %rows = arith.index_cast %count : i32 to index
// CTX-NEXT:        pld.tile.put %staged[%first, 0] into %data[%my_block, 0] [%rows, 64] peer(%peer_1) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
// CTX-NEXT:      }
// CTX-NEXT:    }
// CTX-NEXT:    scf.for %d_2 = %c0 to %c2 step %c1 {
// CTX-NEXT:      %peer_2 = arith.index_cast %d_2 : index to i32
// CTX-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    %n2 = arith.constant 2 : i32
// CTX-NEXT:    scf.for %s_1 = %c0 to %c2 step %c1 {
// CTX-NEXT:      pld.system.wait %signal[%s_1, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CTX-NEXT:    }
// CTX-NEXT:    %minus2 = arith.constant -2 : i32
// CTX-NEXT:    scf.for %s_2 = %c0 to %c2 step %c1 {
// CTX-NEXT:      pld.system.notify %signal[%s_2, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    %first_1 = pl.tile.load %data[0, 0] [2, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<2x64xf32>>
// CTX-NEXT:    %0 = pl.tile.store %first_1 into %total[0, 0] : !pl.tile<tensor<2x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// CTX-NEXT:    %me_1 = pld.system.rank %signal_ctx : i32
// CTX-NEXT:    %mine_1 = arith.index_cast %me_1 : i32 to index
// CTX-NEXT:    %c0_1 = arith.constant 0 : index
// CTX-NEXT:    %c2_1 = arith.constant 2 : index
// CTX-NEXT:    %c1_1 = arith.constant 1 : index
// CTX-NEXT:    %n1_1 = arith.constant 1 : i32
// CTX-NEXT:    scf.for %d_3 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:      %peer_3 = arith.index_cast %d_3 : index to i32
// CTX-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_3) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    scf.for %s_3 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:      pld.system.wait %signal[%s_3, 0] expected(%n1_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CTX-NEXT:    }
// CTX-NEXT:    %n0_1 = arith.constant 0 : i32
// CTX-NEXT:    scf.for %row = %mine_1 to %c2_1 step %c2_1 {
// CTX-NEXT:      %acc = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%n0_1) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// CTX-NEXT:      %acc_1 = scf.for %s_4 = %c1_1 to %c2_1 step %c1_1 iter_args(%acc_2 = %acc) -> (!pl.tile<tensor<1x64xf32>>) {
// CTX-NEXT:        %peer_4 = arith.index_cast %s_4 : index to i32
// CTX-NEXT:        %part = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%peer_4) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// CTX-NEXT:        %acc_3 = pl.tile.add %acc_2, %part : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
// CTX-NEXT:        scf.yield %acc_3 : !pl.tile<tensor<1x64xf32>>
// CTX-NEXT:      }
// CTX-NEXT:      scf.for %d_4 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:        %peer_5 = arith.index_cast %d_4 : index to i32
// CTX-NEXT:        pld.tile.remote_store %acc_1 into %total[%row, 0] peer(%peer_5) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// CTX-NEXT:      }
// CTX-NEXT:    }
// CTX-NEXT:    scf.for %d_5 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:      %peer_6 = arith.index_cast %d_5 : index to i32
// CTX-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_6) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    %n2_1 = arith.constant 2 : i32
// CTX-NEXT:    scf.for %s_5 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:      pld.system.wait %signal[%s_5, 0] expected(%n2_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CTX-NEXT:    }
// CTX-NEXT:    %minus2_1 = arith.constant -2 : i32
// CTX-NEXT:    scf.for %s_6 = %c0_1 to %c2_1 step %c1_1 {
// CTX-NEXT:      pld.system.notify %signal[%s_6, 0] peer(%me_1) value(%minus2_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CTX-NEXT:    }
// CTX-NEXT:    func.return
// CTX-NEXT:  }

// After canonicalize.

// END-LABEL: func.func @exchange_step(%staged: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %total: !pld.dist_tensor<tensor<2x64xf32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}, %total_ctx: !pld.comm_ctx {pld.ctx_of = 5 : index}) attributes {pl.func_type = "incore"} {
// END-NEXT:    %me = pld.system.rank %signal_ctx : i32
// END-NEXT:    %mine = arith.index_cast %me : i32 to index
// END-NEXT:    %c0 = arith.constant 0 : index
// END-NEXT:    %c2 = arith.constant 2 : index
// END-NEXT:    %c1 = arith.constant 1 : index
// END-NEXT:    %n1 = arith.constant 1 : i32
// END-NEXT:    scf.for %d = %c0 to %c2 step %c1 {
// END-NEXT:      %peer = arith.index_cast %d : index to i32
// END-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    scf.for %s = %c0 to %c2 step %c1 {
// END-NEXT:      pld.system.wait %signal[%s, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// END-NEXT:    }
// END-NEXT:    %c4 = arith.constant 4 : index
// END-NEXT:    %my_block = arith.muli %mine, %c4 : index
// END-NEXT:    %n0 = arith.constant 0 : i32
// END-NEXT:    %n4 = arith.constant 4 : i32
// END-NEXT:    scf.for %d_1 = %c0 to %c2 step %c1 {
// END-NEXT:      %peer_1 = arith.index_cast %d_1 : index to i32
// END-NEXT:      %wanted = pl.tensor.read %counts[%d_1, 0] : tensor<2x1xi32> -> i32
// END-NEXT:      %positive = arith.maxsi %wanted, %n0 : i32
// END-NEXT:      %count = arith.minsi %positive, %n4 : i32
// END-NEXT:      pld.system.notify %recv[%mine, 0] peer(%peer_1) value(%count) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:      %some = arith.cmpi sgt, %count, %n0 : i32
// END-NEXT:      scf.if %some {
// END-NEXT:        %first = arith.muli %d_1, %c4 : index
// END-NEXT:        %rows = arith.index_cast %count : i32 to index
// END-NEXT:        pld.tile.put %staged[%first, 0] into %data[%my_block, 0] [%rows, 64] peer(%peer_1) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>
// END-NEXT:      }
// END-NEXT:    }
// END-NEXT:    scf.for %d_2 = %c0 to %c2 step %c1 {
// END-NEXT:      %peer_2 = arith.index_cast %d_2 : index to i32
// END-NEXT:      pld.system.notify %signal[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    %n2 = arith.constant 2 : i32
// END-NEXT:    scf.for %s_1 = %c0 to %c2 step %c1 {
// END-NEXT:      pld.system.wait %signal[%s_1, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// END-NEXT:    }
// END-NEXT:    %minus2 = arith.constant -2 : i32
// END-NEXT:    scf.for %s_2 = %c0 to %c2 step %c1 {
// END-NEXT:      pld.system.notify %signal[%s_2, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    %first_1 = pl.tile.load %data[0, 0] [2, 64] : !pld.dist_tensor<tensor<8x64xf32>> -> !pl.tile<tensor<2x64xf32>>
// END-NEXT:    %0 = pl.tile.store %first_1 into %total[0, 0] : !pl.tile<tensor<2x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// END-NEXT:    %me_1 = pld.system.rank %signal_ctx : i32
// END-NEXT:    %mine_1 = arith.index_cast %me_1 : i32 to index
// END-NEXT:    %c0_1 = arith.constant 0 : index
// END-NEXT:    %c2_1 = arith.constant 2 : index
// END-NEXT:    %c1_1 = arith.constant 1 : index
// END-NEXT:    %n1_1 = arith.constant 1 : i32
// END-NEXT:    scf.for %d_3 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:      %peer_3 = arith.index_cast %d_3 : index to i32
// END-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_3) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    scf.for %s_3 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:      pld.system.wait %signal[%s_3, 0] expected(%n1_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// END-NEXT:    }
// END-NEXT:    %n0_1 = arith.constant 0 : i32
// END-NEXT:    scf.for %row = %mine_1 to %c2_1 step %c2_1 {
// END-NEXT:      %acc = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%n0_1) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// END-NEXT:      %peer_4 = arith.index_cast %c1_1 : index to i32
// END-NEXT:      %part = pld.tile.remote_load %total[%row, 0] [1, 64] peer(%peer_4) : !pld.dist_tensor<tensor<2x64xf32>> -> !pl.tile<tensor<1x64xf32>>
// END-NEXT:      %acc_1 = pl.tile.add %acc, %part : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
// END-NEXT:      scf.for %d_4 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:        %peer_5 = arith.index_cast %d_4 : index to i32
// END-NEXT:        pld.tile.remote_store %acc_1 into %total[%row, 0] peer(%peer_5) : !pl.tile<tensor<1x64xf32>>, !pld.dist_tensor<tensor<2x64xf32>>
// END-NEXT:      }
// END-NEXT:    }
// END-NEXT:    scf.for %d_5 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:      %peer_6 = arith.index_cast %d_5 : index to i32
// END-NEXT:      pld.system.notify %signal[%mine_1, 0] peer(%peer_6) value(%n1_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    %n2_1 = arith.constant 2 : i32
// END-NEXT:    scf.for %s_4 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:      pld.system.wait %signal[%s_4, 0] expected(%n2_1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// END-NEXT:    }
// END-NEXT:    %minus2_1 = arith.constant -2 : i32
// END-NEXT:    scf.for %s_5 = %c0_1 to %c2_1 step %c1_1 {
// END-NEXT:      pld.system.notify %signal[%s_5, 0] peer(%me_1) value(%minus2_1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// END-NEXT:    }
// END-NEXT:    func.return
// END-NEXT:  }
