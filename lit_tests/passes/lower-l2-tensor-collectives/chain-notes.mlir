// RUN: not pld-opt %s -p lower-l2-tensor-collectives 2>&1 | filecheck %s

// The second collective finds the chain of the first, and shows it as a whole.

func.func @f(%in: tensor<8x64xf32>, %wide: !pld.dist_tensor<tensor<8x128xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>,
    %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : !pld.dist_tensor<tensor<8x128xf32>> -> !pld.dist_tensor<tensor<8x64xf32>>
  %view = pl.tensor.view %half : !pld.dist_tensor<tensor<8x64xf32>> -> !pld.dist_tensor<tensor<8x64xf32>>
  // CHECK: chain-notes.mlir:12:3: error: target 'view' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK-NOT: through
  // CHECK: chain-notes.mlir:7:3: note: 'half' of type !pld.dist_tensor<tensor<8x64xf32>> breaks it
  %first = pld.tensor.all_to_all_v %in, %view, %signal, %counts, %recv
    : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  // CHECK: chain-notes.mlir:17:3: error: target 'first' is not provably contiguous
  // CHECK: chain-notes.mlir:8:3: note: through 'view' of type !pld.dist_tensor<tensor<8x64xf32>>
  // CHECK: chain-notes.mlir:7:3: note: 'half' of type !pld.dist_tensor<tensor<8x64xf32>> breaks it
  %second = pld.tensor.all_to_all_v %in, %first, %signal, %counts, %recv
    : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}
