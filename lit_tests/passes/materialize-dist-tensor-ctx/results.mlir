// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// A result has the context of the argument that the callee returns at that very position.

// CHECK: func.func private @use(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
// CHECK: func.func private @use4(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> () attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {}, {}, {}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 1 : index}, {pld.ctx_of = 2 : index}, {pld.ctx_of = 3 : index}]}
func.func private @use4(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}

// Communications in a chain, on a tensor that each of them re-binds.

// CHECK-LABEL: func.func @comm(%data: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "aiv"} {
// CHECK-NEXT:     func.return %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @comm(%data: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "aiv"} {
  func.return %data : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @chain(%data: !pld.dist_tensor<tensor<4xf32>>, %signal: !pld.dist_tensor<tensor<4xf32>>, %data_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %data1 = pl.call @comm(%data, %signal, %data_ctx, %signal_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %data2, %t = pl.submit @comm(%data1, %signal, %data_ctx, %signal_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     %data3 = pl.call @comm(%data2, %signal, %data_ctx, %signal_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return %data3 : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @chain(%data: !pld.dist_tensor<tensor<4xf32>>, %signal: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %data1 = pl.call @comm(%data, %signal) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %data2, %t = pl.submit @comm(%data1, %signal) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  %data3 = pl.call @comm(%data2, %signal) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return %data3 : !pld.dist_tensor<tensor<4xf32>>
}

// Mixed kinds, in another order than the parameters', one parameter twice.

// CHECK-LABEL: func.func @mixed(%i: index, %a: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}, %c_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "aic"} {
// CHECK-NEXT:     func.return %t, %c, %i, %a, %c : tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @mixed(%i: index, %a: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "aic"} {
  func.return %t, %c, %i, %a, %c : tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @positions(%i: index, %x: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %y: !pld.dist_tensor<tensor<4xf32>>, %z: !pld.dist_tensor<tensor<4xf32>>, %x_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %y_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}, %z_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0, %1, %2, %3, %4 = pl.call @mixed(%i, %x, %t, %y, %z, %x_ctx, %y_ctx, %z_ctx) : (index, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>)
// CHECK-NEXT:     %5, %6, %7, %8, %9, %tid = pl.submit @mixed(%2, %1, %0, %3, %x, %z_ctx, %x_ctx, %x_ctx) : (index, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     pl.call @use4(%6, %8, %9, %4, %x_ctx, %z_ctx, %x_ctx, %z_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @positions(%i: index, %x: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %y: !pld.dist_tensor<tensor<4xf32>>, %z: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0, %1, %2, %3, %4 = pl.call @mixed(%i, %x, %t, %y, %z) : (index, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>)
  %5, %6, %7, %8, %9, %tid = pl.submit @mixed(%2, %1, %0, %3, %x) : (index, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, index, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  pl.call @use4(%6, %8, %9, %4) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// Only the middle one is returned.

// CHECK-LABEL: func.func @middle(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %c_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     func.return %b : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @middle(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"} {
  func.return %b : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @only_the_middle(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %c_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @middle(%a, %b, %c, %a_ctx, %b_ctx, %c_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %1, %t = pl.submit @middle(%b, %c, %a, %b_ctx, %c_ctx, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     pl.call @use4(%0, %1, %0, %1, %b_ctx, %c_ctx, %b_ctx, %c_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @only_the_middle(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @middle(%a, %b, %c) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %1, %t = pl.submit @middle(%b, %c, %a) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  pl.call @use4(%0, %1, %0, %1) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// Views of views, and what is written: the context of the window they lie in. A plain tensor has none.

// CHECK-LABEL: func.func @views(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<2x2xf32>>
// CHECK-NEXT:     %s = pl.tensor.slice %v[0, 0] [1, 2] : !pld.dist_tensor<tensor<2x2xf32>> -> !pld.dist_tensor<tensor<2xf32>>
// CHECK-NEXT:     %r = pl.tensor.reshape %v : !pld.dist_tensor<tensor<2x2xf32>> -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %w = pl.tensor.assemble %s into %b[0] : !pld.dist_tensor<tensor<2xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %x = pl.tensor.assemble %t into %r[0] : tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %p = pl.tensor.assemble %r into %t[0] : !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>
// CHECK-NEXT:     pl.call @use4(%r, %w, %x, %b, %a_ctx, %b_ctx, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @views(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<2x2xf32>>
  %s = pl.tensor.slice %v[0, 0] [1, 2] : !pld.dist_tensor<tensor<2x2xf32>> -> !pld.dist_tensor<tensor<2xf32>>
  %r = pl.tensor.reshape %v : !pld.dist_tensor<tensor<2x2xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  %w = pl.tensor.assemble %s into %b[0] : !pld.dist_tensor<tensor<2xf32>>, !pld.dist_tensor<tensor<4xf32>>
  %x = pl.tensor.assemble %t into %r[0] : tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>
  %p = pl.tensor.assemble %r into %t[0] : !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>
  pl.call @use4(%r, %w, %x, %b) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// CHECK-LABEL: func.func @stores(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     %k = pl.tile.load %a[0] [4] : !pld.dist_tensor<tensor<4xf32>> -> !pl.tile<tensor<4xf32>>
// CHECK-NEXT:     %x = pl.tile.store %k into %b[0] : !pl.tile<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %y = pl.tile.store %k into %t[0] : !pl.tile<tensor<4xf32>>, tensor<4xf32>
// CHECK-NEXT:     %r = pld.system.rank %b_ctx : i32
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @stores(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %t: tensor<4xf32>) attributes {pl.func_type = "incore"} {
  %k = pl.tile.load %a[0] [4] : !pld.dist_tensor<tensor<4xf32>> -> !pl.tile<tensor<4xf32>>
  %x = pl.tile.store %k into %b[0] : !pl.tile<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  %y = pl.tile.store %k into %t[0] : !pl.tile<tensor<4xf32>>, tensor<4xf32>
  %c = pld.system.get_comm_ctx %x : !pld.dist_tensor<tensor<4xf32>>
  %r = pld.system.rank %c : i32
  func.return
}

// An orchestration need not name the parameter that it returns; nor need those that call each other.

// CHECK-LABEL: func.func @renames(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @comm(%b, %a, %b_ctx, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %1 = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return %0, %1 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @renames(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @comm(%b, %a) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %1 = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  func.return %0, %1 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @even(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %r = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
// CHECK-NEXT:       %0 = pl.call @odd(%c, %b, %a, %b_ctx, %a_ctx) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       pl.call @use(%0, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:       scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %r : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @even(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %r = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    %0 = pl.call @odd(%c, %b, %a) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    pl.call @use(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return %r : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @odd(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @even(%c, %b, %a, %b_ctx, %a_ctx) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     pl.call @use(%0, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return %0 : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @odd(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @even(%c, %b, %a) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return %0 : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @calls_them(%c: i1, %x: !pld.dist_tensor<tensor<4xf32>>, %y: !pld.dist_tensor<tensor<4xf32>>, %x_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %y_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0, %1 = pl.call @renames(%x, %y, %x_ctx, %y_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>)
// CHECK-NEXT:     %2 = func.call @odd(%c, %0, %1, %y_ctx, %x_ctx) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     pl.call @use4(%0, %1, %2, %x, %y_ctx, %x_ctx, %x_ctx, %x_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @calls_them(%c: i1, %x: !pld.dist_tensor<tensor<4xf32>>, %y: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0, %1 = pl.call @renames(%x, %y) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>)
  %2 = func.call @odd(%c, %0, %1) : (i1, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @use4(%0, %1, %2, %x) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
