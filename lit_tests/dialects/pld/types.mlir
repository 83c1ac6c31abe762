// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Distributed tensors wherever upstream takes a type.

func.func @through_loops(%d: !pld.dist_tensor<tensor<?x64xf32>>, %c: !pld.comm_ctx, %n: index, %b: i1) -> (!pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0, %1 = scf.for %i = %c0 to %n step %c1 iter_args(%e = %d, %f = %c) -> (!pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx) {
    scf.yield %e, %f : !pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx
  }
  %2 = scf.if %b -> (!pld.dist_tensor<tensor<?x64xf32>>) {
    scf.yield %0 : !pld.dist_tensor<tensor<?x64xf32>>
  } else {
    scf.yield %d : !pld.dist_tensor<tensor<?x64xf32>>
  }
  func.return %2, %1 : !pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx
}

// CHECK: func.func @through_loops(%d: !pld.dist_tensor<tensor<?x64xf32>>, %c: !pld.comm_ctx, %n: index, %b: i1) -> (!pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx) {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0, %1 = scf.for %i = %c0 to %n step %c1 iter_args(%e = %d, %f = %c) -> (!pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx) {
// CHECK-NEXT: scf.yield %e, %f : !pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx
// CHECK-NEXT: }
// CHECK-NEXT: %2 = scf.if %b -> (!pld.dist_tensor<tensor<?x64xf32>>) {
// CHECK-NEXT: scf.yield %0 : !pld.dist_tensor<tensor<?x64xf32>>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %d : !pld.dist_tensor<tensor<?x64xf32>>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %2, %1 : !pld.dist_tensor<tensor<?x64xf32>>, !pld.comm_ctx
// CHECK-NEXT: }
