// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// Ranks and signals.

func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %n = pld.system.world_size : index
  func.return
}

// CHECK: func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT: %n = pld.system.world_size : index
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @kernel(%w: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %i: index, %p: i32, %one: i32) {
  %c = pld.system.get_comm_ctx %w : !pld.dist_tensor<tensor<8x64xf32>>
  %r = pld.system.rank %c : i32
  %n = pld.system.nranks %c : i32
  pld.system.notify %sig[%i, 0] peer(%p) value(%one) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  pld.system.notify %sig[1, 0] peer(%p) value(%one) {user, op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
  pld.system.wait %sig[%i, 0] expected(%one) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
  pld.system.wait %sig[1, %i] expected(%one) {cmp = "eq"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
  func.return
}

// CHECK-NEXT: func.func @kernel(%w: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>, %i: index, %p: i32, %one: i32) {
// CHECK-NEXT: %c = pld.system.get_comm_ctx %w : !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT: %r = pld.system.rank %c : i32
// CHECK-NEXT: %n = pld.system.nranks %c : i32
// CHECK-NEXT: pld.system.notify %sig[%i, 0] peer(%p) value(%one) {op = "atomic_add"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT: pld.system.notify %sig[1, 0] peer(%p) value(%one) {user, op = "set"} : !pld.dist_tensor<tensor<2x1xi32>>, i32, i32
// CHECK-NEXT: pld.system.wait %sig[%i, 0] expected(%one) {cmp = "ge"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT: pld.system.wait %sig[1, %i] expected(%one) {cmp = "eq"} : !pld.dist_tensor<tensor<2x1xi32>>, i32
// CHECK-NEXT: func.return
// CHECK-NEXT: }
