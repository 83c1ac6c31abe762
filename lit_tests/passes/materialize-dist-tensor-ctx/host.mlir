// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// In host bodies a window's context is asked for right before each call, in the same block.

// CHECK-LABEL: func.func @chip(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %t: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     func.return %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @chip(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %t: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}
// CHECK: func.func private @run(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> () attributes {pl.func_type = "orchestration", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func private @run(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"}

// CHECK-LABEL: func.func @dispatches(%bytes: index, %t: tensor<4xf32>, %c: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %zero = arith.constant 0 : index
// CHECK-NEXT:     %one = arith.constant 1 : index
// CHECK-NEXT:     %devices = pld.system.world_size : index
// CHECK-NEXT:     %buffer = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
// CHECK-NEXT:     %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %other_buffer = pld.tensor.alloc_window_buffer %bytes {name = "other"} : !pld.window_buffer
// CHECK-NEXT:     %other = pld.tensor.window %other_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     scf.for %r = %zero to %devices step %one {
// CHECK-NEXT:       %data_ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       pl.call @run(%data, %data_ctx) device(%r) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %c {
// CHECK-NEXT:       %data_ctx_1 = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       pl.call @run(%data, %data_ctx_1) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.while () : () -> () {
// CHECK-NEXT:       scf.condition(%c)
// CHECK-NEXT:     } do {
// CHECK-NEXT:       %other_ctx = pld.system.get_comm_ctx %other : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       pl.call @run(%other, %other_ctx) device(%one) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     %data_ctx_2 = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %data_ctx_3 = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %x = pl.call @chip(%data, %t, %data, %data_ctx_2, %data_ctx_3) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %v = pl.tensor.view %other : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %v_ctx = pld.system.get_comm_ctx %v : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %x_ctx = pld.system.get_comm_ctx %x : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %y = pl.call @chip(%v, %t, %x, %v_ctx, %x_ctx) device(%one) {test.user} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %q = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %rank = pld.system.rank %q : i32
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @dispatches(%bytes: index, %t: tensor<4xf32>, %c: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %devices = pld.system.world_size : index
  %buffer = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
  %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %other_buffer = pld.tensor.alloc_window_buffer %bytes {name = "other"} : !pld.window_buffer
  %other = pld.tensor.window %other_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  // A single dispatch as a body.
  scf.for %r = %zero to %devices step %one {
    pl.call @run(%data) device(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  }
  scf.if %c {
    pl.call @run(%data) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  }
  scf.while () : () -> () {
    scf.condition(%c)
  } do {
    pl.call @run(%other) device(%one) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    scf.yield
  }
  // The same window twice, in one call and in two; a result; a view.
  %x = pl.call @chip(%data, %t, %data) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %v = pl.tensor.view %other : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  %y = pl.call @chip(%v, %t, %x) device(%one) {test.user} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  // Its own queries stay.
  %q = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
  %rank = pld.system.rank %q : i32
  func.return
}

// CHECK-LABEL: func.func @domains(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %zero = arith.constant 0 : index
// CHECK-NEXT:     pld.comm_domain attributes {name = "comm_d0", slots = ["inner"]} {
// CHECK-NEXT:       %buffer = pld.tensor.alloc_window_buffer %bytes {name = "inner"} : !pld.window_buffer
// CHECK-NEXT:       %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       %data_ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       pl.call @run(%data, %data_ctx) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @domains(%bytes: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %zero = arith.constant 0 : index
  pld.comm_domain attributes {name = "comm_d0", slots = ["inner"]} {
    %buffer = pld.tensor.alloc_window_buffer %bytes {name = "inner"} : !pld.window_buffer
    %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
    pl.call @run(%data) device(%zero) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  }
  func.return
}

// A host function that is given a window is given its context too.

// CHECK-LABEL: func.func @given(%data: !pld.dist_tensor<tensor<4xf32>>, %device: index, %data_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     pl.call @run(%data, %data_ctx) device(%device) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @given(%data: !pld.dist_tensor<tensor<4xf32>>, %device: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pl.call @run(%data) device(%device) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// CHECK-LABEL: func.func @gives(%bytes: index, %device: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %buffer = pld.tensor.alloc_window_buffer %bytes {name = "given"} : !pld.window_buffer
// CHECK-NEXT:     %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %data_ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.call @given(%data, %device, %data_ctx) : (!pld.dist_tensor<tensor<4xf32>>, index, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @gives(%bytes: index, %device: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %buffer = pld.tensor.alloc_window_buffer %bytes {name = "given"} : !pld.window_buffer
  %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  func.call @given(%data, %device) : (!pld.dist_tensor<tensor<4xf32>>, index) -> ()
  func.return
}

// What cannot be traced is asked for its context at run time.

// CHECK: func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>

// CHECK-LABEL: func.func @untraced(%bytes: index, %device: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %buffer = pld.tensor.alloc_window_buffer %bytes {name = "untraced"} : !pld.window_buffer
// CHECK-NEXT:     %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %data_ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %some = func.call @opaque(%data, %data_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %some_ctx = pld.system.get_comm_ctx %some : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     pl.call @run(%some, %some_ctx) device(%device) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @untraced(%bytes: index, %device: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %buffer = pld.tensor.alloc_window_buffer %bytes {name = "untraced"} : !pld.window_buffer
  %data = pld.tensor.window %buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %some = func.call @opaque(%data) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @run(%some) device(%device) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}

// Merging plain tensors, one of them a result, is no concern of contexts.

// CHECK: func.func private @plain(tensor<4xf32>) -> tensor<4xf32> attributes {pl.func_type = "orchestration"}
func.func private @plain(tensor<4xf32>) -> tensor<4xf32> attributes {pl.func_type = "orchestration"}

// CHECK-LABEL: func.func @merges_plain(%c: i1, %t: tensor<4xf32>, %device: index) -> tensor<4xf32> attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %m = scf.if %c -> (tensor<4xf32>) {
// CHECK-NEXT:       %0 = pl.call @plain(%t) device(%device) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:       scf.yield %0 : tensor<4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %t : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %m : tensor<4xf32>
// CHECK-NEXT: }
func.func @merges_plain(%c: i1, %t: tensor<4xf32>, %device: index) -> tensor<4xf32> attributes {pl.level = "host", pl.role = "orchestrator"} {
  %m = scf.if %c -> (tensor<4xf32>) {
    %0 = pl.call @plain(%t) device(%device) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %m : tensor<4xf32>
}
