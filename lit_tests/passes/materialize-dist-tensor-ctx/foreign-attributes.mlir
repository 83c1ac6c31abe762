// RUN: pld-opt %s -p materialize-dist-tensor-ctx --print-op-generic | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx --print-op-generic | pld-opt --print-op-generic | filecheck %s

// Attributes of others that a declaration has in the generic form only, and of unknown ops around a call.

// CHECK: "func.func"() <{sym_name = "k", sym_visibility = "private", function_type = (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (), arg_attrs = [{test.foreign}, {}]}>
// CHECK: {pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
"func.func"() <{sym_name = "k", sym_visibility = "private", function_type = (!pld.dist_tensor<tensor<4xf32>>) -> (), arg_attrs = [{test.foreign}]}> ({}) : () -> ()
