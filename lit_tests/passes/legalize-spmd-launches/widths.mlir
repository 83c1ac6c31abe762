// RUN: pld-opt %s -p legalize-spmd-launches | filecheck %s
// RUN: xdsl-opt %s -p legalize-spmd-launches | filecheck %s
// RUN: pld-opt %s -p legalize-spmd-launches,legalize-spmd-launches | filecheck %s

// Which widths are provably at least 1, and which are not.

func.func @k(%a: tensor<8xf32> {pl.dir = "inout"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @constant(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @constant(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @folded(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @folded(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 4 : index
  %m = arith.muli %n, %n : index
  %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @loop_from_1(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @loop_from_1(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %r = pl.call @k(%a) core_num(%i) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @bound_inside_its_loop(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @bound_inside_its_loop(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @next_of_loop_below_64(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @next_of_loop_below_64(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %m = arith.addi %i, %c1 : index
    %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @rest_of_tile(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @rest_of_tile(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c8 {
    %m = arith.subi %c64, %i : index
    %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @at_least_1(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @at_least_1(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %m = arith.maxsi %n, %c1 : index
  %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @selected(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @selected(%a: tensor<8xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = arith.select %p, %c1, %c8 : index
  %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @guarded_sgt(
// CHECK:         scf.if %p
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @guarded_sgt(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @guarded_from_the_right(
// CHECK:         scf.if %p
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @guarded_from_the_right(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sle, %c1, %n : index
  scf.if %p {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @guarded_by_else(
// CHECK:         scf.if %p
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @guarded_by_else(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %p = arith.cmpi slt, %n, %c1 : index
  scf.if %p {
  } else {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @guarded_eq(
// CHECK:         scf.if %p
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @guarded_eq(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %p = arith.cmpi eq, %n, %c4 : index
  scf.if %p {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @guarded_ne(
// CHECK:         scf.if %p
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @guarded_ne(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c4 = arith.constant 4 : index
  %p = arith.cmpi ne, %c4, %n : index
  scf.if %p {
  } else {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @ranks(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @ranks(%a: tensor<8xf32>, %x: !pld.comm_ctx) attributes {pl.func_type = "orchestration"} {
  %r32 = pld.system.nranks %x : i32
  %n = arith.index_cast %r32 : i32 to index
  %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @rounded_up(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @rounded_up(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c1 to %n step %c1 {
    %m = arith.ceildivsi %i, %c8 : index
    %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @remainder_plus_1(
// CHECK-NOT:     scf.if
// CHECK:         pl.call @k(%a) core_num(%{{.*}})
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @remainder_plus_1(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.remsi %i, %c8 : index
    %k = arith.addi %m, %c1 : index
    %r = pl.call @k(%a) core_num(%k) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @parameter(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @parameter(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @loop_from_0(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @loop_from_0(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = pl.call @k(%a) core_num(%i) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @step_may_go_down(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @step_may_go_down(%a: tensor<8xf32>, %n: index, %s: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %s {
    %r = pl.call @k(%a) core_num(%i) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @may_wrap(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @may_wrap(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %m = arith.addi %i, %i : index
    %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @rounded_down(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @rounded_down(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c1 to %n step %c1 {
    %m = arith.floordivsi %i, %c8 : index
    %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @unsigned_of_negative(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @unsigned_of_negative(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %m = arith.maxui %n, %c1 : index
  %r = pl.call @k(%a) core_num(%m) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @remainder_of_negative(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @remainder_of_negative(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = arith.remsi %n, %c8 : index
  %k = arith.addi %m, %c1 : index
  %r = pl.call @k(%a) core_num(%k) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK-LABEL: func.func @bound_from_below_0(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @bound_from_below_0(%a: tensor<8xf32>, %n: index, %m: index) attributes {pl.func_type = "orchestration"} {
  %c1 = arith.constant 1 : index
  scf.for %i = %m to %n step %c1 {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// On this side the width is provably not positive.
// CHECK-LABEL: func.func @wrong_side(
// CHECK-NOT:     pl.call
// CHECK:         func.return
func.func @wrong_side(%a: tensor<8xf32>, %n: index, %m: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
  } else {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @other_value(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @other_value(%a: tensor<8xf32>, %n: index, %m: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi sgt, %m, %c0 : index
  scf.if %p {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @unsigned_guard(
// CHECK:         scf.if %launched
// CHECK-NEXT:      {{.*}}pl.call @k(%a) core_num(%{{.*}})
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
func.func @unsigned_guard(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi ugt, %n, %c0 : index
  scf.if %p {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// 0 or 1: neither provably a launch nor provably none.
// CHECK-LABEL: func.func @none_or_one(
// CHECK:         scf.for %[[W:.*]] = 
// CHECK:           %{{.*}} = arith.cmpi sgt, %[[W]], %{{.*}} : index
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        pl.call @k(%a) core_num(%[[W]])
// CHECK:         func.return
func.func @none_or_one(%a: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %r = pl.call @k(%a) core_num(%i) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}
