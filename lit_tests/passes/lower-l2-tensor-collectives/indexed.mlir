// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefix=CTX

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>

// The width is exact: 3 of 2 ranks stays 3, where the plain exchange would admit 2.
// CHECK-LABEL: func.func @widths(
// CHECK:         %0 = pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv, %index) : (
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %1 = pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv, %index) core_num(%c3) sync_start : (
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %2 = pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %0, %signal, %counts, %recv, %index) core_num(%c4) sync_start : (
// CTX-LABEL:   func.func @widths(
// CTX:           pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv, %index, %target_ctx, %signal_ctx, %counts_ctx) : (
// CTX:           pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv, %index, %target_ctx, %signal_ctx, %counts_ctx) core_num(%c3) sync_start : (
// CTX:           pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %0, %signal, %counts, %recv, %index, %target_ctx, %signal_ctx, %counts_ctx) core_num(%c4) sync_start : (
func.func @widths(%in: !T, %target: !D, %signal: !S, %counts: !R, %recv: !C, %index: !X) attributes {pl.func_type = "orchestration"} {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %four = arith.addi %three, %one : index
  %0 = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%one) : !T, !D, !S, !R, !C, !X
  %1 = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%three) : !T, !D, !S, !R, !C, !X
  %2 = pld.tensor.indexed_all_to_all_v %in, %0, %signal, %counts, %recv, %index core_num(%four) : !T, !D, !S, !R, !C, !X
  func.return
}

// What may be plain may be a window too.
// CHECK-LABEL: func.func @windows(
// CHECK:         %d = pl.call @__builtin_indexed_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv, %index) : (
func.func @windows(%in: !D, %target: !D, %signal: !S, %counts: !R, %recv: !R, %index: !S) attributes {pl.func_type = "graph"} {
  %one = arith.constant 1 : index
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%one) : !D, !D, !S, !R, !R, !S
  func.return
}

// In a function of no kind no rail is known to be missing.
// CHECK-LABEL: func.func @helper(
// CHECK:         %d = pld.tensor.indexed_all_to_all_v %in
func.func @helper(%in: !D, %target: !D, %signal: !S, %counts: !R, %recv: !R, %index: !S) {
  %one = arith.constant 1 : index
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %recv, %index core_num(%one) : !D, !D, !S, !R, !R, !S
  func.return
}

// One kernel; its first context is slot 6.
// CHECK-LABEL: func.func @__builtin_indexed_all_to_all_v__fp32(%input: {{.*}}, %target: {{.*}}, %signal: {{.*}}, %send_counts: !pld.dist_tensor<tensor<?x?xi32>>, %recv_counts: tensor<?x?xi32> {pl.dir = "inout"}, %index: tensor<?x?xi32>) ->
// CHECK-NOT:   func.func
// CTX-LABEL:   func.func @__builtin_indexed_all_to_all_v__fp32(%input: {{.*}}, %index: tensor<?x?xi32>, %target_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %send_counts_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}) ->
