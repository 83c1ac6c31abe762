// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// What is not provably packed and row-major is refused, the operand named and the chain shown, value by value.

// The input.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %wide[0, 64] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: contiguity-invalid.mlir:16:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:13:3: note: 'v' of type {{.*}} breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The target.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: !pld.dist_tensor<tensor<8x128xf32>>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %wide[0, 64] [8, 64] : !pld.dist_tensor<tensor<8x128xf32>> -> !D
  // CHECK: contiguity-invalid.mlir:33:3: error: target 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:30:3: note: 'v' of type {{.*}} breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %in, %v, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The signal.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: !pld.dist_tensor<tensor<2x8xi32>>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %wide[0, 4] [2, 4] : !pld.dist_tensor<tensor<2x8xi32>> -> !S
  // CHECK: contiguity-invalid.mlir:50:3: error: signal 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:47:3: note: 'v' of type {{.*}} breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %in, %target, %v, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The send_counts.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<2x2xi32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %wide[0, 1] [2, 1] : tensor<2x2xi32> -> !C
  // CHECK: contiguity-invalid.mlir:67:3: error: send_counts 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:64:3: note: 'v' of type {{.*}} breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %v, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The recv_counts.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: !pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %wide[0, 1] [2, 1] : !pld.dist_tensor<tensor<2x2xi32>> -> !R
  // CHECK: contiguity-invalid.mlir:84:3: error: recv_counts 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:81:3: note: 'v' of type {{.*}} breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %v : !T, !D, !S, !C, !R
  func.return
}

// -----

// A layout, hidden by a view.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "dn"}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<8x64xf32, {layout = "dn"}> -> !T
  // CHECK: contiguity-invalid.mlir:101:3: error: input 'v' is not provably contiguous: its layout is dn, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is dn, not nd
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
  %v = pl.tensor.reshape %e : tensor<8x64xf32, {layout = "dn"}> -> !T
  // CHECK: contiguity-invalid.mlir:116:3: error: input 'v' is not provably contiguous: its layout is dn, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is dn, not nd
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
  %v = pl.tensor.set_validshape %e : tensor<8x64xf32, {layout = "dn"}> -> !T
  // CHECK: contiguity-invalid.mlir:131:3: error: input 'v' is not provably contiguous: its layout is dn, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is dn, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A layout nz.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "nz"}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<8x64xf32, {layout = "nz"}> -> !T
  // CHECK: contiguity-invalid.mlir:148:3: error: input 'v' is not provably contiguous: its layout is nz, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is nz, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "nz"}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.reshape %e : tensor<8x64xf32, {layout = "nz"}> -> !T
  // CHECK: contiguity-invalid.mlir:163:3: error: input 'v' is not provably contiguous: its layout is nz, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is nz, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "nz"}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.set_validshape %e : tensor<8x64xf32, {layout = "nz"}> -> !T
  // CHECK: contiguity-invalid.mlir:178:3: error: input 'v' is not provably contiguous: its layout is nz, not nd
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is nz, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A stride.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {stride = array<i64: 128, 1>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<8x64xf32, {stride = array<i64: 128, 1>}> -> !T
  // CHECK: contiguity-invalid.mlir:195:3: error: input 'v' is not provably contiguous: its stride is [128, 1], not the packed [64, 1]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its stride is [128, 1], not the packed [64, 1]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {stride = array<i64: 128, 1>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.reshape %e : tensor<8x64xf32, {stride = array<i64: 128, 1>}> -> !T
  // CHECK: contiguity-invalid.mlir:210:3: error: input 'v' is not provably contiguous: its stride is [128, 1], not the packed [64, 1]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its stride is [128, 1], not the packed [64, 1]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {stride = array<i64: 128, 1>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.set_validshape %e : tensor<8x64xf32, {stride = array<i64: 128, 1>}> -> !T
  // CHECK: contiguity-invalid.mlir:225:3: error: input 'v' is not provably contiguous: its stride is [128, 1], not the packed [64, 1]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its stride is [128, 1], not the packed [64, 1]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A valid shape that is narrower.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}> -> !T
  // CHECK: contiguity-invalid.mlir:242:3: error: input 'v' is not provably contiguous: its valid shape [4, 64] is narrower than its shape [8, 64]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its valid shape [4, 64] is narrower than its shape [8, 64]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.reshape %e : tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}> -> !T
  // CHECK: contiguity-invalid.mlir:257:3: error: input 'v' is not provably contiguous: its valid shape [4, 64] is narrower than its shape [8, 64]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its valid shape [4, 64] is narrower than its shape [8, 64]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.set_validshape %e : tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}> -> !T
  // CHECK: contiguity-invalid.mlir:272:3: error: input 'v' is not provably contiguous: its valid shape [4, 64] is narrower than its shape [8, 64]
  // CHECK: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it: its valid shape [4, 64] is narrower than its shape [8, 64]
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// On every link: dn, then a valid shape, then a view.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<8x64xf32, {layout = "dn"}>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.set_validshape %e : tensor<8x64xf32, {layout = "dn"}> -> tensor<8x64xf32, {layout = "dn", valid_shape = array<i64: 8, 64>}>
  %w = pl.tensor.view %s : tensor<8x64xf32, {layout = "dn", valid_shape = array<i64: 8, 64>}> -> tensor<512xf32>
  %v = pl.tensor.view %w : tensor<512xf32> -> !T
  // CHECK: contiguity-invalid.mlir:292:3: error: input 'v' is not provably contiguous: its layout is dn, not nd
  // CHECK: contiguity-invalid.mlir:287:3: note: through 'w' of type tensor<512xf32>
  // CHECK: contiguity-invalid.mlir:286:3: note: 's' of type tensor<8x64xf32, {{.*}}> breaks it: its layout is dn, not nd
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A slice with a narrower valid shape, then reshaped.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.slice %in[0, 0] [8, 64] : !T -> tensor<8x64xf32, {valid_shape = array<i64: 8, 32>}>
  %v = pl.tensor.reshape %s : tensor<8x64xf32, {valid_shape = array<i64: 8, 32>}> -> !T
  // CHECK: contiguity-invalid.mlir:310:3: error: input 'v' is not provably contiguous: its valid shape [8, 32] is narrower than its shape [8, 64]
  // CHECK: contiguity-invalid.mlir:306:3: note: 's' of type tensor<8x64xf32, {{.*}}> breaks it
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A stride beside a dynamic extent cannot be compared.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x?xf32, {stride = array<i64: 64, 1>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<?x?xf32, {stride = array<i64: 64, 1>}> -> !T
  // CHECK: contiguity-invalid.mlir:326:3: error: input 'v' is not provably contiguous: its stride [64, 1] cannot be compared with dynamic extents
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A valid shape beside a dynamic extent cannot be compared.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x64xf32, {valid_shape = array<i64: 8, 64>}>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %e : tensor<?x64xf32, {valid_shape = array<i64: 8, 64>}> -> !T
  // CHECK: contiguity-invalid.mlir:342:3: error: input 'v' is not provably contiguous: its valid shape [8, 64] cannot be compared with dynamic extents
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A created tensor with a stride.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %e = pl.tensor.create : tensor<8x64xf32, {stride = array<i64: 128, 1>}>
  %v = pl.tensor.view %e : tensor<8x64xf32, {stride = array<i64: 128, 1>}> -> !T
  // CHECK: contiguity-invalid.mlir:360:3: error: input 'v' is not provably contiguous: its stride is [128, 1], not the packed [64, 1]
  // CHECK: contiguity-invalid.mlir:356:3: note: 'e' of type tensor<8x64xf32, {{.*}}> breaks it
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A transpose, of equal extents or of a single row.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<64x8xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.transpose %e {axes = array<i64: 1, 0>} : tensor<64x8xf32> -> !T
  // CHECK: contiguity-invalid.mlir:377:3: error: input 'v' is not provably contiguous: a transpose reorders the dimensions
  // CHECK: contiguity-invalid.mlir:374:3: note: 'v' of type tensor<8x64xf32> breaks it: a transpose reorders the dimensions
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<1x512xf32>) attributes {pl.func_type = "orchestration"} {
  %x = pl.tensor.transpose %e {axes = array<i64: 1, 0>} : tensor<1x512xf32> -> tensor<512x1xf32>
  %v = pl.tensor.view %x : tensor<512x1xf32> -> !T
  // CHECK: contiguity-invalid.mlir:393:3: error: input 'v' is not provably contiguous: a transpose reorders the dimensions
  // CHECK: contiguity-invalid.mlir:389:3: note: 'x' of type tensor<512x1xf32> breaks it: a transpose reorders the dimensions
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
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: contiguity-invalid.mlir:410:3: error: input 'half' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:407:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// An offset in a trailing dimension, of full size by type only: a constant 0 is asked for.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %o: index) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %in[0, %o] [8, 64] : !T -> !T
  // CHECK: contiguity-invalid.mlir:427:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:424:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A [1, N] slice of a [1, W] tensor would be safe; as in PyPTO, no.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<1x1024xf32>) attributes {pl.func_type = "orchestration"} {
  %x = pl.tensor.slice %e[0, 0] [1, 512] : tensor<1x1024xf32> -> tensor<1x512xf32>
  %v = pl.tensor.view %x : tensor<1x512xf32> -> !T
  // CHECK: contiguity-invalid.mlir:445:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:441:3: note: 'x' of type tensor<1x512xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A slice of three dimensions that narrows the middle one.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<2x8x64xf32>) attributes {pl.func_type = "orchestration"} {
  %x = pl.tensor.slice %e[0, 0, 0] [2, 4, 64] : tensor<2x8x64xf32> -> tensor<2x4x64xf32>
  %v = pl.tensor.view %x : tensor<2x4x64xf32> -> !T
  // CHECK: contiguity-invalid.mlir:463:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:459:3: note: 'x' of type tensor<2x4x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
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
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<4x8x64xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %e[1, 0, 0] [1, 8, 64] : tensor<4x8x64xf32> -> !T
  // CHECK: contiguity-invalid.mlir:480:3: error: input 'v' is not provably contiguous: the slice drops a dimension
  // CHECK: contiguity-invalid.mlir:477:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice drops a dimension
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A slice of a tensor with dynamic extents, in either dimension.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x64xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %e[0, 0] [8, 64] : tensor<?x64xf32> -> !T
  // CHECK: contiguity-invalid.mlir:497:3: error: input 'v' is not provably contiguous: the slice is of a tensor with dynamic extents
  // CHECK: contiguity-invalid.mlir:494:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice is of a tensor with dynamic extents
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x?xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.slice %e[0, 0] [8, 64] : tensor<16x?xf32> -> !T
  // CHECK: contiguity-invalid.mlir:511:3: error: input 'v' is not provably contiguous: the slice is of a tensor with dynamic extents
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
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<16x64xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %x = pl.tensor.slice %e[0, 0] [%n, 64] : tensor<16x64xf32> -> tensor<?x64xf32>
  %v = pl.tensor.view %x : tensor<?x64xf32> -> !T
  // CHECK: contiguity-invalid.mlir:529:3: error: input 'v' is not provably contiguous: the slice has a size that is no constant
  // CHECK: contiguity-invalid.mlir:525:3: note: 'x' of type tensor<?x64xf32> breaks it: the slice has a size that is no constant
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A tile op that slices a tensor is held to the same rule.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tile.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: contiguity-invalid.mlir:546:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:543:3: note: 'v' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Through each step that is followed, to the slice: value by value.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %small: tensor<1x16xf32>, %x: f32, %tile: !pl.tile<tensor<1x16xf32>>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %a = pl.tensor.view %half : !T -> tensor<512xf32>
  %b = pl.tensor.reshape %a : tensor<512xf32> -> tensor<32x16xf32>
  %e = pl.tensor.set_validshape %b : tensor<32x16xf32> -> tensor<32x16xf32>
  %g = pl.tensor.assemble %small into %e[0, 0] : tensor<1x16xf32>, tensor<32x16xf32>
  %h = pl.tensor.write %x into %g[0, 0] : f32, tensor<32x16xf32>
  %j = pl.tile.store %tile into %h[0, 0] : !pl.tile<tensor<1x16xf32>>, tensor<32x16xf32>
  %k = pl.tensor.view %j : tensor<32x16xf32> -> tensor<16x32xf32>
  %l = pl.tensor.slice %k[0, 0] [16, 32] : tensor<16x32xf32> -> tensor<16x32xf32>
  %v = pl.tensor.view %l : tensor<16x32xf32> -> !T
  // CHECK: contiguity-invalid.mlir:580:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:568:3: note: through 'l' of type tensor<16x32xf32>
  // CHECK: contiguity-invalid.mlir:567:3: note: through 'k' of type tensor<16x32xf32>
  // CHECK: contiguity-invalid.mlir:566:3: note: through 'j' of type tensor<32x16xf32>
  // CHECK: contiguity-invalid.mlir:565:3: note: through 'h' of type tensor<32x16xf32>
  // CHECK: contiguity-invalid.mlir:564:3: note: through 'g' of type tensor<32x16xf32>
  // CHECK: contiguity-invalid.mlir:563:3: note: through 'e' of type tensor<32x16xf32>
  // CHECK: contiguity-invalid.mlir:562:3: note: through 'b' of type tensor<32x16xf32>
  // CHECK: contiguity-invalid.mlir:561:3: note: through 'a' of type tensor<512xf32>
  // CHECK: contiguity-invalid.mlir:560:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A collective's result, through its target.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: !pld.dist_tensor<tensor<8x128xf32>>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : !pld.dist_tensor<tensor<8x128xf32>> -> !D
  %t = pl.tensor.view %half : !D -> !D
  // CHECK: contiguity-invalid.mlir:597:3: error: target 't' is not provably contiguous
  %v = pld.tensor.all_to_all_v %in, %t, %signal, %counts, %recv : !T, !D, !S, !C, !R
  // CHECK: contiguity-invalid.mlir:601:3: error: target 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:595:3: note: through 't' of type !pld.dist_tensor<tensor<8x64xf32>>
  // CHECK: contiguity-invalid.mlir:594:3: note: 'half' of type !pld.dist_tensor<tensor<8x64xf32>> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %in, %v, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A callee without a body.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @opaque(!T) -> !T attributes {pl.func_type = "incore"}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = pl.call @opaque(%in) : (!T) -> !T
  // CHECK: contiguity-invalid.mlir:619:3: error: input 'v' is not provably contiguous: @opaque does not return a parameter at result 0
  // CHECK: contiguity-invalid.mlir:616:3: note: 'v' of type tensor<8x64xf32> breaks it: @opaque does not return a parameter at result 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A callee that returns what it makes.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @makes(%p: !T) -> (!T, !T) attributes {pl.func_type = "incore"} {
  %e = pl.tensor.create : !T
  func.return %p, %e : !T, !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %x, %v = pl.call @makes(%in) : (!T) -> (!T, !T)
  // CHECK: contiguity-invalid.mlir:640:3: error: input 'v' is not provably contiguous: @makes does not return a parameter at result 1
  // CHECK: contiguity-invalid.mlir:637:3: note: 'v' of type tensor<8x64xf32> breaks it: @makes does not return a parameter at result 1
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A callee that returns a view of its parameter, whose shape is not the argument's.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @views(%p: tensor<8x128xf32>) -> !T attributes {pl.func_type = "incore"} {
  %s = pl.tensor.slice %p[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  func.return %s : !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.call @views(%wide) : (tensor<8x128xf32>) -> !T
  // CHECK: contiguity-invalid.mlir:661:3: error: input 'v' is not provably contiguous: @views returns a view of a parameter at result 0
  // CHECK: contiguity-invalid.mlir:658:3: note: 'v' of type tensor<8x64xf32> breaks it: @views returns a view of a parameter at result 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A callee that returns different parameters.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @either(%b: i1, %p: !T, %q: !T) -> !T attributes {pl.func_type = "incore"} {
  %r = scf.if %b -> (!T) {
    scf.yield %p : !T
  } else {
    scf.yield %q : !T
  }
  func.return %r : !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %b: i1, %in2: !T) attributes {pl.func_type = "orchestration"} {
  %v = pl.call @either(%b, %in, %in2) : (i1, !T, !T) -> !T
  // CHECK: contiguity-invalid.mlir:685:3: error: input 'v' is not provably contiguous: @either does not return a parameter at result 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The argument at the position that the callee returns, through a call.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @swap(%p: !T, %q: !T) -> (!T, !T) attributes {pl.func_type = "incore"} {
  func.return %q, %p : !T, !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %x, %v = pl.call @swap(%half, %in) : (!T, !T) -> (!T, !T)
  // CHECK: contiguity-invalid.mlir:706:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:702:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The same through a submit, and upstream's call.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @swap(%p: !T, %q: !T) -> (!T, !T) attributes {pl.func_type = "incore"} {
  func.return %q, %p : !T, !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %x, %v, %task = pl.submit @swap(%half, %in) : (!T, !T) -> (!T, !T, !pl.task_id)
  // CHECK: contiguity-invalid.mlir:727:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:723:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @swap(%p: !T, %q: !T) -> (!T, !T) attributes {pl.func_type = "incore"} {
  func.return %q, %p : !T, !T
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %x:2 = func.call @swap(%half, %in) : (!T, !T) -> (!T, !T)
  %v = pl.tensor.view %x#1 : !T -> !T
  // CHECK: contiguity-invalid.mlir:748:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:743:3: note: through '{{.*}}' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:742:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A result whose type states another shape than the argument that it is.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @any(%p: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {pl.func_type = "incore"} {
  func.return %p : tensor<?x?xf32>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.call @any(%wide) : (tensor<8x128xf32>) -> !T
  // CHECK: contiguity-invalid.mlir:768:3: error: input 'v' is not provably contiguous: its shape [8, 64] is not [8, 128], that of the argument which @any returns
  // CHECK: contiguity-invalid.mlir:765:3: note: 'v' of type tensor<8x64xf32> breaks it: its shape [8, 64] is not [8, 128], that of the argument which @any returns
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The initial value of a loop, which may run zero times.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %half) -> (!T) {
    scf.yield %in : !T
  }
  // CHECK: contiguity-invalid.mlir:791:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:785:50: note: through 'a' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:784:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// What a loop yields, seen by its carry and by its result.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %in) -> (!T) {
    %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
    // CHECK: contiguity-invalid.mlir:811:5: error: input 'a' is not provably contiguous
    // CHECK: contiguity-invalid.mlir:808:5: note: 'half' of type tensor<8x64xf32> breaks it
    %k = pld.tensor.all_to_all_v %a, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
    scf.yield %half : !T
  }
  // CHECK: contiguity-invalid.mlir:817:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:807:50: note: through 'a' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:808:5: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Carries that swap: round the loop, once.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v, %o = scf.for %i = %c0 to %n step %c1 iter_args(%a = %in, %b = %half) -> (!T, !T) {
    scf.yield %b, %a : !T, !T
  }
  // CHECK: contiguity-invalid.mlir:841:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:834:54: note: through 'a' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:834:64: note: through 'b' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:833:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// One bad branch of an if: then.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %b: i1) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.if %b -> (!T) {
    scf.yield %half : !T
  } else {
    scf.yield %in : !T
  }
  // CHECK: contiguity-invalid.mlir:863:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:855:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// One bad branch of an if: else.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %b: i1) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.if %b -> (!T) {
    scf.yield %in : !T
  } else {
    scf.yield %half : !T
  }
  // CHECK: contiguity-invalid.mlir:885:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:877:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A while: its initial value, through the condition.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %b: i1) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.while (%a = %half) : (!T) -> !T {
    scf.condition(%b) %a : !T
  } do {
  ^after(%y: !T):
    scf.yield %in : !T
  }
  // CHECK: contiguity-invalid.mlir:909:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:900:19: note: through 'a' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:899:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A while: what it yields.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %b: i1) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.while (%a = %in) : (!T) -> !T {
    scf.condition(%b) %a : !T
  } do {
  ^after(%y: !T):
    scf.yield %half : !T
  }
  // CHECK: contiguity-invalid.mlir:933:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:924:19: note: through 'a' of type tensor<8x64xf32>
  // CHECK: contiguity-invalid.mlir:923:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A while: what its condition passes on, to the body too.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>, %b: i1) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v = scf.while (%a = %in) : (!T) -> !T {
    scf.condition(%b) %half : !T
  } do {
  ^after(%y: !T):
    // CHECK: contiguity-invalid.mlir:953:5: error: input 'y' is not provably contiguous
    %k = pld.tensor.all_to_all_v %y, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
    scf.yield %in : !T
  }
  // CHECK: contiguity-invalid.mlir:958:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: contiguity-invalid.mlir:947:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// An operation that declares nothing.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = "test.op"(%in) : (!T) -> !T
  // CHECK: contiguity-invalid.mlir:975:3: error: input 'v' is not provably contiguous: test.op is not known to make a packed tensor
  // CHECK: contiguity-invalid.mlir:972:3: note: 'v' of type tensor<8x64xf32> breaks it: test.op is not known to make a packed tensor
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Control flow that nothing is known about.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = scf.execute_region -> (!T) {
    scf.yield %in : !T
  }
  // CHECK: contiguity-invalid.mlir:994:3: error: input 'v' is not provably contiguous: scf.execute_region is not known to make a packed tensor
  // CHECK: contiguity-invalid.mlir:989:3: note: 'v' of type tensor<8x64xf32> breaks it: scf.execute_region is not known to make a packed tensor
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// An argument of a block.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  cf.br ^next(%in : !T)
^next(%v: !T):
  // CHECK: contiguity-invalid.mlir:1011:3: error: input 'v' is not provably contiguous: it is an argument of a block that nothing is known about
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The same in a region of an operation that nobody knows.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  "test.op"() ({
  ^region(%v: !T):
    // CHECK: contiguity-invalid.mlir:1029:5: error: input 'v' is not provably contiguous: it is an argument of a block that nothing is known about
    // CHECK: contiguity-invalid.mlir:1026:11: note: 'v' of type tensor<8x64xf32> breaks it
    %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
    "test.termop"() : () -> ()
  }) : () -> ()
  func.return
}

// -----

// A dense constant.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %v = arith.constant dense<0.0> : !T
  // CHECK: contiguity-invalid.mlir:1047:3: error: input 'v' is not provably contiguous: arith.constant is not known to make a packed tensor
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A long chain is cut short.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %wide: tensor<8x128xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  %v0 = pl.tensor.view %half : !T -> !T
  %v1 = pl.tensor.view %v0 : !T -> !T
  %v2 = pl.tensor.view %v1 : !T -> !T
  %v3 = pl.tensor.view %v2 : !T -> !T
  %v4 = pl.tensor.view %v3 : !T -> !T
  %v5 = pl.tensor.view %v4 : !T -> !T
  %v6 = pl.tensor.view %v5 : !T -> !T
  %v7 = pl.tensor.view %v6 : !T -> !T
  %v8 = pl.tensor.view %v7 : !T -> !T
  %v9 = pl.tensor.view %v8 : !T -> !T
  %v10 = pl.tensor.view %v9 : !T -> !T
  %v11 = pl.tensor.view %v10 : !T -> !T
  %v12 = pl.tensor.view %v11 : !T -> !T
  %v13 = pl.tensor.view %v12 : !T -> !T
  %v14 = pl.tensor.view %v13 : !T -> !T
  %v15 = pl.tensor.view %v14 : !T -> !T
  %v16 = pl.tensor.view %v15 : !T -> !T
  %v17 = pl.tensor.view %v16 : !T -> !T
  %v18 = pl.tensor.view %v17 : !T -> !T
  %v19 = pl.tensor.view %v18 : !T -> !T
  %v20 = pl.tensor.view %v19 : !T -> !T
  %v = pl.tensor.view %v20 : !T -> !T
  // CHECK: contiguity-invalid.mlir:1088:3: error: input 'v' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK-COUNT-16: note: through 'v{{[0-9]*}}' of type tensor<8x64xf32>
  // CHECK: note: through 5 more values
  // CHECK: contiguity-invalid.mlir:1061:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}
