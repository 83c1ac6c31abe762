// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: :38: error: !pld.dist_tensor takes a ranked tensor type: !pld.dist_tensor<tensor<...>>
func.func private @f(!pld.dist_tensor)

// -----

// CHECK: :39: error: !pld.dist_tensor takes a ranked tensor type, not f32
func.func private @f(!pld.dist_tensor<f32>)

// -----

// CHECK: :39: error: !pld.dist_tensor takes a ranked tensor type, not tensor<*xf32>
func.func private @f(!pld.dist_tensor<tensor<*xf32>>)

// -----

// CHECK: :52: error: Expected '>'
func.func private @f(!pld.dist_tensor<tensor<4xf32>, f32>)

// -----

// CHECK: :30: error: !pl.tile takes a ranked tensor type: !pl.tile<tensor<...>>
func.func private @f(!pl.tile)

// -----

// CHECK: :31: error: !pl.tile takes a ranked tensor type, not memref<4xf32>
func.func private @f(!pl.tile<memref<4xf32>>)

// -----

// CHECK: :1: error: a tile has a static shape, not that of tensor<4x?xf32>
func.func private @f(!pl.tile<tensor<4x?xf32>>)

// -----

// CHECK: :34: error: !pl.task_id takes no parameters
func.func private @f(!pl.task_id<f32>)

// -----

// CHECK: :36: error: !pld.comm_ctx takes no parameters
func.func private @f(!pld.comm_ctx<f32>)

// -----

// CHECK: :41: error: !pld.window_buffer takes no parameters
func.func private @f(!pld.window_buffer<4>)

// -----

// CHECK: :1: error: the encoding of tensor<4xf32, "sparse"> must be a view, a dictionary with the keys layout, stride and valid_shape
func.func private @f(!pld.dist_tensor<tensor<4xf32, "sparse">>)

// -----

// CHECK: :1: error: the encoding of tensor<4xf32, [1 : i64, 2 : i64]> must be a view, a dictionary with the keys layout, stride and valid_shape
func.func private @f(!pl.tile<tensor<4xf32, [1, 2]>>)

// -----

// CHECK: :1: error: unknown key 'strides' in the view of tensor<4xf32, {layout = "nd", strides = array<i64: 1>}>: the keys are layout, stride and valid_shape
func.func private @f(!pld.dist_tensor<tensor<4xf32, {layout = "nd", strides = array<i64: 1>}>>)

// -----

// CHECK: :1: error: parameter 0: unknown key 'strides' in the view of tensor<4xf32, {layout = "nd", strides = array<i64: 1>}>: the keys are layout, stride and valid_shape
func.func private @f(tensor<4xf32, {layout = "nd", strides = array<i64: 1>}>)

// -----

// CHECK: :1: error: parameter 1: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
func.func private @f(i32, tensor<4xf32, {layout = "zz"}>)

// -----

// CHECK: :1: error: parameter 0: the layout of tensor<4xf32, {layout = 3 : i64}> must be one of nd, dn, nz, not 3 : i64
func.func private @f(tensor<4xf32, {layout = 3 : i64}>)

// -----

// CHECK: :1: error: result 1: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
func.func private @f() -> (i32, tensor<4xf32, {layout = "zz"}>)

// -----

// CHECK: :1: error: parameter 0: the stride of tensor<4xf32, {stride = [1 : i64]}> must be an array<i64>, not [1 : i64]
func.func private @f(tensor<4xf32, {stride = [1]}>)

// -----

// CHECK: :1: error: parameter 0: the stride of tensor<4xf32, {stride = array<i32: 1>}> must be an array<i64>, not array<i32: 1>
func.func private @f(tensor<4xf32, {stride = array<i32: 1>}>)

// -----

// CHECK: :1: error: parameter 0: the stride of tensor<4x4xf32, {stride = array<i64: 1>}> has 1 entries for rank 2
func.func private @f(tensor<4x4xf32, {stride = array<i64: 1>}>)

// -----

// CHECK: :1: error: parameter 0: the strides of tensor<4x4xf32, {stride = array<i64: 4, 0>}> must be positive, not 0
func.func private @f(tensor<4x4xf32, {stride = array<i64: 4, 0>}>)

// -----

// CHECK: :1: error: parameter 0: the valid_shape of tensor<4xf32, {valid_shape = "x"}> must be an array<i64>, not "x"
func.func private @f(tensor<4xf32, {valid_shape = "x"}>)

// -----

// CHECK: :1: error: parameter 0: the valid_shape of tensor<4xf32, {valid_shape = array<i64: 4, 4>}> has 2 entries for rank 1
func.func private @f(tensor<4xf32, {valid_shape = array<i64: 4, 4>}>)

// -----

// CHECK: :1: error: parameter 0: a valid extent of tensor<4xf32, {valid_shape = array<i64: 5>}> must lie between 0 and the extent, not 5
func.func private @f(tensor<4xf32, {valid_shape = array<i64: 5>}>)

// -----

// CHECK: :1: error: parameter 0: a valid extent of tensor<4xf32, {valid_shape = array<i64: -1>}> must lie between 0 and the extent, not -1
func.func private @f(tensor<4xf32, {valid_shape = array<i64: -1>}>)

// -----

// CHECK: :1: error: parameter 0: a valid extent of tensor<?xf32, {valid_shape = array<i64: -1>}> must lie between 0 and the extent, not -1
func.func private @f(tensor<?xf32, {valid_shape = array<i64: -1>}>)

// -----

func.func @f(%t: tensor<4xf32>, %n: index) {
  %0 = "test.op"() : () -> tensor<4xf32, {layout = "zz"}>
  // CHECK: :3: error: result 0: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
  %1 = scf.for %i = %n to %n step %n iter_args(%u = %0) -> (tensor<4xf32, {layout = "zz"}>) {
    scf.yield %u : tensor<4xf32, {layout = "zz"}>
  }
  func.return
}

// -----

func.func private @kernel(tensor<4xf32>) attributes {pl.func_type = "incore"}
func.func @f() {
  %0 = "test.op"() : () -> tensor<4xf32, {layout = "zz"}>
  // CHECK: :3: error: argument 0: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
  pl.call @kernel(%0) : (tensor<4xf32, {layout = "zz"}>) -> ()
  func.return
}

// -----

func.func private @kernel() -> tensor<4xf32> attributes {pl.func_type = "incore"}
func.func @f() {
  // CHECK: :3: error: result 0: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
  %0 = pl.call @kernel() : () -> tensor<4xf32, {layout = "zz"}>
  func.return
}

// -----

func.func private @kernel() -> tensor<4xf32> attributes {pl.func_type = "incore"}
func.func @f() {
  // CHECK: :3: error: result 0: the layout of tensor<4xf32, {layout = "zz"}> must be one of nd, dn, nz, not "zz"
  %0, %1 = pl.submit @kernel() : () -> (tensor<4xf32, {layout = "zz"}>, !pl.task_id)
  func.return
}

// -----

func.func @f() {
  // CHECK: :3: error: the encoding of tensor<4xf32, "sparse"> must be a view, a dictionary with the keys layout, stride and valid_shape
  %0 = pl.tensor.create : tensor<4xf32, "sparse">
  func.return
}
