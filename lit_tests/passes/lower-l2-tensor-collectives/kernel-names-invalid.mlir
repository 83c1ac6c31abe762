// RUN: not pld-opt %s -p lower-l2-tensor-collectives --split-input-file 2>&1 | filecheck %s

// The kernel's name, taken by something else.

// A function.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32() {
  func.return
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:18:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:12:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A declaration.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @__builtin_all_to_all_v__fp32() -> ()
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:35:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:31:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A function with contexts that is no kernel.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @__builtin_all_to_all_v__fp32(!pld.comm_ctx) -> ()
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:52:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:48:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Nearly the kernel: its directions.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>>,
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:73:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:65:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Its template variables.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=int8_t", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:94:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:86:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Its run-time check.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float"} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:115:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:107:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Its kind.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "incore", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:136:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:128:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The kind of an operand.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: !pld.dist_tensor<tensor<?x?xi32>>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:157:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function, and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:149:1: note: the other function; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// A symbol of another kind.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
"memref.global"() <{sym_name = "__builtin_all_to_all_v__fp32", type = memref<4xf32>, sym_visibility = "private", initial_value}> : () -> ()
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:174:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function or symbol (a memref.global), and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:170:1: note: the other symbol; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
builtin.module @__builtin_all_to_all_v__fp32 {
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:190:3: error: @__builtin_all_to_all_v__fp32 is already the name of another function or symbol (a builtin.module), and the kernel of this collective needs it
  // CHECK: kernel-names-invalid.mlir:185:1: note: the other symbol; give it another name
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// The kernel with its contexts.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %target_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %recv_counts_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  // CHECK: kernel-names-invalid.mlir:211:3: error: @__builtin_all_to_all_v__fp32 already has its contexts: the module has passed materialize-dist-tensor-ctx, and lower-l2-tensor-collectives runs before it
  // CHECK: kernel-names-invalid.mlir:203:1: note: the kernel with contexts
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// -----

// Two of one name, as a careless merge makes them.

func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
// CHECK: kernel-names-invalid.mlir:225:1: error: Redefinition of symbol "__builtin_all_to_all_v__fp32"
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
func.func private @unused() -> ()
