// RUN: pld-opt --emit-irdl pld -o %t.irdl.mlir
// RUN: pld-opt %s --print-op-generic --print-no-properties | heir-opt --irdl-file=%t.irdl.mlir --allow-unregistered-dialect --canonicalize --cse --mlir-print-op-generic | pld-opt - | filecheck %s

// There and back: upstream reads, verifies and transforms our IR, and pld-opt reads the result.

func.func @f(%target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %i: index, %p: i32) {
  %d = pld.tensor.allreduce %target, %signal {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
  pld.tensor.put %d[0, 0] into %target[%i, 0] [4, 64] peer(%p) : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>
  pld.system.notify %signal[%i, 0] peer(%p) value(%p) {op = "set"} : !pld.dist_tensor<tensor<2x4xi32>>, i32, i32
  func.return
}

// CHECK:      pld.tensor.allreduce %{{.*}}, %{{.*}} {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>
// CHECK-NEXT: pld.tensor.put %{{.*}}[0, 0] into %{{.*}}[%{{.*}}, 0] [4, 64] peer(%{{.*}})
// CHECK-NEXT: pld.system.notify %{{.*}}[%{{.*}}, 0] peer(%{{.*}}) value(%{{.*}}) {op = "set"}
