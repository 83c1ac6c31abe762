// RUN: pld-opt %s -p 'lower-l2-tensor-collectives,mlir-opt[cse,canonicalize],materialize-dist-tensor-ctx' | filecheck %s

// Upstream's passes between ours: they fold the constants, keep both launches and all names.

func.func @chip(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %two = arith.constant 2 : index
  %four = arith.addi %two, %two : index
  %first = pld.tensor.all_to_all_v %input, %target, %signal, %send, %recv core_num(%four) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %second = pld.tensor.all_to_all_v %input, %target, %signal, %send, %recv core_num(%four) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK-LABEL: func.func @chip(%input: tensor<8x64xf32>
// CHECK-NEXT:    [[FOUR:%[a-z0-9]+]] = arith.constant 4 : index
// CHECK-NEXT:    %first = pl.call @__builtin_all_to_all_v__fp32(%input, %target, %signal, %send, %recv, %target_ctx, %signal_ctx, %recv_ctx) core_num([[FOUR]]) sync_start
// CHECK-NEXT:    %second = pl.call @__builtin_all_to_all_v__fp32(%input, %target, %signal, %send, %recv, %target_ctx, %signal_ctx, %recv_ctx) core_num([[FOUR]]) sync_start
// CHECK-NEXT:    func.return
