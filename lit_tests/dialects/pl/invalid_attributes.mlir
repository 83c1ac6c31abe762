// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: :1: error: pl.func_type must be one of opaque, orchestration, incore, aic, aiv, group, spmd, inline, graph, not "kernel"
func.func private @f() attributes {pl.func_type = "kernel"}

// -----

// CHECK: :1: error: pl.func_type must be one of opaque, orchestration, incore, aic, aiv, group, spmd, inline, graph, not 3 : i32
func.func private @f() attributes {pl.func_type = 3 : i32}

// -----

// CHECK: :1: error: pl.func_type must be one of opaque, orchestration, incore, aic, aiv, group, spmd, inline, graph, not unit
func.func private @f() attributes {pl.func_type}

// -----

// CHECK: :1: error: pl.level must be one of aiv, aic, core_group, chip_die, chip, host, cluster_0, cluster_1, cluster_2, global, not "cluster_3"
func.func private @f() attributes {pl.level = "cluster_3"}

// -----

// CHECK: :1: error: pl.role must be one of orchestrator, sub_worker, not "worker"
func.func private @f() attributes {pl.role = "worker"}

// -----

// CHECK: :1: error: pl.level = "host" contradicts pl.func_type = "orchestration", whose level is chip
func.func private @f() attributes {pl.func_type = "orchestration", pl.level = "host"}

// -----

// CHECK: :1: error: pl.role = "sub_worker" contradicts pl.func_type = "graph", whose role is orchestrator
func.func private @f() attributes {pl.func_type = "graph", pl.role = "sub_worker"}

// -----

// CHECK: :1: error: pl.level = "aiv" contradicts pl.func_type = "incore", whose level is chip_die
func.func private @f() attributes {pl.func_type = "incore", pl.level = "aiv"}

// -----

// CHECK: :1: error: pl.level = "aiv" contradicts pl.func_type = "aic", whose level is aic
func.func private @f() attributes {pl.func_type = "aic", pl.level = "aiv"}

// -----

// CHECK: :1: error: pl.role = "orchestrator" contradicts pl.func_type = "aiv", whose role is sub_worker
func.func private @f() attributes {pl.func_type = "aiv", pl.role = "orchestrator"}

// -----

// CHECK: :1: error: pl.level = "chip" contradicts pl.func_type = "group", whose level is core_group
func.func private @f() attributes {pl.func_type = "group", pl.level = "chip"}

// -----

// CHECK: :1: error: a host orchestrator has no pl.func_type; this one is "spmd": drop the attribute
func.func private @f() attributes {pl.func_type = "spmd", pl.level = "host", pl.role = "orchestrator"}

// -----

// CHECK: :1: error: 'pl.functype' has no place on a function: the pl. attributes here are pl.func_type, pl.level, pl.role, pl.arg_attrs, pl.builtin_template_dir, pl.builtin_template_vars, pl.require_contiguous_operands
func.func private @f() attributes {pl.functype = "aiv"}

// -----

// CHECK: :1: error: 'pl.dir' has no place on a function: the pl. attributes here are pl.func_type, pl.level, pl.role, pl.arg_attrs, pl.builtin_template_dir, pl.builtin_template_vars, pl.require_contiguous_operands
func.func private @f() attributes {pl.dir = "in"}

// -----

// CHECK: :1: error: 'pl.kind' has no place on a function: the pl. attributes here are pl.func_type, pl.level, pl.role, pl.arg_attrs, pl.builtin_template_dir, pl.builtin_template_vars, pl.require_contiguous_operands
func.func private @f() attributes {pl.kind = "parallel"}

// -----

// CHECK: :1: error: 'pl.task' has no place on a function: the pl. attributes here are pl.func_type, pl.level, pl.role, pl.arg_attrs, pl.builtin_template_dir, pl.builtin_template_vars, pl.require_contiguous_operands
func.func private @f() attributes {pl.task = 1 : index}

// -----

// CHECK: :1: error: pl.builtin_template_dir must be a string, not 3 : i32
func.func private @f() attributes {pl.func_type = "aiv", pl.builtin_template_dir = 3 : i32}

// -----

// CHECK: :1: error: pl.builtin_template_vars must be a string, not ["x"]
func.func private @f() attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":x", pl.builtin_template_vars = ["x"]}

// -----

// CHECK: :1: error: pl.require_contiguous_operands must be a unit attribute, not true
func.func private @f() attributes {pl.func_type = "aiv", pl.require_contiguous_operands = true}

// -----

// CHECK: :1: error: 'pl.builtin_template_dir' is for kernels (aic, aiv, group, incore, spmd), not for a function of type orchestration
func.func private @f() attributes {pl.func_type = "orchestration", pl.builtin_template_dir = ":x"}

// -----

// CHECK: :1: error: 'pl.builtin_template_vars' is for kernels (aic, aiv, group, incore, spmd), not for a function of type opaque
func.func private @f() attributes {pl.builtin_template_vars = "dtype_cpp=float"}

// -----

// CHECK: :1: error: 'pl.require_contiguous_operands' is for kernels (aic, aiv, group, incore, spmd), not for a function of type opaque
func.func private @f() attributes {pl.require_contiguous_operands}

// -----

// CHECK: :1: error: pl.builtin_template_vars needs pl.builtin_template_dir
func.func private @f() attributes {pl.func_type = "aiv", pl.builtin_template_vars = "dtype_cpp=float"}

// -----

// CHECK: :1: error: pl.arg_attrs is for declarations; a definition has its attributes on its arguments
func.func @f(%a: tensor<4xf32>) attributes {pl.arg_attrs = [{pl.dir = "in"}]} {
  func.return
}

// -----

// CHECK: :1: error: pl.arg_attrs must be an array of dictionaries
func.func private @f(tensor<4xf32>) attributes {pl.arg_attrs = "in"}

// -----

// CHECK: :1: error: pl.arg_attrs must be an array of dictionaries
func.func private @f(tensor<4xf32>) attributes {pl.arg_attrs = ["in"]}

// -----

// CHECK: :1: error: pl.arg_attrs has 0 entries for 1 parameters
func.func private @f(tensor<4xf32>) attributes {pl.arg_attrs = []}

// -----

// CHECK: :1: error: pl.arg_attrs has 2 entries for 1 parameters
func.func private @f(tensor<4xf32>) attributes {pl.arg_attrs = [{}, {}]}

// -----

// CHECK: :1: error: arg_attrs has 2 entries for 1 parameters
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [{}, {}], sym_visibility = "private"}> ({}) : () -> ()
func.func private @pl(!pl.task_id)

// -----

// CHECK: :1: error: a declaration's argument attributes are lost when xDSL reads or prints its custom form: write them in pl.arg_attrs, one dictionary a parameter
"func.func"() <{sym_name = "f", function_type = (tensor<4xf32>) -> (), arg_attrs = [{pl.dir = "inout"}], sym_visibility = "private"}> ({}) : () -> ()

// -----

// CHECK: :1: error: a declaration's argument attributes are lost when xDSL reads or prints its custom form: write them in pl.arg_attrs, one dictionary a parameter
"func.func"() <{sym_name = "f", function_type = (tensor<4xf32>) -> (), arg_attrs = [{pld.ctx_of = 0 : index}], sym_visibility = "private"}> ({}) : () -> ()

// -----

// CHECK: :1: error: pl.dir must be one of in, out, inout, not "both"
func.func @f(%a: tensor<4xf32> {pl.dir = "both"}) {
  func.return
}

// -----

// CHECK: :1: error: pl.dir must be one of in, out, inout, not 1 : i32
func.func private @f(tensor<4xf32>) attributes {pl.arg_attrs = [{pl.dir = 1 : i32}]}

// -----

// CHECK: :1: error: 'pl.direction' has no place on parameter 1: the pl. attributes here are pl.dir
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32> {pl.direction = "in"}) {
  func.return
}

// -----

// CHECK: :1: error: 'pl.func_type' has no place on parameter 0: the pl. attributes here are pl.dir
func.func @f(%a: tensor<4xf32> {pl.func_type = "aiv"}) {
  func.return
}

// -----

// CHECK: :1: error: parameter 0 of type i32 cannot be out: only tensors are written in place
func.func @f(%a: i32 {pl.dir = "out"}) {
  func.return
}

// -----

// CHECK: :1: error: parameter 0 of type !pl.tile<tensor<4xf32>> cannot be inout: only tensors are written in place
func.func private @f(!pl.tile<tensor<4xf32>>) attributes {pl.arg_attrs = [{pl.dir = "inout"}]}

// -----

// CHECK: :1: error: 'pl.dir' has no place on a result
func.func @f() -> (tensor<4xf32> {pl.dir = "out"}) {
  %0 = pl.tensor.create : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

func.func @loop(%n: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: pl.kind must be "parallel", not "sequential"
  scf.for %i = %n to %n step %n {
  } {pl.kind = "sequential"}
  func.return
}

// -----

func.func @loop(%n: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: 'pl.parallel' has no place on scf.for: the pl. attributes here are pl.kind
  scf.for %i = %n to %n step %n {
  } {pl.parallel}
  func.return
}

// -----

func.func @loop(%c: i1) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: 'pl.kind' has no place on scf.while
  "scf.while"() ({
    scf.condition(%c)
  }, {
    scf.yield
  }) {pl.kind = "parallel"} : () -> ()
  func.return
}

// -----

func.func @loop(%n: index) attributes {pl.func_type = "orchestration"} {
  // CHECK: :3: error: 'pl.kind' has no place on scf.parallel
  "scf.parallel"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    scf.reduce
  }) {pl.kind = "parallel"} : (index, index, index) -> ()
  func.return
}

// -----

func.func @own() {
  // CHECK: :3: error: 'pl.dir' has no place on pl.tensor.create
  %0 = pl.tensor.create {pl.dir = "in"} : tensor<4xf32>
  func.return
}

// -----

func.func @own() {
  // CHECK: :3: error: 'pl.task' has no place on pl.tensor.create
  %0 = pl.tensor.create {pl.task = 0 : index} : tensor<4xf32>
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @own() {
  // CHECK: :3: error: 'pl.tsk' has no place on pl.call: the pl. attributes here are pl.task, pl.after
  pl.call @kernel() {pl.tsk = 0 : index} : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @own() {
  // CHECK: :3: error: pl.task must be an index attribute, not 0 : i64
  pl.call @kernel() {pl.task = 0 : i64} : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @own() {
  // CHECK: :3: error: pl.task must be an index attribute, not -1 : index
  pl.call @kernel() {pl.task = -1 : index} : () -> ()
  func.return
}

// -----

func.func private @kernel() attributes {pl.func_type = "aiv"}
func.func @own() {
  // CHECK: :3: error: pl.after must be an array<i64>, not [0 : i64, 1 : i64]
  %0 = pl.submit @kernel() {pl.after = [0, 1]} : () -> !pl.task_id
  func.return
}

// -----

func.func @own(%t: tensor<8x64xf32>) {
  // CHECK: :3: error: 'axes' is given twice, as an attribute and a property
  %0 = "pl.tensor.transpose"(%t) <{axes = array<i64: 1, 0>}> {axes = array<i64: 0, 1>} : (tensor<8x64xf32>) -> tensor<64x8xf32>
  func.return
}

// -----

// xDSL's parser would read these parameters and keep nothing of their attributes.
// CHECK: :51: error: a declaration's argument attributes are lost when xDSL reads or prints its custom form: write them in pl.arg_attrs, one dictionary a parameter
func.func private @k(tensor<4xf32>, tensor<4xf32> {pl.dir = "inout"}) -> () attributes {pl.func_type = "aiv"}
