// RUN: not pld-opt %s -p materialize-dist-tensor-ctx,lower-l2-tensor-collectives 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx,canonicalize,lower-l2-tensor-collectives,cse 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx,lower-l2-tensor-collectives --no-property-checks 2>&1 | filecheck %s --check-prefixes=UNCHECKED
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx,lower-l2-tensor-collectives,materialize-dist-tensor-ctx 2>&1 | filecheck %s --check-prefixes=UNCHECKED
// RUN: not pld-opt %s -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx 2>&1 | filecheck %s --check-prefixes=UNCHECKED

// An order that nothing can come of is a wrong command line, whatever the input: this is none.

// CHECK: pld-opt: error: argument -p/--passes: pass 'lower-l2-tensor-collectives' breaks 'dist-tensor-ctx-materialized', which 'materialize-dist-tensor-ctx' has established before it, and no later pass restores it: run 'lower-l2-tensor-collectives' before 'materialize-dist-tensor-ctx'
// CHECK-NOT: {{.}}

// UNCHECKED-NOT: argument -p
// UNCHECKED: properties-order.mlir:14:1: error:
this is no program
