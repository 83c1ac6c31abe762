// RUN: env xdsl-opt %s | filecheck %s
// RUN: echo "func.func @g() { func.return }" | env pld-opt - | filecheck %s --check-prefix=PLD

// lit's own shell runs the console scripts as they were installed.

func.func @f() { func.return }

// CHECK: func.func @f
// PLD:   func.func @g
