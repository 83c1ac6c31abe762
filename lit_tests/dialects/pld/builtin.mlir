// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// What the host rail emits: one dispatch a device, for each collective.

func.func @host(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) core_num(%n) {arg_directions = ["input", "inout", "inout", "input", "inout"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
  pld.builtin.all_to_all %in, %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.allgather %in, %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.allreduce %tgt, %sig device(%r) core_num(%n) {op = "sum", mode = "ring"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.allreduce %tgt, %sig device(%r) {op = "max"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.reduce_scatter %tgt, %sig device(%r) {op = "sum"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.broadcast %tgt, %sig device(%r) {root = 1 : i64} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.broadcast %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
  pld.builtin.barrier %sig device(%r) {user = 1 : i32, arg_directions = ["inout"]} : (!pld.dist_tensor<tensor<2x4xi32>>)
  func.return
}

// CHECK: func.func @host(%in: !pld.dist_tensor<tensor<8x64xf32>>, %tgt: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x4xi32>>, %sc: !pld.dist_tensor<tensor<2x1xi32>>, %rc: !pld.dist_tensor<tensor<2x1xi32>>, %r: index, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT: pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) core_num(%n) {arg_directions = ["input", "inout", "inout", "input", "inout"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT: pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT: pld.builtin.all_to_all %in, %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.allgather %in, %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.allreduce %tgt, %sig device(%r) core_num(%n) {op = "sum", mode = "ring"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.allreduce %tgt, %sig device(%r) {op = "max"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.reduce_scatter %tgt, %sig device(%r) {op = "sum"} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.broadcast %tgt, %sig device(%r) {root = 1 : i64} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.broadcast %tgt, %sig device(%r) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: pld.builtin.barrier %sig device(%r) {user = 1 : i32, arg_directions = ["inout"]} : (!pld.dist_tensor<tensor<2x4xi32>>)
// CHECK-NEXT: func.return
// CHECK-NEXT: }
