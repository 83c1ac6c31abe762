// RUN: pld-opt %s --allow-unregistered-dialect -p fuse-create-assemble-to-slice | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p fuse-create-assemble-to-slice | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect -p fuse-create-assemble-to-slice,fuse-create-assemble-to-slice | filecheck %s

// Staging tensors that stay.

func.func private @fill(tensor<8x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func private @read(tensor<8x64xf32>) attributes {pl.func_type = "incore"}
func.func private @read_all(tensor<32x64xf32>) attributes {pl.func_type = "incore"}
func.func @fill2(%x: tensor<8x64xf32> {pl.dir = "out"}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8x64xf32>
}
func.func private @fill64(tensor<64x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}

// Two assembles of one tensor.
// CHECK-LABEL: func.func @two_assembles(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @two_assembles(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  %e = pl.tensor.assemble %s into %dst[16, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @two_assembles_apart(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @two_assembles_apart(%dst: tensor<32x64xf32>, %other: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %e = pl.tensor.assemble %s into %other[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// A source that is not created here, and one that is only part of it.
// CHECK-LABEL: func.func @no_create(
// CHECK:         pl.tensor.assemble
// CHECK:         pl.tensor.create
// CHECK:         func.return
func.func @no_create(%dst: tensor<32x64xf32>, %s: tensor<8x64xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  %x = pl.tensor.create : tensor<8x64xf32>
  pl.call @read(%x) : (tensor<8x64xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @part(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @part(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %c = pl.tensor.create : tensor<16x64xf32>
  %s = pl.tensor.slice %c[0, 0] [8, 64] : tensor<16x64xf32> -> tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @reordered(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @reordered(%dst: tensor<64x64xf32>) attributes {pl.func_type = "orchestration"} {
  %c = pl.tensor.create : tensor<64x64xf32>
  pl.call @fill64(%c) : (tensor<64x64xf32>) -> ()
  %s = pl.tensor.transpose %c {axes = array<i64: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %d = pl.tensor.assemble %s into %dst[0, 0] : tensor<64x64xf32>, tensor<64x64xf32>
  func.return
}

// A source that may be another tensor.
// CHECK-LABEL: func.func @either(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @either(%dst: tensor<32x64xf32>, %o: tensor<8x64xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %m = arith.select %p, %s, %o : tensor<8x64xf32>
  %d = pl.tensor.assemble %m into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// Nobody writes it: the box would keep what it had.
// CHECK-LABEL: func.func @not_filled(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @not_filled(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @read(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// Something between the two touches the destination.
// CHECK-LABEL: func.func @touched(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @touched(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  pl.call @read_all(%dst) : (tensor<32x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @touched_inside(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @touched_inside(%dst: tensor<32x64xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  scf.if %p {
    pl.call @read_all(%dst) : (tensor<32x64xf32>) -> ()
  }
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @touched_perhaps(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @touched_perhaps(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %x = "foreign.op"() : () -> tensor<8x64xf32>
  pl.call @read(%x) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @touched_by_a_slice(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @touched_by_a_slice(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %q = pl.tensor.slice %dst[0, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// It is used once more behind the assemble.
// CHECK-LABEL: func.func @used_after(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @used_after(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  pl.call @read(%s) : (tensor<8x64xf32>) -> ()
  func.return
}

// The offset, or the destination, is defined behind the create.
// CHECK-LABEL: func.func @late_offset(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @late_offset(%dst: tensor<32x64xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %i = arith.addi %n, %n : index
  %d = pl.tensor.assemble %s into %dst[%i, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// CHECK-LABEL: func.func @late_destination(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @late_destination(%n: index) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %dst = pl.tensor.create : tensor<32x64xf32>
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// The assemble stands in another block.
// CHECK-LABEL: func.func @other_block(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @other_block(%dst: tensor<32x64xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  scf.if %p {
    %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  }
  func.return
}

// A destination with strides, or a staging tensor in another layout.
// CHECK-LABEL: func.func @strided(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @strided(%dst: tensor<32x64xf32, {stride = array<i64: 128, 1>}>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32, {stride = array<i64: 128, 1>}>
  func.return
}

// CHECK-LABEL: func.func @layout(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @layout(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32, {layout = "dn"}>
  pl.call @fill(%s) : (tensor<8x64xf32, {layout = "dn"}>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32, {layout = "dn"}>, tensor<32x64xf32>
  func.return
}

// A window, and a use that cannot take one.
// CHECK-LABEL: func.func @kind(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @kind(%dst: !pld.dist_tensor<tensor<32x64xf32>>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %v = pl.tensor.view %s : tensor<8x64xf32> -> tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %v into %dst[8, 0] : tensor<8x64xf32>, !pld.dist_tensor<tensor<32x64xf32>>
  func.return
}

// It leaves the function.
// CHECK-LABEL: func.func @returned(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
// CHECK:         func.return
func.func @returned(%dst: tensor<32x64xf32>) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return %s : tensor<8x64xf32>
}

// Other functions than chip orchestrations.
// CHECK-LABEL: func.func @group(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
func.func @group(%dst: tensor<32x64xf32>) attributes {pl.func_type = "group"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// Two that overlap in time: the second is filled while the first, now in the destination, is.
// CHECK-LABEL: func.func @interleaved(
// CHECK-NEXT:    %s = pl.tensor.slice %dst[8, 0] [8, 64]
// CHECK-NEXT:    %u = pl.tensor.create
// CHECK-NEXT:    pl.call @fill(%s)
// CHECK-NEXT:    pl.call @fill(%u)
// CHECK-NEXT:    {{.*}}pl.tensor.assemble %u into %dst[0, 0]
func.func @interleaved(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %u = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  pl.call @fill(%u) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  %e = pl.tensor.assemble %u into %d[0, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// What the runtime allocates for a submit is no create.
// CHECK-LABEL: func.func @allocated(
// CHECK:         pl.submit @fill2()
// CHECK:         pl.tensor.assemble
func.func @allocated(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s, %t = pl.submit @fill2() : () -> (tensor<8x64xf32>, !pl.task_id)
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}

// The same memory under another type.
// CHECK-LABEL: func.func @retyped(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
func.func @retyped(%dst: tensor<32x64xf32>) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  pl.call @fill(%s) : (tensor<8x64xf32>) -> ()
  %v = pl.tensor.set_validshape %s : tensor<8x64xf32> -> tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>
  %d = pl.tensor.assemble %v into %dst[8, 0] : tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>, tensor<32x64xf32>
  func.return
}

// Filled through a value that may be another tensor.
// CHECK-LABEL: func.func @filled_perhaps(
// CHECK:         pl.tensor.create
// CHECK:         pl.tensor.assemble
func.func @filled_perhaps(%dst: tensor<32x64xf32>, %o: tensor<8x64xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %s = pl.tensor.create : tensor<8x64xf32>
  %m = arith.select %p, %s, %o : tensor<8x64xf32>
  pl.call @fill(%m) : (tensor<8x64xf32>) -> ()
  %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
  func.return
}
