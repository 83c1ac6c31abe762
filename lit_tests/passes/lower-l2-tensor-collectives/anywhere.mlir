// RUN: pld-opt %s --allow-unregistered-dialect -p lower-l2-tensor-collectives | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect --print-op-generic | xdsl-opt --allow-unregistered-dialect -p lower-l2-tensor-collectives | filecheck %s

// A collective is lowered wherever it stands in a chip orchestration, in place; elsewhere it stays.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>

func.func private @consume(!D) attributes {pl.func_type = "incore"}

// Straight line: unused, used twice, feeding the next, returned.
// CHECK-LABEL: func.func @line(
// CHECK-NEXT:    %0 = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) : (
// CHECK-NEXT:    %x = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) : (
// CHECK-NEXT:    pl.call @consume(%x)
// CHECK-NEXT:    %y = pl.call @__builtin_all_to_all_v__fp32(%in, %x, %signal, %counts, %recv) : (
// CHECK-NEXT:    pl.call @consume(%x)
// CHECK-NEXT:    func.return %y
func.func @line(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) -> !D attributes {pl.func_type = "orchestration"} {
  %0 = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %x = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  pl.call @consume(%x) : (!D) -> ()
  %y = pld.tensor.all_to_all_v %in, %x, %signal, %counts, %recv : !T, !D, !S, !C, !R
  pl.call @consume(%x) : (!D) -> ()
  func.return %y : !D
}

// A loop that carries the window, a branch in it, a loop in that: in place, each of them.
// CHECK-LABEL: func.func @nested(
// CHECK:         %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %target)
// CHECK-NEXT:      %t1 = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %signal, %counts, %recv)
// CHECK-NEXT:      %t2 = scf.if %b -> (!pld.dist_tensor<tensor<8x64xf32>>) {
// CHECK-NEXT:        %t3 = pl.call @__builtin_all_to_all_v__fp32(%in, %t1, %signal, %counts, %recv)
// CHECK-NEXT:        scf.for %j = %c0 to %n step %c1 {
// CHECK-NEXT:          %c4 = arith.constant 4 : index
// CHECK-NEXT:          %t4 = pl.call @__builtin_all_to_all_v__fp32(%in, %t3, %signal, %counts, %recv) core_num(%c4) sync_start
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.yield %t3
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %t5 = pl.call @__builtin_all_to_all_v__fp32(%in, %t1, %signal, %counts, %recv)
// CHECK-NEXT:        scf.yield %t5
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %t2
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r
func.func @nested(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %n: index, %b: i1) -> !D attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %target) -> (!D) {
    %t1 = pld.tensor.all_to_all_v %in, %t, %signal, %counts, %recv : !T, !D, !S, !C, !R
    %t2 = scf.if %b -> (!D) {
      %t3 = pld.tensor.all_to_all_v %in, %t1, %signal, %counts, %recv : !T, !D, !S, !C, !R
      scf.for %j = %c0 to %n step %c1 {
        %t4 = pld.tensor.all_to_all_v %in, %t3, %signal, %counts, %recv core_num(%four) : !T, !D, !S, !C, !R
      }
      scf.yield %t3 : !D
    } else {
      %t5 = pld.tensor.all_to_all_v %in, %t1, %signal, %counts, %recv : !T, !D, !S, !C, !R
      scf.yield %t5 : !D
    }
    scf.yield %t2 : !D
  }
  func.return %r : !D
}

// Both regions of a while, in a graph function.
// CHECK-LABEL: func.func @while(
// CHECK:         %r = scf.while (%t = %target)
// CHECK-NEXT:      %t1 = pl.call @__builtin_all_to_all_v__fp32(%in, %t, %signal, %counts, %recv)
// CHECK-NEXT:      scf.condition(%b) %t1
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^after(%u: !pld.dist_tensor<tensor<8x64xf32>>):
// CHECK-NEXT:      %u1 = pl.call @__builtin_all_to_all_v__fp32(%in, %u, %signal, %counts, %recv)
// CHECK-NEXT:      scf.yield %u1
func.func @while(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %b: i1) attributes {pl.func_type = "graph"} {
  %r = scf.while (%t = %target) : (!D) -> !D {
    %t1 = pld.tensor.all_to_all_v %in, %t, %signal, %counts, %recv : !T, !D, !S, !C, !R
    scf.condition(%b) %t1 : !D
  } do {
  ^after(%u: !D):
    %u1 = pld.tensor.all_to_all_v %in, %u, %signal, %counts, %recv : !T, !D, !S, !C, !R
    scf.yield %u1 : !D
  }
  func.return
}

// A region of an operation that nobody knows, and a loop over several blocks.
// CHECK-LABEL: func.func @regions(
// CHECK-NEXT:    scf.execute_region {
// CHECK-NEXT:      %d = pl.call @__builtin_all_to_all_v__fp32
// CHECK:         }
// CHECK-NEXT:    "foreign.region"() ({
// CHECK-NEXT:      %d_1 = pl.call @__builtin_all_to_all_v__fp32
// CHECK:         cf.br ^{{[0-9a-z]+}}
// CHECK-NEXT:  ^{{[0-9a-z]+}}:
// CHECK-NEXT:    %d_2 = pl.call @__builtin_all_to_all_v__fp32
// CHECK-NEXT:    func.return
func.func @regions(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  scf.execute_region {
    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
    scf.yield
  }
  "foreign.region"() ({
    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  }) : () -> ()
  cf.br ^end
^end:
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  func.return
}

// Not the chip's: host bodies, kernels, wrappers and functions of no kind are left as they are.
// CHECK-LABEL: func.func @host(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @host(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @incore(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @incore(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "incore"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @aic(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @aic(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "aic"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @aiv(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @aiv(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "aiv"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @group(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @group(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "group"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @spmd(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @spmd(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "spmd"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @inline(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @inline(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "inline"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @opaque(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @opaque(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "opaque"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @chip_worker(
// CHECK-NEXT:    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : tensor<8x64xf32>
// CHECK-NEXT:    %g = pld.tensor.barrier %signal
// CHECK-NEXT:    func.return
func.func @chip_worker(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.level = "chip", pl.role = "sub_worker"} {
  %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  %g = pld.tensor.barrier %signal : !S
  func.return
}
// CHECK-LABEL: func.func @domain(
// CHECK-NEXT:    pld.comm_domain
// CHECK-NEXT:      %d = pld.tensor.all_to_all_v %in
func.func @domain(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pld.comm_domain attributes {name = "d", slots = []} {
    %d = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv : !T, !D, !S, !C, !R
  }
  func.return
}

// CHECK-LABEL: func.func @__builtin_all_to_all_v__fp32(
// CHECK-NOT:   __builtin
