// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

func.func @f(%input: tensor<8xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input must be of rank 2, [NR*MAX_RECV, SIZE], not tensor<8xf32>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x16xf32>, %target: !pld.dist_tensor<tensor<8x12xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must have one row width (dimension 1), not tensor<8x16xf32> and !pld.dist_tensor<tensor<8x12xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x16xf32>, !pld.dist_tensor<tensor<8x12xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xi8>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input tensor<8x64xi8> and target !pld.dist_tensor<tensor<8x64xf32>> must have one element type
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xi8>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<6x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must have one dimension 0, not tensor<6x64xf32> and !pld.dist_tensor<tensor<8x64xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<6x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<0x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input must have positive extents, not tensor<0x64xf32>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<0x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x?xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must have one row width (dimension 1), not tensor<8x?xf32> and !pld.dist_tensor<tensor<8x64xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x?xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: f32, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input must be a tensor or a pld.dist_tensor, not f32
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : f32, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: tensor<8x64xf32>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, tensor<8x64xf32>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be of rank 2, [NR*MAX_RECV, SIZE], not !pld.dist_tensor<tensor<8xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<?x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must have a static dimension 0, not !pld.dist_tensor<tensor<?x64xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<?x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<7x64xf32>, %target: !pld.dist_tensor<tensor<7x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: dimension 0 of target must be a positive multiple of the 2 ranks that signal states, not 7
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<7x64xf32>, !pld.dist_tensor<tensor<7x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<0x16xf32>, %target: !pld.dist_tensor<tensor<0x16xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: dimension 0 of target must be a positive multiple of the 2 ranks that signal states, not 0
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<0x16xf32>, !pld.dist_tensor<tensor<0x16xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x0xf32>, %target: !pld.dist_tensor<tensor<8x0xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must have rows of at least one element, not !pld.dist_tensor<tensor<8x0xf32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x0xf32>, !pld.dist_tensor<tensor<8x0xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: tensor<2x4xi32>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x4xi32>: peers can only address a window
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, tensor<2x4xi32>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xf32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must have elements of i32, not f32
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xf32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<8xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must be of rank 2, [NR, S], not !pld.dist_tensor<tensor<8xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<?x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must have static positive extents [NR, S], not !pld.dist_tensor<tensor<?x4xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<?x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x?xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must have static positive extents [NR, S], not !pld.dist_tensor<tensor<2x?xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x?xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<0x1xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must have static positive extents [NR, S], not !pld.dist_tensor<tensor<0x1xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<0x1xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x0xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must have static positive extents [NR, S], not !pld.dist_tensor<tensor<2x0xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x0xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2xi64>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts must have elements of i32, not i64
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2xi64>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<3xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts must be [2] or [2, 1], one count for each of the 2 ranks that signal states, not tensor<3xi32>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<3xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<?x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts must be [2] or [2, 1], one count for each of the 2 ranks that signal states, not tensor<?x1xi32>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<?x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<1x2xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts must be [2] or [2, 1], one count for each of the 2 ranks that signal states, not tensor<1x2xi32>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<1x2xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: tensor<2x1xi32>) {
  // CHECK: :3: error: recv_counts must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, tensor<2x1xi32>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi64>>) {
  // CHECK: :3: error: recv_counts must have elements of i32, not i64
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi64>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<3x1xi32>>) {
  // CHECK: :3: error: recv_counts must be [2, 1], one count for each of the 2 ranks that signal states, not !pld.dist_tensor<tensor<3x1xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<3x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2xi32>>) {
  // CHECK: :3: error: recv_counts must be [2, 1], one count for each of the 2 ranks that signal states, not !pld.dist_tensor<tensor<2xi32>>
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32, {layout = "dn"}>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input must be packed and row-major, since it is addressed flat: its layout is dn, not nd
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32, {layout = "dn"}>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32, {stride = array<i64: 32, 1>}>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input must be packed and row-major, since it is addressed flat: its stride is [32, 1], not the packed [64, 1]
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32, {stride = array<i64: 32, 1>}>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 1, 8>}>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be packed and row-major, since it is addressed flat: its stride is [1, 8], not the packed [64, 1]
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32, {stride = array<i64: 1, 8>}>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32, {layout = "nz"}>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal must be packed and row-major, since it is addressed flat: its layout is nz, not nd
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32, {layout = "nz"}>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32, {valid_shape = array<i64: 1, 1>}>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts must be packed and row-major, since it is addressed flat: its valid shape [1, 1] is narrower than its shape [2, 1]
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32, {valid_shape = array<i64: 1, 1>}>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32, {layout = "dn"}>>) {
  // CHECK: :3: error: recv_counts must be packed and row-major, since it is addressed flat: its layout is dn, not nd
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32, {layout = "dn"}>>
  func.return
}

// -----

func.func @f(%input: !pld.dist_tensor<tensor<8x64xf32>>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must not be the same value
  %0 = pld.tensor.all_to_all_v %target, %target, %signal, %send_counts, %recv_counts : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: send_counts and recv_counts must not be the same value
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %recv_counts, %recv_counts : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x1xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: signal and recv_counts must not be the same value
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %signal : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  %n = arith.constant 0 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 0
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts core_num(%n) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  %n = arith.constant -1 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: -1
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts core_num(%n) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  %n = arith.constant 2147483648 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 2147483648
  %0 = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts core_num(%n) : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>, %n: i32) {
  // CHECK: :3: error: operand 'core_num' at position 5 does not verify: i32 should be of base attribute index
  %0 = "pld.tensor.all_to_all_v"(%input, %target, %signal, %send_counts, %recv_counts, %n) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, i32) -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: Expected 5 or 6 operands, but got 4
  %0 = "pld.tensor.all_to_all_v"(%input, %target, %signal, %send_counts) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>) -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%input: tensor<8x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: result 'result' at position 0 does not verify: attribute !pld.dist_tensor<tensor<8x64xf32>> expected from variable 'T', but got !pld.dist_tensor<tensor<4x64xf32>>
  %0 = "pld.tensor.all_to_all_v"(%input, %target, %signal, %send_counts, %recv_counts) : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<4x64xf32>>
  func.return
}

// -----

func.func @f(%input: tensor<100x32xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: input and target must have one row width (dimension 1), not tensor<100x32xf32> and !pld.dist_tensor<tensor<8x64xf32>>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x32xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<0x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: input must have positive extents, not tensor<0x64xf32>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<0x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf16>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: input tensor<100x64xf16> and target !pld.dist_tensor<tensor<8x64xf32>> must have one element type
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf16>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: tensor<8x64xf32>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, tensor<8x64xf32>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<7x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: dimension 0 of target must be a positive multiple of the 2 ranks that signal states, not 7
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<7x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x0xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: signal must have static positive extents [NR, S], not !pld.dist_tensor<tensor<2x0xi32>>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x0xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: tensor<2x1xi32>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: send_counts must be a window, not tensor<2x1xi32>: peers read it
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<3x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: send_counts must be [2] or [2, 1], one count for each of the 2 ranks that signal states, not !pld.dist_tensor<tensor<3x1xi32>>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<3x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<3x1xi32>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: recv_counts must be [2, 1], one count for each of the 2 ranks that signal states, not tensor<3x1xi32>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<3x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi64>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: recv_counts must have elements of i32, not i64
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi64>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<7xi32>, %n: index) {
  // CHECK: :3: error: index must be [8] or [2, 4], a row for each that target can receive, not tensor<7xi32>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<7xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<4x2xi32>, %n: index) {
  // CHECK: :3: error: index must be [8] or [2, 4], a row for each that target can receive, not tensor<4x2xi32>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<4x2xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<?xi32>, %n: index) {
  // CHECK: :3: error: index must be [8] or [2, 4], a row for each that target can receive, not tensor<?xi32>
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<?xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi64>, %n: index) {
  // CHECK: :3: error: index must have elements of i32, not i64
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi64>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32, {layout = "dn"}>, %n: index) {
  // CHECK: :3: error: index must be packed and row-major, since it is addressed flat: its layout is dn, not nd
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32, {layout = "dn"}>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: !pld.dist_tensor<tensor<2x1xi32>>, %index: tensor<8xi32>, %n: index) {
  // CHECK: :3: error: send_counts and recv_counts must not be the same value
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %send_counts, %index core_num(%n) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>, %n: index) {
  %z = arith.constant 0 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 0
  %0 = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts, %index core_num(%z) : tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>
  func.return
}

// -----

func.func @f(%input: tensor<100x64xf32>, %target: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %send_counts: !pld.dist_tensor<tensor<2x1xi32>>, %recv_counts: tensor<2x1xi32>, %index: tensor<8xi32>) {
  // CHECK: :3: error: Expected 7 operands, but got 6
  %0 = "pld.tensor.indexed_all_to_all_v"(%input, %target, %signal, %send_counts, %recv_counts, %index) : (tensor<100x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>, tensor<8xi32>) -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf16>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input tensor<8x64xf32> and target !pld.dist_tensor<tensor<8x64xf16>> must have one element type
  %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf16>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<8x64xf32>, tensor<8x64xf32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: tensor<2x1xi32>) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, tensor<2x1xi32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi64>>) {
  // CHECK: :3: error: signal must have elements of i32, not i64
  %0 = pld.tensor.all_to_all %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi64>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must not be the same value
  %0 = pld.tensor.all_to_all %d, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf16>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input tensor<8x64xf32> and target !pld.dist_tensor<tensor<8x64xf16>> must have one element type
  %0 = pld.tensor.allgather %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf16>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.allgather %t, %d, %sig : tensor<8x64xf32>, tensor<8x64xf32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: tensor<2x1xi32>) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  %0 = pld.tensor.allgather %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, tensor<2x1xi32>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi64>>) {
  // CHECK: :3: error: signal must have elements of i32, not i64
  %0 = pld.tensor.allgather %t, %d, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi64>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: input and target must not be the same value
  %0 = pld.tensor.allgather %d, %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.allreduce %t, %sig {op = "sum"} : tensor<8x64xf32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xi32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must have elements of f16 or f32, not i32
  %0 = pld.tensor.allreduce %d, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xf32>>) {
  // CHECK: :3: error: signal must have elements of i32, not f32
  %0 = pld.tensor.allreduce %d, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: property 'op' expected in operation 'pld.tensor.allreduce'
  %0 = pld.tensor.allreduce %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: op must be one of sum, max, min, prod, not "mean"
  %0 = pld.tensor.allreduce %d, %sig {op = "mean"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: op must be one of sum, max, min, prod, not 1 : i32
  %0 = pld.tensor.allreduce %d, %sig {op = 1 : i32} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: mode must be one of mesh, ring, not "tree"
  %0 = pld.tensor.allreduce %d, %sig {op = "sum", mode = "tree"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  %z = arith.constant 0 : index
  // CHECK: :3: error: core_num is out of range [1, 2147483647]: 0
  %0 = pld.tensor.allreduce %d, %sig core_num(%z) {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: signal may be absent only in a host body (pl.level host, pl.role orchestrator); 'f' is none
  %0 = pld.tensor.allreduce %d {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: signal may be absent only in a host body (pl.level host, pl.role orchestrator); 'f' is none
  %0 = pld.tensor.allreduce %d {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: operand 'signal' at position 1 does not verify: signal must have elements of i32, not f32
  %0 = "pld.tensor.allreduce"(%d, %d) <{op = "sum", mode = "mesh", operandSegmentSizes = array<i32: 1, 1, 0>}> : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<8x64xf32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.reduce_scatter %t, %sig {op = "sum"} : tensor<8x64xf32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: tensor<2x1xi32>) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<2x1xi32>: peers can only address a window
  %0 = pld.tensor.reduce_scatter %d, %sig {op = "sum"} : !pld.dist_tensor<tensor<8x64xf32>>, tensor<2x1xi32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: op must be one of sum, max, min, prod, not "or"
  %0 = pld.tensor.reduce_scatter %d, %sig {op = "or"} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target and signal must not be the same value
  %0 = pld.tensor.reduce_scatter %sig, %sig {op = "sum"} : !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.broadcast %t, %sig : tensor<8x64xf32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi64>>) {
  // CHECK: :3: error: signal must have elements of i32, not i64
  %0 = pld.tensor.broadcast %d, %sig : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi64>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: root must not be negative: -1
  %0 = pld.tensor.broadcast %d, %sig {root = -1 : i64} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>, %sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: root must be an i64 integer, not 0 : i32
  %0 = pld.tensor.broadcast %d, %sig {root = 0 : i32} : !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%sig: !pld.dist_tensor<tensor<2x1xi32>>) {
  // CHECK: :3: error: target and signal must not be the same value
  %0 = pld.tensor.broadcast %sig, %sig : !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// -----

func.func @f(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: signal must be a pld.dist_tensor, not tensor<8x64xf32>: peers can only address a window
  %0 = pld.tensor.barrier %t : tensor<8x64xf32>
  func.return
}

// -----

func.func @f(%d: !pld.dist_tensor<tensor<8x64xf32>>) {
  // CHECK: :3: error: signal must have elements of i32, not f32
  %0 = pld.tensor.barrier %d : !pld.dist_tensor<tensor<8x64xf32>>
  func.return
}
