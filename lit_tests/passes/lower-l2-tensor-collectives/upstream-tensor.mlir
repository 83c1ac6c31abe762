// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s

// What upstream tensor ops may do: be read, and stand where the chip rail has no say.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>

func.func private @reads(!T, !T) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}]}
func.func private @makes() -> !T attributes {pl.func_type = "incore"}

// A cast and a slice of whole rows are looked through; its offset may be a value, its source may lie in a chain.
// CHECK-LABEL: func.func @chip(
// CHECK:         %d = pl.call @__builtin_all_to_all_v__fp32(%v, %target, %signal, %count, %recv)
func.func @chip(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R, %e: tensor<?x64xf32>, %o: index, %many: tensor<4x1xi32>) attributes {pl.func_type = "orchestration"} {
  %a = tensor.cast %e : tensor<?x64xf32> to tensor<32x64xf32>
  %b = pl.tensor.slice %a[0, 0] [24, 64] : tensor<32x64xf32> -> tensor<24x64xf32>
  %v = tensor.extract_slice %b[%o, 0] [8, 64] [1, 1] : tensor<24x64xf32> to !T
  %count = tensor.extract_slice %many[2, 0] [2, 1] [1, 1] : tensor<4x1xi32> to !C
  %d = pld.tensor.all_to_all_v %v, %target, %signal, %count, %recv : !T, !D, !S, !C, !R
  %x = tensor.empty() : !T
  %y = pl.tensor.create : !T
  pl.call @reads(%x, %y) : (!T, !T) -> ()
  %z = pl.call @makes() : () -> !T
  pl.call @reads(%x, %z) : (!T, !T) -> ()
  %s = pl.tensor.slice %in[0, 0] [4, 64] : !T -> tensor<4x64xf32>
  func.call @helper(%x) : (!T) -> ()
  func.return
}

// Helpers, kernels and host bodies may do as they like.
// CHECK-LABEL: func.func @helper(
// CHECK:         pl.call @reads(
func.func @helper(%in: !T) attributes {pl.func_type = "opaque"} {
  %e = tensor.empty() : !T
  pl.call @reads(%in, %e) : (!T, !T) -> ()
  func.return
}
// CHECK-LABEL: func.func @host(
// CHECK:         pl.call @reads(
func.func @host(%in: !T) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %e = tensor.empty() : !T
  pl.call @reads(%in, %e) : (!T, !T) -> ()
  func.return
}
// CHECK-LABEL: func.func @group(
// CHECK:         pl.call @reads(
func.func @group(%in: !T) attributes {pl.func_type = "group"} {
  %e = tensor.empty() : !T
  pl.call @reads(%in, %e) : (!T, !T) -> ()
  func.return
}
