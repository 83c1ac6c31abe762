// RUN: pld-opt %s -p fuse-create-assemble-to-slice | filecheck %s
// RUN: xdsl-opt %s -p fuse-create-assemble-to-slice | filecheck %s
// RUN: pld-opt %s -p fuse-create-assemble-to-slice,fuse-create-assemble-to-slice | filecheck %s

// Staging tensors that become a box of their destination.

func.func private @fill(tensor<8x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func private @read(tensor<8x64xf32>) attributes {pl.func_type = "incore"}
func.func private @read_all(tensor<32x64xf32>) attributes {pl.func_type = "incore"}
func.func @fill2(%x: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    %s = pl.tensor.slice %dst[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
// CHECK-NEXT:    pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
// CHECK-NEXT:    pl.call @read_all(%dst) : (tensor<32x64xf32>) -> ()
// CHECK-NEXT:    func.return
func.func @plain(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  pl.call @read_all(%d) : (tensor<32x64xf32>) -> ()
  func.return
}

// Through the results of calls, filled twice, read in between.
// CHECK-LABEL: func.func @results(
// CHECK:         %s = pl.tensor.slice %dst[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
// CHECK-NOT:     pl.tensor.assemble
// CHECK:         func.return
func.func @results(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %t = pl.call @fill2(%s) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  pl.call @read(%s) : (tensor<8x64xf32>) -> ()
  %u = pl.call @fill2(%t) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %d = pl.tensor.assemble %u into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  pl.call @read_all(%d) : (tensor<32x64xf32>) -> ()
  func.return
}

// Filled in a loop that carries it.
// CHECK-LABEL: func.func @filled_in_a_loop(
// CHECK:         %s = pl.tensor.slice %dst[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
// CHECK-NOT:     pl.tensor.assemble
// CHECK:         func.return
func.func @filled_in_a_loop(%dst: tensor<32x64xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %u = scf.for %i = %n to %n step %n iter_args(%x = %s) -> (tensor<8x64xf32>) {
    %y = pl.call @fill2(%x) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.yield %y : tensor<8x64xf32>
  }
  %d = pl.tensor.assemble %u into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// Ranks differ: leading ones.
// CHECK-LABEL: func.func @lower_rank(
// CHECK:         %s = pl.tensor.slice %dst[%i, 0, 0] [1, 8, 64] : tensor<4x8x64xf32> -> tensor<8x64xf32>
// CHECK-NOT:     pl.tensor.assemble
// CHECK:         func.return
func.func @lower_rank(%dst: tensor<4x8x64xf32>, %i: index) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[%i, 0, 0] : tensor<8x64xf32>, tensor<4x8x64xf32>
  func.return
}

// A window as the destination: the box is a window's, and launches take it.
// CHECK-LABEL: func.func @window(
// CHECK-NEXT:    %s = pl.tensor.slice %dst[8, 0] [8, 64] : !pld.dist_tensor<tensor<32x64xf32>> -> !pld.dist_tensor<tensor<8x64xf32>>
// CHECK-NEXT:    pl.call @fill(%s) : (!pld.dist_tensor<tensor<8x64xf32>>) -> ()
// CHECK-NEXT:    func.return
func.func @window(%dst: !pld.dist_tensor<tensor<32x64xf32>>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, !pld.dist_tensor<tensor<32x64xf32>>
  func.return
}

// Carries that yield themselves go, from the inside out; others stay, and so does what a loop says.
// CHECK-LABEL: func.func @carried(
// CHECK:         [[C:%.*]] = scf.for %j = %n to %n step %n iter_args(%k = %n) -> (index) {
// CHECK-NEXT:      scf.for %i = %n to %n step %n {
// CHECK-NEXT:        %s = pl.tensor.slice %dst[%i, 0] [8, 64]
// CHECK-NEXT:        pl.call @fill(%s)
// CHECK-NEXT:      } {pl.kind = "parallel"}
// CHECK-NEXT:      scf.yield %j : index
// CHECK-NEXT:    }
// CHECK-NEXT:    pl.call @read_all(%dst)
func.func @carried(%dst: tensor<32x64xf32>, %n: index) attributes {pl.func_type = "graph"} {
  %d, %c = scf.for %j = %n to %n step %n iter_args(%x = %dst, %k = %n) -> (tensor<32x64xf32>, index) {
    %y = scf.for %i = %n to %n step %n iter_args(%z = %x) -> (tensor<32x64xf32>) {
      %s = pl.tensor.create : tensor<8x64xf32>
      pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
      %w = pl.tensor.assemble %s into %z[%i, 0] : tensor<8x64xf32>, tensor<32x64xf32>
      scf.yield %w : tensor<32x64xf32>
    } {pl.kind = "parallel"}
    scf.yield %y, %j : tensor<32x64xf32>, index
  }
  pl.call @read_all(%d) : (tensor<32x64xf32>) -> ()
  func.return
}

// A staging tensor in a staging tensor, and two that follow each other.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:    %m = pl.tensor.slice %dst[0, 0] [16, 64] : tensor<32x64xf32> -> tensor<16x64xf32>
// CHECK-NEXT:    %s = pl.tensor.slice %m[8, 0] [8, 64] : tensor<16x64xf32> -> tensor<8x64xf32>
// CHECK-NEXT:    pl.call @fill(%s)
// CHECK-NEXT:    %u = pl.tensor.slice %m[0, 0] [8, 64] : tensor<16x64xf32> -> tensor<8x64xf32>
// CHECK-NEXT:    pl.call @fill(%u)
// CHECK-NEXT:    pl.call @fill16(%m)
// CHECK-NEXT:    func.return
func.func private @fill16(tensor<16x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @nested(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %m = pl.tensor.create : tensor<16x64xf32>
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %m1 = pl.tensor.assemble %s into %m[8, 0] : tensor<8x64xf32>, tensor<16x64xf32>
  %u = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%u) : (tensor<8x64xf32>) -> ()
  %m2 = pl.tensor.assemble %u into %m1[0, 0] : tensor<8x64xf32>, tensor<16x64xf32>
  pl.call @fill16(%m2) : (tensor<16x64xf32>) -> ()
  %d = pl.tensor.assemble %m2 into %dst[0, 0] : tensor<16x64xf32>, tensor<32x64xf32>
  func.return
}

// The destination is made outside the loop.
// CHECK-LABEL: func.func @outside(
// CHECK:         scf.for
// CHECK-NEXT:      %s = pl.tensor.slice %dst[%i, 0] [8, 64]
// CHECK-NOT:     pl.tensor.assemble
// CHECK:         func.return
func.func @outside(%n: index) attributes {pl.func_type = "orchestration"} {
  %dst = pl.tensor.create : tensor<32x64xf32>
  scf.for %i = %n to %n step %n {
    %s = pl.tensor.create : tensor<8x64xf32>
    pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
    %d = pl.tensor.assemble %s into %dst[%i, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  }
  func.return
}
