// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// One refusal for each row of the table of diagnostics in the reference, in its order.

// A parameter.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:16:3: error: core_num must be a compile-time constant on the chip rail
  // CHECK: invalid.mlir:12:73: note: core_num comes from here
  // CHECK: note: write an arith.constant, or arith on constants that folds; only the host rail takes a run-time core_num
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

// A loop variable; arithmetic on it does not fold.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c1 to %c4 step %c1 {
    %n = arith.addi %i, %c1 : index
    // CHECK: invalid.mlir:37:5: error: core_num must be a compile-time constant on the chip rail
    // CHECK: invalid.mlir:34:5: note: core_num comes from here
    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  }
  func.return
}

// -----

// What folds to a constant in other compilers, but not by the folders of arith in xDSL.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %n = arith.divui %c4, %c4 : index
  // CHECK: invalid.mlir:56:3: error: core_num must be a compile-time constant on the chip rail
  // CHECK: invalid.mlir:53:3: note: core_num comes from here
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %a = arith.constant 4 : index
  %n = arith.subi %a, %a : index
  // CHECK: invalid.mlir:71:3: error: core_num is out of range [1, 2147483647]: 0
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %a = arith.constant 4 : index
  %b = arith.constant 5 : index
  %n = arith.subi %a, %b : index
  // CHECK: invalid.mlir:87:3: error: core_num is out of range [1, 2147483647]: -1
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %a = arith.constant 2147483647 : index
  %b = arith.constant 1 : index
  %n = arith.addi %a, %b : index
  // CHECK: invalid.mlir:103:3: error: core_num is out of range [1, 2147483647]: 2147483648
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %a = arith.constant 9223372036854775807 : index
  %b = arith.constant 1 : index
  %n = arith.addi %a, %b : index
  // CHECK: invalid.mlir:119:3: error: core_num is out of range [1, 2147483647]: 9223372036854775808
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

// A constant as it is written is refused by the verifier, in the same words.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 2147483648 : index
  // CHECK: invalid.mlir:135:3: error: core_num is out of range [1, 2147483647]: 2147483648
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 0 : index
  // CHECK: invalid.mlir:149:3: error: core_num is out of range [1, 2147483647]: 0
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

// L = 7, P = 2, so B = 6; S = 4.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 7 : index
  // CHECK: invalid.mlir:166:3: error: signal has 4 columns, fewer than the 6 admitted blocks (core_num 7, 2 ranks)
  // CHECK: invalid.mlir:162:36: note: each block has a signal column of its own: widen the window
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:179:3: error: element type must be f32 or i8, not f16
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xbf16>
!D = !pld.dist_tensor<tensor<8x64xbf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:192:3: error: element type must be f32 or i8, not bf16
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf64>
!D = !pld.dist_tensor<tensor<8x64xf64>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:205:3: error: element type must be f32 or i8, not f64
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xi1>
!D = !pld.dist_tensor<tensor<8x64xi1>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:218:3: error: element type must be f32 or i8, not i1
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xi16>
!D = !pld.dist_tensor<tensor<8x64xi16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:231:3: error: element type must be f32 or i8, not i16
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xi32>
!D = !pld.dist_tensor<tensor<8x64xi32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:244:3: error: element type must be f32 or i8, not i32
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xi64>
!D = !pld.dist_tensor<tensor<8x64xi64>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:257:3: error: element type must be f32 or i8, not i64
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xui8>
!D = !pld.dist_tensor<tensor<8x64xui8>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:270:3: error: element type must be f32 or i8, not ui8
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xsi8>
!D = !pld.dist_tensor<tensor<8x64xsi8>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:283:3: error: element type must be f32 or i8, not si8
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xindex>
!D = !pld.dist_tensor<tensor<8x64xindex>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:296:3: error: element type must be f32 or i8, not index
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%wide: tensor<8x128xf32>, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %wide[0, 0] [8, 64] : tensor<8x128xf32> -> !T
  // CHECK: invalid.mlir:312:3: error: input 'half' is not provably contiguous: the slice narrows dimension 1, not only dimension 0
  // CHECK: invalid.mlir:308:3: note: 'half' of type tensor<8x64xf32> breaks it: the slice narrows dimension 1, not only dimension 0
  // CHECK: note: the kernel addresses its operands flat; pass a packed row-major tensor: a parameter, a window, a pl.tensor.create, or a slice that narrows only dimension 0
  %d = pld.tensor.all_to_all_v %half, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:329:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: invalid.mlir:323:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:342:3: error: pld.tensor.all_to_all has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.all_to_all %in, %target, %signal : !T, !D, !S
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:355:3: error: pld.tensor.allgather has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.allgather %in, %target, %signal : !T, !D, !S
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:368:3: error: pld.tensor.allreduce has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.allreduce %target, %signal {op = "sum"} : !D, !S
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:381:3: error: pld.tensor.reduce_scatter has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.reduce_scatter %target, %signal {op = "sum"} : !D, !S
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: invalid.mlir:394:3: error: pld.tensor.broadcast has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.broadcast %target, %signal : !D, !S
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @pipeline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "graph"} {
  // CHECK: invalid.mlir:407:3: error: pld.tensor.barrier has no chip-rail lowering (in 'pipeline'): write it in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.barrier %signal : !S
  func.return
}

// -----

// An orchestration that is neither the host's nor a chip pipeline.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @cluster(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.level = "cluster_0", pl.role = "orchestrator"} {
  // CHECK: invalid.mlir:422:3: error: pld.tensor.all_to_all_v has no chip-rail lowering (in 'cluster'): write it in a chip orchestration, in a host body (the host rail) or in a kernel (lower-composite-ops)
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Every collective is reported, in text order, each with its first broken rule; nested ones too.

!T = tensor<8x64xf16>
!D = !pld.dist_tensor<tensor<8x64xf16>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index, %b: i1) attributes {pl.func_type = "orchestration"} {
  %c8 = arith.constant 8 : index
  %many = arith.addi %c8, %c8 : index
  // CHECK: invalid.mlir:441:3: error: core_num must be a compile-time constant
  // CHECK: invalid.mlir:443:5: error: signal has 4 columns
  // CHECK: invalid.mlir:444:5: error: element type must be f32 or i8, not f16
  %x = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  scf.if %b {
    %y = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%many) : !T, !D, !S, !C, !R
    %z = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  }
  func.return
}

// -----

// A width from an operation without operands: what no folder knows is no constant.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = "test.op"() : () -> index
  // CHECK: invalid.mlir:462:3: error: core_num must be a compile-time constant on the chip rail
  // CHECK: invalid.mlir:459:3: note: core_num comes from here
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) : !T, !D, !S, !C, !R
  func.return
}
