// Lowered by hand: submits, ids, dummies, outputs that the runtime allocates, groups and spmd.

func.func @produce(%a: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>>, %o: tensor<4x4xi32> {pl.dir = "out"}, %d_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index})
    -> tensor<4x4xi32> attributes {pl.func_type = "aiv"} {
  func.return %o : tensor<4x4xi32>
}

func.func @vector(%a: tensor<4x4xi32>, %b: tensor<4x4xi32> {pl.dir = "inout"}) -> tensor<4x4xi32> attributes {pl.func_type = "aiv"} {
  func.return %b : tensor<4x4xi32>
}

func.func @matrix(%a: tensor<4x4xi32>, %b: tensor<4x4xi32> {pl.dir = "inout"}) -> tensor<4x4xi32> attributes {pl.func_type = "aic"} {
  func.return %b : tensor<4x4xi32>
}

func.func @both(%a: tensor<4x4xi32>, %b: tensor<4x4xi32> {pl.dir = "inout"}) -> tensor<4x4xi32> attributes {pl.func_type = "group"} {
  %0 = pl.call @matrix(%a, %b) {arg_directions = ["input", "inout"]} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  %1 = pl.call @vector(%a, %0) {arg_directions = ["input", "inout"]} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  func.return %b : tensor<4x4xi32>
}

func.func @wide(%a: tensor<4x4xi32>, %b: tensor<4x4xi32> {pl.dir = "inout"}) -> tensor<4x4xi32> attributes {pl.func_type = "spmd"} {
  %c8 = arith.constant 8 : index
  %0 = pl.call @vector(%a, %b) core_num(%c8) {arg_directions = ["input", "inout"]} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  func.return %b : tensor<4x4xi32>
}

func.func @pipeline(%a: tensor<8x64xf32>, %d: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %out: tensor<4x4xi32> {pl.dir = "inout"},
    %d_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> tensor<4x4xi32> attributes {pl.func_type = "orchestration"} {
  %made, %t0 = pl.submit @produce(%a, %d, %d_ctx) {pl.task = 0 : index, arg_directions = ["input", "input", "scalar"]}
    : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.comm_ctx) -> (tensor<4x4xi32>, !pl.task_id)
  %r, %t1 = pl.submit @both(%made, %out) deps(%t0) {pl.task = 1 : index, arg_directions = ["input", "inout"]}
    : (tensor<4x4xi32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, !pl.task_id)
  %t2 = pl.task_dummy deps(%t0, %t1)
  %w, %t3 = pl.submit @wide(%made, %r) deps(%t2) {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions = ["no_dep", "inout"]}
    : (tensor<4x4xi32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, !pl.task_id)
  func.return %w : tensor<4x4xi32>
}
