// RUN: pld-opt %s -p lower-l2-tensor-collectives --print-debuginfo | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s --check-prefix=ATTRS

// The call and its core_num have the location of the collective, the kernel that of its first one. Nothing else of the
// collective goes over to the call: its own attributes mean nothing on a launch.

!T = tensor<8x64xf32>
!D = !pld.dist_tensor<tensor<8x64xf32>>
!S = !pld.dist_tensor<tensor<2x4xi32>>
!C = tensor<2x1xi32>
!R = !pld.dist_tensor<tensor<2x1xi32>>
func.func @f(%in: !T, %target: !D, %signal: !S, %counts: !C, %recv: !R) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 5 : index
  %a = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv core_num(%n) {user.note = "mine", tag} : !T, !D, !S, !C, !R
  %b = pld.tensor.all_to_all_v %in, %target, %signal, %counts, %recv {user.note = "mine"} : !T, !D, !S, !C, !R
  func.return
}

// CHECK:      %c4 = arith.constant 4 : index loc("{{.*}}locations.mlir":14:3)
// CHECK-NEXT: %a = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) core_num(%c4) sync_start : ({{.*}}) -> {{.*}} loc("{{.*}}locations.mlir":14:3)
// CHECK-NEXT: %b = pl.call @__builtin_all_to_all_v__fp32(%in, %target, %signal, %counts, %recv) : ({{.*}}) -> {{.*}} loc("{{.*}}locations.mlir":15:3)
// CHECK:      func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32> loc("{{.*}}locations.mlir":14:3)
// CHECK-NEXT: func.return %target : {{.*}} loc("{{.*}}locations.mlir":14:3)
// CHECK-NEXT: } loc("{{.*}}locations.mlir":14:3)

// ATTRS-NOT: user.note
// ATTRS-NOT: tag
