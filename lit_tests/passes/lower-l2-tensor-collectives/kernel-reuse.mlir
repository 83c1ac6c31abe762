// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s --print-op-generic | pld-opt -p lower-l2-tensor-collectives | filecheck %s

// A module that already holds exactly the kernel, one that was merged from two for instance, reuses it where it stands.
// A nested module has symbols of its own, so a kernel of its own; what the outer one holds is not seen there.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>

// CHECK:       builtin.module {
// CHECK-NEXT:    func.func @__builtin_all_to_all_v__fp32(
// CHECK-NEXT:      func.return %target
// CHECK-NEXT:    }
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"},
    %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>>
    attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}

// CHECK-NEXT:    func.func @merged(
// CHECK-NEXT:      %d = pl.call @__builtin_all_to_all_v__fp32(
// CHECK-NEXT:      %e = pl.call @__builtin_all_to_all_v__fp32(
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @merged(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %d = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) : (!T, !D, !S, !C, !R) -> !D
  %e = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// CHECK-NEXT:    builtin.module @inner {
// CHECK-NEXT:      func.func @nested(
// CHECK-NEXT:        %d = pl.call @__builtin_all_to_all_v__fp32(
// CHECK-NEXT:        func.return
// CHECK-NEXT:      }
// CHECK-NEXT:      builtin.module @none {
// CHECK-NEXT:        func.func private @declared() -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.func @__builtin_all_to_all_v__fp32(
// CHECK-NEXT:        func.return %target
// CHECK-NEXT:      }
// CHECK-NEXT:    }
builtin.module @inner {
func.func @nested(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

  builtin.module @none {
    func.func private @declared() -> ()
  }
}

// CHECK-NEXT:    func.func private @last() -> ()
// CHECK-NEXT:  }
func.func private @last() -> ()
