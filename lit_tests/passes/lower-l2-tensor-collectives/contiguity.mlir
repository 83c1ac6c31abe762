// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s

// What is provably packed and row-major is passed on as it is; no copy is ever made.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>

func.func private @opaque(!T) -> !T attributes {pl.func_type = "incore"}
func.func @swap(%p: !T, %q: !T) -> (!T, !T) attributes {pl.func_type = "incore"} {
  func.return %q, %p : !T, !T
}

func.func @indirect(%p: !T, %n: index, %v: f32) -> !T attributes {pl.func_type = "incore"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (!T) {
    %w = pl.tensor.write %v into %a[0, 0] : f32, !T
    %x, %y = func.call @swap(%w, %w) : (!T, !T) -> (!T, !T)
    scf.yield %y : !T
  }
  func.return %r : !T
}
func.func @fill(%a: !T, %out: !T {pl.dir = "out"}) -> !T attributes {pl.func_type = "incore"} {
  func.return %out : !T
}

// Parameters, windows and plain.
// CHECK-LABEL: func.func @ok0(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv)
func.func @ok0(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// Windows everywhere.
// CHECK-LABEL: func.func @ok1(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%w, %target, %signal, %wc, %recv)
func.func @ok1(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %w: !D, %wc: !R) attributes {pl.func_type = "orchestration"} {
  %d = pld.tensor.all_to_all_v %w, %target, %signal, %wc, %recv : !D, !D, !S, !R, !R
  func.return
}

// A packed stride, a layout nd, a whole valid shape, stated.
// CHECK-LABEL: func.func @ok2(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok2(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>, valid_shape = array<i64: 8, 64>}> -> !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A created tensor.
// CHECK-LABEL: func.func @ok3(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok3(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.create : !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// View, reshape, set_validshape; of dynamic extents too.
// CHECK-LABEL: func.func @ok4(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok4(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x?xf32>) attributes {pl.func_type = "orchestration"} {
  %a = pl.tensor.view %e : tensor<?x?xf32> -> tensor<512xf32>
  %b = pl.tensor.reshape %a : tensor<512xf32> -> tensor<16x32xf32>
  %c = pl.tensor.set_validshape %b : tensor<16x32xf32> -> tensor<16x32xf32>
  %v = pl.tensor.view %c : tensor<16x32xf32> -> !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// Write-backs: assemble, write, store.
// CHECK-LABEL: func.func @ok5(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok5(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %row: tensor<1x64xf32>, %x: f32, %tile: !pl.tile<tensor<1x64xf32>>) attributes {pl.func_type = "orchestration"} {
  %a = pl.tensor.assemble %row into %in[3, 0] : tensor<1x64xf32>, !T
  %b = pl.tensor.write %x into %a[0, 0] : f32, !T
  %v = pl.tile.store %tile into %b[0, 0] : !pl.tile<tensor<1x64xf32>>, !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A slice of rows, at an offset that is a value (the rank's): contiguous wherever it starts.
// CHECK-LABEL: func.func @ok6(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok6(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<32x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %e[%o, 0] [8, 64] : tensor<32x64xf32> -> !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A slice of planes, and one of a vector.
// CHECK-LABEL: func.func @ok7(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok7(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<4x4x64xf32>) attributes {pl.func_type = "orchestration"} {
  %a = pl.tensor.slice %e[1, 0, 0] [2, 4, 64] : tensor<4x4x64xf32> -> tensor<2x4x64xf32>
  %b = pl.tensor.view %a : tensor<2x4x64xf32> -> tensor<512xf32>
  %c = pl.tensor.slice %b[0] [512] : tensor<512xf32> -> tensor<512xf32>
  %v = pl.tensor.view %c : tensor<512xf32> -> !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A callee that returns its parameter literally, at its position.
// CHECK-LABEL: func.func @ok8(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok8(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v, %x = pl.call @swap(%half, %in) : (!T, !T) -> (!T, !T)
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// Proved by lineage, not literally: the callee writes, loops and calls, and returns its parameter.
// CHECK-LABEL: func.func @ok9(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok9(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index, %x: f32) attributes {pl.func_type = "orchestration"} {
  %v = pl.call @indirect(%in, %n, %x) : (!T, index, f32) -> !T
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A submit, and an out that the runtime allocates.
// CHECK-LABEL: func.func @ok10(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok10(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v, %task = pl.submit @fill(%in) : (!T) -> (!T, !pl.task_id)
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A collective's result.
// CHECK-LABEL: func.func @ok11(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%in, %v, %signal, %counts, %recv)
func.func @ok11(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %d = pld.tensor.all_to_all_v %in, %v, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// A loop that carries two windows round and round, a while, an if.
// CHECK-LABEL: func.func @ok12(
// CHECK-NOT:   {{copy|clone|error}}
// CHECK:       %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %counts, %recv)
func.func @ok12(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %in2: !T, %n: index, %k: i1) attributes {pl.func_type = "graph"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %in, %q = %in2) -> (!T, !T) {
    scf.yield %q, %p : !T, !T
  }
  %c = scf.while (%p = %a) : (!T) -> !T {
    scf.condition(%k) %p : !T
  } do {
  ^after(%y: !T):
    scf.yield %b : !T
  }
  %v = scf.if %k -> (!T) {
    scf.yield %c : !T
  } else {
    scf.yield %in : !T
  }
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}
