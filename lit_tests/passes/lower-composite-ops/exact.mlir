// RUN: pld-opt %s -p lower-composite-ops --split-input-file | filecheck %s
// RUN: pld-opt %s -p lower-composite-ops,lower-composite-ops --split-input-file | filecheck %s

// Each collective in a kernel, written out; those of orchestrations stay. A second run changes nothing.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func @all_to_all_v(%in: !T, %d: !D, %s: !S, %c: tensor<2xi32>, %r: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.all_to_all_v %in, %d, %s, %c, %r : !T, !D, !S, tensor<2xi32>, !S
  func.return %h : !D
}
func.func @all_to_all(%in: !T, %d: !D, %s: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.all_to_all %in, %d, %s : !T, !D, !S
  func.return %h : !D
}
func.func @allgather(%in: tensor<2x8xf32>, %d: !D, %s: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.allgather %in, %d, %s : tensor<2x8xf32>, !D, !S
  func.return %h : !D
}
func.func @allreduce(%d: !D, %s: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.allreduce %d, %s {op = "max"} : !D, !S
  func.return %h : !D
}
func.func @reduce_scatter(%d: !D, %s: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.reduce_scatter %d, %s {op = "sum"} : !D, !S
  func.return %h : !D
}
func.func @broadcast(%d: !D, %s: !S) -> !D attributes {pl.func_type = "incore"} {
  %h = pld.tensor.broadcast %d, %s {root = 1 : i64} : !D, !S
  func.return %h : !D
}
func.func @barrier(%s: !S) -> !S attributes {pl.func_type = "incore"} {
  %g = pld.tensor.barrier %s : !S
  func.return %g : !S
}
// The constant 1 is the width of a kernel, and of nothing else.
func.func @width(%d: !D, %s: !S) -> !D attributes {pl.func_type = "aiv"} {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c1 step %c1 {
    %h = pld.tensor.allreduce %d, %s core_num(%c1) {op = "sum"} : !D, !S
  }
  func.return %d : !D
}
// Orchestrations have rails of their own.
func.func @chip(%s: !S) -> !S attributes {pl.func_type = "orchestration"} {
  %g = pld.tensor.barrier %s : !S
  func.return %g : !S
}
func.func @host(%s: !S) -> !S attributes {pl.level = "host", pl.role = "orchestrator"} {
  %g = pld.tensor.barrier %s : !S
  func.return %g : !S
}

// CHECK-LABEL: func.func @all_to_all_v(%in: tensor<4x8xf32>, %d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>, %c: tensor<2xi32>, %r: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %my_block = arith.muli %mine, %c2 : index
// CHECK-NEXT:   %n0 = arith.constant 0 : i32
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_1 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:     %wanted = pl.tensor.read %c[%d_2] : tensor<2xi32> -> i32
// CHECK-NEXT:     %positive = arith.maxsi %wanted, %n0 : i32
// CHECK-NEXT:     %count = arith.minsi %positive, %n2 : i32
// CHECK-NEXT:     pld.system.notify %r[%mine, 0] peer(%peer_1) value(%count) {op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:     %some = arith.cmpi sgt, %count, %n0 : i32
// CHECK-NEXT:     scf.if %some {
// CHECK-NEXT:       %first = arith.muli %d_2, %c2 : index
// CHECK-NEXT:       %rows = arith.index_cast %count : i32 to index
// CHECK-NEXT:       pld.tile.put %in[%first, 0] into %d[%my_block, 0] [%rows, 8] peer(%peer_1) : tensor<4x8xf32>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_2 = arith.index_cast %d_3 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_2, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_3, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @all_to_all(%in: tensor<4x8xf32>, %d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %my_block = arith.muli %mine, %c2 : index
// CHECK-NEXT:   scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_1 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:     %first = arith.muli %d_2, %c2 : index
// CHECK-NEXT:     pld.tile.put %in[%first, 0] into %d[%my_block, 0] [2, 8] peer(%peer_1) : tensor<4x8xf32>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_2 = arith.index_cast %d_3 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %s_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_2, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_3, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @allgather(%in: tensor<2x8xf32>, %d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %my_block = arith.muli %mine, %c2 : index
// CHECK-NEXT:   scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_1 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:     pld.tile.put %in[0, 0] into %d[%my_block, 0] [2, 8] peer(%peer_1) : tensor<2x8xf32>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_2 = arith.index_cast %d_3 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %s_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_2, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_3, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @allreduce(%d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %c4 = arith.constant 4 : index
// CHECK-NEXT:   %n0 = arith.constant 0 : i32
// CHECK-NEXT:   scf.for %row = %mine to %c4 step %c2 {
// CHECK-NEXT:     %acc = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%n0) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:     %acc_1 = scf.for %s_2 = %c1 to %c2 step %c1 iter_args(%acc_2 = %acc) -> (!pl.tile<tensor<1x8xf32>>) {
// CHECK-NEXT:       %peer_1 = arith.index_cast %s_2 : index to i32
// CHECK-NEXT:       %part = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%peer_1) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       %acc_3 = pl.tile.max %acc_2, %part : !pl.tile<tensor<1x8xf32>>, !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       scf.yield %acc_3 : !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:       %peer_2 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:       pld.tile.remote_store %acc_1 into %d[%row, 0] peer(%peer_2) : !pl.tile<tensor<1x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_3 = arith.index_cast %d_3 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_3) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_3, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_4 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_4, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @reduce_scatter(%d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %first = arith.muli %mine, %c2 : index
// CHECK-NEXT:   %end = arith.addi %first, %c2 : index
// CHECK-NEXT:   %n0 = arith.constant 0 : i32
// CHECK-NEXT:   scf.for %row = %first to %end step %c1 {
// CHECK-NEXT:     %acc = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%n0) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:     %acc_1 = scf.for %s_2 = %c1 to %c2 step %c1 iter_args(%acc_2 = %acc) -> (!pl.tile<tensor<1x8xf32>>) {
// CHECK-NEXT:       %peer_1 = arith.index_cast %s_2 : index to i32
// CHECK-NEXT:       %part = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%peer_1) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       %acc_3 = pl.tile.add %acc_2, %part : !pl.tile<tensor<1x8xf32>>, !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       scf.yield %acc_3 : !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = pl.tile.store %acc_1 into %d[%row, 0] : !pl.tile<tensor<1x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_2 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_2) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_3, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_4 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_4, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @broadcast(%d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %elsewhere = arith.cmpi ne, %me, %n1 : i32
// CHECK-NEXT:   scf.if %elsewhere {
// CHECK-NEXT:     pld.tile.get %d[0, 0] into %d[0, 0] [4, 8] peer(%n1) : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %d_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer_1 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer_1) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %n2 = arith.constant 2 : i32
// CHECK-NEXT:   scf.for %s_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_2, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus2 = arith.constant -2 : i32
// CHECK-NEXT:   scf.for %s_3 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_3, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @barrier(%s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:   %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %me = pld.system.rank %ctx : i32
// CHECK-NEXT:   %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %n1 = arith.constant 1 : i32
// CHECK-NEXT:   scf.for %d = %c0 to %c2 step %c1 {
// CHECK-NEXT:     %peer = arith.index_cast %d : index to i32
// CHECK-NEXT:     pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %s_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %minus1 = arith.constant -1 : i32
// CHECK-NEXT:   scf.for %s_2 = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pld.system.notify %s[%s_2, 0] peer(%me) value(%minus1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @width(%d: !pld.dist_tensor<tensor<4x8xf32>>, %s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x8xf32>> attributes {pl.func_type = "aiv"} {
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %i = %c1 to %c1 step %c1 {
// CHECK-NEXT:     %ctx = pld.system.get_comm_ctx %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %me = pld.system.rank %ctx : i32
// CHECK-NEXT:     %mine = arith.index_cast %me : i32 to index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %n1 = arith.constant 1 : i32
// CHECK-NEXT:     scf.for %d_1 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:       %peer = arith.index_cast %d_1 : index to i32
// CHECK-NEXT:       pld.system.notify %s[%mine, 0] peer(%peer) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %s_1 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:       pld.system.wait %s[%s_1, 0] expected(%n1) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %n0 = arith.constant 0 : i32
// CHECK-NEXT:     scf.for %row = %mine to %c4 step %c2 {
// CHECK-NEXT:       %acc = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%n0) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       %acc_1 = scf.for %s_2 = %c1_1 to %c2 step %c1_1 iter_args(%acc_2 = %acc) -> (!pl.tile<tensor<1x8xf32>>) {
// CHECK-NEXT:         %peer_1 = arith.index_cast %s_2 : index to i32
// CHECK-NEXT:         %part = pld.tile.remote_load %d[%row, 0] [1, 8] peer(%peer_1) : !pld.dist_tensor<tensor<4x8xf32>> -> !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:         %acc_3 = pl.tile.add %acc_2, %part : !pl.tile<tensor<1x8xf32>>, !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:         scf.yield %acc_3 : !pl.tile<tensor<1x8xf32>>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.for %d_2 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:         %peer_2 = arith.index_cast %d_2 : index to i32
// CHECK-NEXT:         pld.tile.remote_store %acc_1 into %d[%row, 0] peer(%peer_2) : !pl.tile<tensor<1x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %d_3 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:       %peer_3 = arith.index_cast %d_3 : index to i32
// CHECK-NEXT:       pld.system.notify %s[%mine, 0] peer(%peer_3) value(%n1) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %n2 = arith.constant 2 : i32
// CHECK-NEXT:     scf.for %s_3 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:       pld.system.wait %s[%s_3, 0] expected(%n2) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %minus2 = arith.constant -2 : i32
// CHECK-NEXT:     scf.for %s_4 = %c0 to %c2 step %c1_1 {
// CHECK-NEXT:       pld.system.notify %s[%s_4, 0] peer(%me) value(%minus2) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @chip(%s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>> attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:   %g = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   func.return %g : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @host(%s: !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<2x1xi32>> attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   %g = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   func.return %g : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT: }
