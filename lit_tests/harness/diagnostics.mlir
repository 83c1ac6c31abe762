// RUN: not xdsl-opt %s --split-input-file 2>&1 | filecheck %s
// RUN: not xdsl-opt %{s:basename} --split-input-file 2>&1 | filecheck %s --check-prefix=BARE
// RUN: xdsl-opt %s --split-input-file --parsing-diagnostics | filecheck %s --check-prefix=BOTH

// How a test pins the place of an error: `%s` is absolute, `%{s:basename}` the bare name.

func.func @f() { func.return }

// -----

"builtin.unregistered_here"() : () -> ()

// CHECK: {{.*}}/diagnostics.mlir:11:28
// BARE:  ParseError: diagnostics.mlir:11:28
// BOTH:      func.func @f
// BOTH:      // -----
// BOTH-NEXT: {{.*}}/diagnostics.mlir:11:28
