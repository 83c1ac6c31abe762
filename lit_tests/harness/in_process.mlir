// RUN: xdsl-opt %s | xdsl-opt --print-op-generic | filecheck %s
// RUN: xdsl-opt < %s > %t && filecheck %s --check-prefix=CUSTOM --input-file %t
// RUN: xdsl-opt %s -p canonicalize 2>/dev/null | not filecheck %s --check-prefix=GONE

// The stock driver and filecheck inside the lit worker: pipes, redirections, `&&` and `not`.

func.func @f(%x: i32) -> i32 {
  %0 = arith.constant 1 : i32
  func.return %x : i32
}

// CHECK:       "func.func"() <{sym_name = "f", function_type = (i32) -> i32}> ({
// CHECK-NEXT:  ^bb0(%x: i32):
// CHECK-NEXT:    %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32

// CUSTOM:      func.func @f(%x: i32) -> i32 {
// GONE:        arith.constant
