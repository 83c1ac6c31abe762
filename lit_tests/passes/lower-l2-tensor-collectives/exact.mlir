// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s
// RUN: xdsl-opt %s -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s --print-op-generic | pld-opt -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives --print-op-generic | pld-opt | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives | pld-opt -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives,lower-l2-tensor-collectives | filecheck %s

// The four kernels, exactly: after the functions that were there, in the order of their first collectives, one for each
// variant whatever the shapes. Call sites keep their own types. A second run changes nothing.

!Tf = tensor<8x64xf32>
!Df = !pld.dist_tensor<tensor<8x64xf32>>
!Tw = tensor<12x16xf32>
!Dw = !pld.dist_tensor<tensor<12x16xf32>>
!Ti = tensor<8x32xi8>
!Di = !pld.dist_tensor<tensor<8x32xi8>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!S3 = !pld.dist_tensor<tensor<3x1xi32>>
!C = tensor<2x1xi32>
!C1 = tensor<2xi32>
!C3 = tensor<3xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!R3 = !pld.dist_tensor<tensor<3x1xi32>>
!X = tensor<8xi32>
!XD = !pld.dist_tensor<tensor<2x4xi32>>

func.func @first(%f: !Tf, %df: !Df, %i: !Ti, %di: !Di, %s: !S, %c: !C, %cd: !R, %r: !R, %x: !X) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = pld.tensor.all_to_all_v %i, %di, %s, %c, %r core_num(%c4) : !Ti, !Di, !S, !C, !R
  %1 = pld.tensor.indexed_all_to_all_v %f, %df, %s, %cd, %r, %x core_num(%c4) : !Tf, !Df, !S, !R, !R, !X
  %2 = pld.tensor.all_to_all_v %f, %df, %s, %cd, %r core_num(%c1) : !Tf, !Df, !S, !R, !R
  func.return
}
func.func @second(%w: !Tw, %dw: !Dw, %s3: !S3, %c3: !C3, %r3: !R3, %i: !Ti, %di: !Di, %s: !S, %cd: !R, %c: !C, %x: !XD) attributes {pl.func_type = "graph"} {
  %c1 = arith.constant 1 : index
  %3 = pld.tensor.all_to_all_v %w, %dw, %s3, %c3, %r3 : !Tw, !Dw, !S3, !C3, !R3
  %4 = pld.tensor.indexed_all_to_all_v %i, %di, %s, %cd, %c, %x core_num(%c1) : !Ti, !Di, !S, !R, !C, !XD
  func.return
}
func.func private @declared(tensor<8x64xf32>)

// CHECK-LABEL: func.func @first(
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4_1 = arith.constant 4 : index
// CHECK-NEXT:     %0 = pl.call @__builtin_all_to_all_v__int8(%i, %di, %s, %c, %r) core_num(%c4_1) sync_start : (tensor<8x32xi8>, !pld.dist_tensor<tensor<8x32xi8>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x32xi8>>
// CHECK-NEXT:     %c4_2 = arith.constant 4 : index
// CHECK-NEXT:     %1 = pl.call @__builtin_indexed_all_to_all_v__fp32(%f, %df, %s, %cd, %r, %x) core_num(%c4_2) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8xi32>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT:     %2 = pl.call @__builtin_all_to_all_v__fp32(%f, %df, %s, %cd, %r) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT:     func.return
// CHECK-LABEL: func.func @second(
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = pl.call @__builtin_all_to_all_v__fp32(%w, %dw, %s3, %c3, %r3) : (tensor<12x16xf32>, !pld.dist_tensor<tensor<12x16xf32>>, !pld.dist_tensor<tensor<3x1xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<3x1xi32>>) -> !pld.dist_tensor<tensor<12x16xf32>>
// CHECK-NEXT:     %1 = pl.call @__builtin_indexed_all_to_all_v__int8(%i, %di, %s, %cd, %c, %x) : (tensor<8x32xi8>, !pld.dist_tensor<tensor<8x32xi8>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x4xi32>>) -> !pld.dist_tensor<tensor<8x32xi8>>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @declared(tensor<8x64xf32>)
// CHECK-NEXT:   func.func @__builtin_all_to_all_v__int8(%input: tensor<?x?xi8>, %target: !pld.dist_tensor<tensor<?x?xi8>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xi8>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=int8_t", pl.require_contiguous_operands} {
// CHECK-NEXT:     func.return %target : !pld.dist_tensor<tensor<?x?xi8>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @__builtin_indexed_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: !pld.dist_tensor<tensor<?x?xi32>>, %recv_counts: tensor<?x?xi32> {pl.dir = "inout"}, %index: tensor<?x?xi32>) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.indexed_all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
// CHECK-NEXT:     func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
// CHECK-NEXT:     func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @__builtin_indexed_all_to_all_v__int8(%input: tensor<?x?xi8>, %target: !pld.dist_tensor<tensor<?x?xi8>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: !pld.dist_tensor<tensor<?x?xi32>>, %recv_counts: tensor<?x?xi32> {pl.dir = "inout"}, %index: tensor<?x?xi32>) -> !pld.dist_tensor<tensor<?x?xi8>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.indexed_all_to_all_v", pl.builtin_template_vars = "dtype_cpp=int8_t", pl.require_contiguous_operands} {
// CHECK-NEXT:     func.return %target : !pld.dist_tensor<tensor<?x?xi8>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
