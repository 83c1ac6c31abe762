// RUN: pld-opt %s -p normalize-return-order,materialize-dist-tensor-ctx,canonicalize,cse | filecheck %s --check-prefixes=DONE
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx 2>&1 | filecheck %s --check-prefixes=REQUIRED
// RUN: pld-opt %s -p materialize-dist-tensor-ctx --no-property-checks | filecheck %s --check-prefixes=DONE
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s --check-prefixes=DONE
// RUN: pld-opt %s -p lower-l2-tensor-collectives | filecheck %s --check-prefixes=SAME

// A pass's requirements are checked before it runs: the place, and the pass that establishes them.

// DONE: func.func @k(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %v: f32, %i: index, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index})
// SAME: func.func @k(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %v: f32, %i: index) ->
func.func @k(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %v: f32, %i: index) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"} {
  %w = pl.tensor.write %v into %a[%i] : f32, !pld.dist_tensor<tensor<4xf32>>
  func.return %w : !pld.dist_tensor<tensor<4xf32>>
}
// REQUIRED:      properties.mlir:13:3: error: result 0 of 'k' is its parameter 'a', but the return names 'w'
// REQUIRED-NEXT:   func.return %w
// REQUIRED-NEXT:   ^
// REQUIRED-NEXT: properties.mlir:12:3: note: 'w' is defined here
// REQUIRED-NEXT:   %w = pl.tensor.write
// REQUIRED-NEXT:   ^
// REQUIRED-NEXT: {{^}}note: pass 'materialize-dist-tensor-ctx' requires 'return-params-explicit': run 'normalize-return-order' before it
// REQUIRED-NOT:  {{.}}
