// RUN: not pld-opt %s --allow-unregistered-dialect -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// Upstream tensor ops are values, not buffers: nothing may be written through them, and what reads may look through a
// cast and a slice of whole rows only.

// A parameter declared out.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @fill(!T, !T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pl.dir = "inout"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = tensor.empty() : !T
  // CHECK: upstream-tensor-invalid.mlir:19:3: error: 'e' is written as parameter 1 (out) of @fill, but tensor.empty makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:15:3: note: 'e' of type tensor<8x64xf32> is that value: tensor.empty makes a value, not a buffer
  // CHECK: note: cse makes two tensor.empty one, and then two tasks write one memory; write pl.tensor.create, and pl.tensor.slice for a box of a tensor
  pl.call @fill(%in, %e, %in) : (!T, !T, !T) -> ()
  func.return
}

// -----

// A parameter declared inout.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @fill(!T, !T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pl.dir = "inout"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "graph"} {
  %e = tensor.empty() : !T
  // CHECK: upstream-tensor-invalid.mlir:38:3: error: 'e' is written as parameter 2 (inout) of @fill, but tensor.empty makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:34:3: note: 'e' of type tensor<8x64xf32> is that value: tensor.empty makes a value, not a buffer
  // CHECK: note: cse makes two tensor.empty one, and then two tasks write one memory; write pl.tensor.create, and pl.tensor.slice for a box of a tensor
  pl.call @fill(%in, %in, %e) : (!T, !T, !T) -> ()
  func.return
}

// -----

// A submit, with an output left out before; upstream's call.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!T, !T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = tensor.empty() : !T
  // CHECK: upstream-tensor-invalid.mlir:55:3: error: 'e' is written as parameter 1 (out) of @stage
  %t = pl.submit @stage(%in, %e) : (!T, !T) -> !pl.task_id
  // CHECK: upstream-tensor-invalid.mlir:57:3: error: 'e' is written as parameter 1 (out) of @stage
  func.call @stage(%in, %e, %in) : (!T, !T, !T) -> ()
  func.return
}

// -----

// Other ops of the dialect.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(!T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = tensor.insert_slice %in into %in[0, 0] [8, 64] [1, 1] : !T into !T
  // CHECK: upstream-tensor-invalid.mlir:75:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.insert_slice makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:72:3: note: 'e' of type {{.*}} is that value
  pl.call @k(%e) : (!T) -> ()
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(tensor<2xf32>) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %x: f32) attributes {pl.func_type = "orchestration"} {
  %e = tensor.from_elements %x, %x : tensor<2xf32>
  // CHECK: upstream-tensor-invalid.mlir:91:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.from_elements makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:88:3: note: 'e' of type {{.*}} is that value
  pl.call @k(%e) : (tensor<2xf32>) -> ()
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(!T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %x: f32) attributes {pl.func_type = "orchestration"} {
  %e = tensor.splat %x : !T
  // CHECK: upstream-tensor-invalid.mlir:107:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.splat makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:104:3: note: 'e' of type {{.*}} is that value
  pl.call @k(%e) : (!T) -> ()
  func.return
}

// -----

// What may be read through may not be written through.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(tensor<?x64xf32>) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = tensor.cast %in : !T to tensor<?x64xf32>
  // CHECK: upstream-tensor-invalid.mlir:125:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.cast makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:122:3: note: 'e' of type {{.*}} is that value
  pl.call @k(%e) : (tensor<?x64xf32>) -> ()
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(!T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %big: tensor<16x64xf32>) attributes {pl.func_type = "orchestration"} {
  %e = tensor.extract_slice %big[8, 0] [8, 64] [1, 1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:141:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.extract_slice makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:138:3: note: 'e' of type {{.*}} is that value
  pl.call @k(%e) : (!T) -> ()
  func.return
}

// -----

// An op of the dialect that is not even registered.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @k(!T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = "tensor.generate"() : () -> !T
  // CHECK: upstream-tensor-invalid.mlir:158:3: error: 'e' is written as parameter 0 (out) of @k, but tensor.generate makes a value, not a buffer
  pl.call @k(%e) : (!T) -> ()
  func.return
}

// -----

// Through views, control flow and what callees return: the chain.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @fill(!T, !T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pl.dir = "inout"}]}
func.func @same(%p: !T) -> !T attributes {pl.func_type = "incore"} {
  func.return %p : !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %b: i1, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !T
  %v = pl.tensor.view %e : !T -> !T
  %i = scf.if %b -> (!T) {
    scf.yield %in : !T
  } else {
    scf.yield %v : !T
  }
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%a = %in) -> (!T) {
    scf.yield %i : !T
  }
  %r = pl.call @same(%l) : (!T) -> !T
  // CHECK: upstream-tensor-invalid.mlir:195:3: error: 'r' is written as parameter 1 (out) of @fill, but tensor.empty makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:185:3: note: through 'l' of type tensor<8x64xf32>
  // CHECK: upstream-tensor-invalid.mlir:185:50: note: through 'a' of type tensor<8x64xf32>
  // CHECK: upstream-tensor-invalid.mlir:180:3: note: through 'i' of type tensor<8x64xf32>
  // CHECK: upstream-tensor-invalid.mlir:179:3: note: through 'v' of type tensor<8x64xf32>
  // CHECK: upstream-tensor-invalid.mlir:178:3: note: 'e' of type tensor<8x64xf32> is that value: tensor.empty makes a value, not a buffer
  pl.call @fill(%in, %r, %in) : (!T, !T, !T) -> ()
  func.return
}

// -----

// What an op writes into and returns.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @fill(!T, !T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pl.dir = "inout"}]}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %row: tensor<1x64xf32>, %x: f32) attributes {pl.func_type = "orchestration"} {
  %e = tensor.empty() : !T
  // CHECK: upstream-tensor-invalid.mlir:212:3: error: 'e' is written as destination of pl.tensor.assemble, but tensor.empty makes a value, not a buffer: upstream tensor ops are values
  %a = pl.tensor.assemble %row into %e[0, 0] : tensor<1x64xf32>, !T
  // CHECK: upstream-tensor-invalid.mlir:214:3: error: 'a' is written as destination of pl.tensor.write, but tensor.empty makes a value, not a buffer
  %w = pl.tensor.write %x into %a[0, 0] : f32, !T
  func.return
}

// -----

// A collective's destination: only the indexed exchange has one that may be plain.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
!X = tensor<8xi32>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !R, %index: !X) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 1 : index
  %e = tensor.empty() : !C
  // CHECK: upstream-tensor-invalid.mlir:233:3: error: 'e' is written as recv_counts of pld.tensor.indexed_all_to_all_v, but tensor.empty makes a value, not a buffer: upstream tensor ops are values
  // CHECK: upstream-tensor-invalid.mlir:230:3: note: 'e' of type tensor<2x1xi32> is that value: tensor.empty makes a value, not a buffer
  %d = pld.tensor.indexed_all_to_all_v %in, %target, %signal, %counts, %e, %index core_num(%n) : !T, !D, !S, !R, !C, !X
  func.return
}

// -----

// As a read operand: a value has no place of its own.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = tensor.empty() : !T
  // CHECK: upstream-tensor-invalid.mlir:250:3: error: input 'v' is not provably contiguous: tensor.empty makes a value, not a buffer whose place is known
  // CHECK: upstream-tensor-invalid.mlir:247:3: note: 'v' of type tensor<8x64xf32> breaks it
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = tensor.insert_slice %in into %in[0, 0] [8, 64] [1, 1] : !T into !T
  // CHECK: upstream-tensor-invalid.mlir:264:3: error: input 'v' is not provably contiguous: tensor.insert_slice makes a value, not a buffer whose place is known
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A slice of every other row.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [8, 64] [2, 1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:281:3: error: input 'v' is not provably contiguous: the slice has a stride other than the constant 1
  // CHECK: upstream-tensor-invalid.mlir:278:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice has a stride other than the constant 1
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A stride that is a value.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [8, 64] [%o, 1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:298:3: error: input 'v' is not provably contiguous: the slice has a stride other than the constant 1
  // CHECK: upstream-tensor-invalid.mlir:295:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice has a stride other than the constant 1
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// An inner slice.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x128xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [8, 64] [1, 1] : tensor<8x128xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:315:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: upstream-tensor-invalid.mlir:312:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// An inner offset that is a value.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, %o] [8, 64] [1, 1] : tensor<8x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:332:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: upstream-tensor-invalid.mlir:329:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A source with dynamic extents.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [8, 64] [1, 1] : tensor<?x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:349:3: error: input 'v' is not provably contiguous: the slice is of a tensor with dynamic extents
  // CHECK: upstream-tensor-invalid.mlir:346:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice is of a tensor with dynamic extents
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A slice that drops a dimension.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<4x8x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:366:3: error: input 'v' is not provably contiguous: the slice drops a dimension
  // CHECK: upstream-tensor-invalid.mlir:363:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice drops a dimension
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// What upstream's verifier lets pass: sizes that are not the type's, a box outside, too few offsets.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [7, 64] [1, 1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:383:3: error: input 'v' is not provably contiguous: the slice has the sizes [7, 64], its type [8, 64]
  // CHECK: upstream-tensor-invalid.mlir:380:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice has the sizes [7, 64], its type [8, 64]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[9, 0] [8, 64] [1, 1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:398:3: error: input 'v' is not provably contiguous: offset 9, size 8 leaves the source in dimension 0, whose extent is 16
  // CHECK: upstream-tensor-invalid.mlir:395:3: note: 'v' of type tensor<8x64xf32> breaks it: offset 9, size 8 leaves the source in dimension 0, whose extent is 16
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0] [8] [1] : tensor<16x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:413:3: error: input 'v' is not provably contiguous: the slice has not one offset, size and stride for each of the 2 dimensions
  // CHECK: upstream-tensor-invalid.mlir:410:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice has not one offset, size and stride for each of the 2 dimensions
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xi8>) attributes {pl.func_type = "orchestration"} {
  %v = tensor.extract_slice %e[0, 0] [8, 64] [1, 1] : tensor<16x64xi8> to !T
  // CHECK: upstream-tensor-invalid.mlir:427:3: error: input 'v' is not provably contiguous: the slice changes the element type from i8
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xi8>) attributes {pl.func_type = "orchestration"} {
  %v = tensor.cast %e : tensor<8x64xi8> to !T
  // CHECK: upstream-tensor-invalid.mlir:441:3: error: input 'v' is not provably contiguous: the cast changes the element type from i8
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A cast of a tensor of no rank, and of one that is not packed.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<*xf32>) attributes {pl.func_type = "orchestration"} {
  %v = tensor.cast %e : tensor<*xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:457:3: error: input 'v' is not provably contiguous: its type tensor<*xf32> is no ranked tensor
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "dn"}>) attributes {pl.func_type = "orchestration"} {
  %v = tensor.cast %e : tensor<8x64xf32, {layout = "dn"}> to !T
  // CHECK: upstream-tensor-invalid.mlir:471:3: error: input 'v' is not provably contiguous: its layout is dn, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A size that is a value.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %o: index) attributes {pl.func_type = "orchestration"} {
  %x = tensor.extract_slice %e[0, 0] [%o, 64] [1, 1] : tensor<16x64xf32> to tensor<?x64xf32>
  %v = tensor.cast %x : tensor<?x64xf32> to !T
  // CHECK: upstream-tensor-invalid.mlir:488:3: error: input 'v' is not provably contiguous: the slice has a size that is no constant
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}
