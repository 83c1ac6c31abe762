// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions | filecheck %s --check-prefix=DIRECTIONS
// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies | filecheck %s --check-prefix=DEPS
// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals | filecheck %s --check-prefix=SIGNALS
// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes | filecheck %s --check-prefix=DOMAINS
// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives | filecheck %s --check-prefix=HOST
// RUN: pld-opt %S/../../examples/two_domains.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefix=CTX
// RUN: pld-opt %S/../../examples/two_domains.mlir -p pld-default-pipeline | filecheck %s --check-prefix=CTX
// RUN: pld-opt %S/../../examples/two_domains.mlir -p pld-default-pipeline,pld-default-pipeline | filecheck %s --check-prefix=CTX

// The host body after each pass that changes it; the whole pipeline ends there, and a second run changes nothing.

// After derive-call-directions.

// DIRECTIONS-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// DIRECTIONS-NEXT:    %c32 = arith.constant 32 : index
// DIRECTIONS-NEXT:    %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// DIRECTIONS-NEXT:    %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DIRECTIONS-NEXT:    %c32_1 = arith.constant 32 : index
// DIRECTIONS-NEXT:    %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// DIRECTIONS-NEXT:    %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DIRECTIONS-NEXT:    %c8 = arith.constant 8 : index
// DIRECTIONS-NEXT:    %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// DIRECTIONS-NEXT:    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// DIRECTIONS-NEXT:    %c0 = arith.constant 0 : index
// DIRECTIONS-NEXT:    %c2 = arith.constant 2 : index
// DIRECTIONS-NEXT:    %c1 = arith.constant 1 : index
// DIRECTIONS-NEXT:    scf.for %r = %c0 to %c2 step %c1 {
// DIRECTIONS-NEXT:      %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DIRECTIONS-NEXT:      %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DIRECTIONS-NEXT:      pl.call @fill(%1, %left) device(%r) {arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DIRECTIONS-NEXT:    }
// DIRECTIONS-NEXT:    %c1_1 = arith.constant 1 : index
// DIRECTIONS-NEXT:    %c3 = arith.constant 3 : index
// DIRECTIONS-NEXT:    %c1_2 = arith.constant 1 : index
// DIRECTIONS-NEXT:    scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// DIRECTIONS-NEXT:      %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DIRECTIONS-NEXT:      %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DIRECTIONS-NEXT:      pl.call @fill(%3, %right) device(%r_1) {arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DIRECTIONS-NEXT:    }
// DIRECTIONS-NEXT:    %left_sum = pld.tensor.allreduce %left {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>
// DIRECTIONS-NEXT:    %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// DIRECTIONS-NEXT:    %c0_1 = arith.constant 0 : index
// DIRECTIONS-NEXT:    %c2_1 = arith.constant 2 : index
// DIRECTIONS-NEXT:    %c1_3 = arith.constant 1 : index
// DIRECTIONS-NEXT:    scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// DIRECTIONS-NEXT:      %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DIRECTIONS-NEXT:      %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DIRECTIONS-NEXT:      pl.call @keep(%left_sum, %5) device(%r_2) {arg_directions = ["input", "inout"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DIRECTIONS-NEXT:    }
// DIRECTIONS-NEXT:    %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DIRECTIONS-NEXT:    %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DIRECTIONS-NEXT:    %c2_2 = arith.constant 2 : index
// DIRECTIONS-NEXT:    pl.call @keep(%right_sum, %7) device(%c2_2) {arg_directions = ["input", "output_existing"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DIRECTIONS-NEXT:    func.return
// DIRECTIONS-NEXT:  }

// After auto-derive-task-dependencies.

// DEPS-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// DEPS-NEXT:    %c32 = arith.constant 32 : index
// DEPS-NEXT:    %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// DEPS-NEXT:    %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DEPS-NEXT:    %c32_1 = arith.constant 32 : index
// DEPS-NEXT:    %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// DEPS-NEXT:    %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DEPS-NEXT:    %c8 = arith.constant 8 : index
// DEPS-NEXT:    %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// DEPS-NEXT:    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// DEPS-NEXT:    %c0 = arith.constant 0 : index
// DEPS-NEXT:    %c2 = arith.constant 2 : index
// DEPS-NEXT:    %c1 = arith.constant 1 : index
// DEPS-NEXT:    scf.for %r = %c0 to %c2 step %c1 {
// DEPS-NEXT:      %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DEPS-NEXT:      %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DEPS-NEXT:      pl.call @fill(%1, %left) device(%r) {pl.task = 0 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DEPS-NEXT:    }
// DEPS-NEXT:    %c1_1 = arith.constant 1 : index
// DEPS-NEXT:    %c3 = arith.constant 3 : index
// DEPS-NEXT:    %c1_2 = arith.constant 1 : index
// DEPS-NEXT:    scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// DEPS-NEXT:      %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DEPS-NEXT:      %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DEPS-NEXT:      pl.call @fill(%3, %right) device(%r_1) {pl.task = 1 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DEPS-NEXT:    }
// DEPS-NEXT:    %left_sum = pld.tensor.allreduce %left {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>
// DEPS-NEXT:    %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// DEPS-NEXT:    %c0_1 = arith.constant 0 : index
// DEPS-NEXT:    %c2_1 = arith.constant 2 : index
// DEPS-NEXT:    %c1_3 = arith.constant 1 : index
// DEPS-NEXT:    scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// DEPS-NEXT:      %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DEPS-NEXT:      %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DEPS-NEXT:      pl.call @keep(%left_sum, %5) device(%r_2) {pl.task = 2 : index, arg_directions = ["input", "inout"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DEPS-NEXT:    }
// DEPS-NEXT:    %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DEPS-NEXT:    %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DEPS-NEXT:    %c2_2 = arith.constant 2 : index
// DEPS-NEXT:    pl.call @keep(%right_sum, %7) device(%c2_2) {pl.task = 3 : index, arg_directions = ["input", "output_existing"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DEPS-NEXT:    func.return
// DEPS-NEXT:  }

// After synthesize-allreduce-signals.

// SIGNALS-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// SIGNALS-NEXT:    %c32 = arith.constant 32 : index
// SIGNALS-NEXT:    %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// SIGNALS-NEXT:    %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// SIGNALS-NEXT:    %c32_1 = arith.constant 32 : index
// SIGNALS-NEXT:    %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// SIGNALS-NEXT:    %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// SIGNALS-NEXT:    %c8 = arith.constant 8 : index
// SIGNALS-NEXT:    %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// SIGNALS-NEXT:    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// SIGNALS-NEXT:    %c0 = arith.constant 0 : index
// SIGNALS-NEXT:    %c2 = arith.constant 2 : index
// SIGNALS-NEXT:    %c1 = arith.constant 1 : index
// SIGNALS-NEXT:    scf.for %r = %c0 to %c2 step %c1 {
// SIGNALS-NEXT:      %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// SIGNALS-NEXT:      %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// SIGNALS-NEXT:      pl.call @fill(%1, %left) device(%r) {pl.task = 0 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// SIGNALS-NEXT:    }
// SIGNALS-NEXT:    %c1_1 = arith.constant 1 : index
// SIGNALS-NEXT:    %c3 = arith.constant 3 : index
// SIGNALS-NEXT:    %c1_2 = arith.constant 1 : index
// SIGNALS-NEXT:    scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// SIGNALS-NEXT:      %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// SIGNALS-NEXT:      %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// SIGNALS-NEXT:      pl.call @fill(%3, %right) device(%r_1) {pl.task = 1 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// SIGNALS-NEXT:    }
// SIGNALS-NEXT:    %devices = pld.system.world_size : index
// SIGNALS-NEXT:    %row_bytes = arith.constant 4 : index
// SIGNALS-NEXT:    %signal_bytes = arith.muli %devices, %row_bytes : index
// SIGNALS-NEXT:    %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// SIGNALS-NEXT:    %signal_1 = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// SIGNALS-NEXT:    %left_sum = pld.tensor.allreduce %left, %signal_1 {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// SIGNALS-NEXT:    %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// SIGNALS-NEXT:    %c0_1 = arith.constant 0 : index
// SIGNALS-NEXT:    %c2_1 = arith.constant 2 : index
// SIGNALS-NEXT:    %c1_3 = arith.constant 1 : index
// SIGNALS-NEXT:    scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// SIGNALS-NEXT:      %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// SIGNALS-NEXT:      %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// SIGNALS-NEXT:      pl.call @keep(%left_sum, %5) device(%r_2) {pl.task = 2 : index, arg_directions = ["input", "inout"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// SIGNALS-NEXT:    }
// SIGNALS-NEXT:    %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// SIGNALS-NEXT:    %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// SIGNALS-NEXT:    %c2_2 = arith.constant 2 : index
// SIGNALS-NEXT:    pl.call @keep(%right_sum, %7) device(%c2_2) {pl.task = 3 : index, arg_directions = ["input", "output_existing"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// SIGNALS-NEXT:    func.return
// SIGNALS-NEXT:  }

// After materialize-comm-domain-scopes.

// DOMAINS-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// DOMAINS-NEXT:    pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["left_buf", "allreduce_signal_0"]} {
// DOMAINS-NEXT:      pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 1, 2>, slots = ["right_buf", "signal_buf"]} {
// DOMAINS-NEXT:        %c32 = arith.constant 32 : index
// DOMAINS-NEXT:        %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// DOMAINS-NEXT:        %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DOMAINS-NEXT:        %c32_1 = arith.constant 32 : index
// DOMAINS-NEXT:        %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// DOMAINS-NEXT:        %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// DOMAINS-NEXT:        %c8 = arith.constant 8 : index
// DOMAINS-NEXT:        %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// DOMAINS-NEXT:        %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// DOMAINS-NEXT:        %c0 = arith.constant 0 : index
// DOMAINS-NEXT:        %c2 = arith.constant 2 : index
// DOMAINS-NEXT:        %c1 = arith.constant 1 : index
// DOMAINS-NEXT:        scf.for %r = %c0 to %c2 step %c1 {
// DOMAINS-NEXT:          %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DOMAINS-NEXT:          %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DOMAINS-NEXT:          pl.call @fill(%1, %left) device(%r) {pl.task = 0 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DOMAINS-NEXT:        }
// DOMAINS-NEXT:        %c1_1 = arith.constant 1 : index
// DOMAINS-NEXT:        %c3 = arith.constant 3 : index
// DOMAINS-NEXT:        %c1_2 = arith.constant 1 : index
// DOMAINS-NEXT:        scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// DOMAINS-NEXT:          %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DOMAINS-NEXT:          %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DOMAINS-NEXT:          pl.call @fill(%3, %right) device(%r_1) {pl.task = 1 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// DOMAINS-NEXT:        }
// DOMAINS-NEXT:        %devices = pld.system.world_size : index
// DOMAINS-NEXT:        %row_bytes = arith.constant 4 : index
// DOMAINS-NEXT:        %signal_bytes = arith.muli %devices, %row_bytes : index
// DOMAINS-NEXT:        %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// DOMAINS-NEXT:        %signal_1 = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// DOMAINS-NEXT:        %left_sum = pld.tensor.allreduce %left, %signal_1 {op = "sum"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// DOMAINS-NEXT:        %right_sum = pld.tensor.allreduce %right, %signal {op = "max"} : !pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// DOMAINS-NEXT:        %c0_1 = arith.constant 0 : index
// DOMAINS-NEXT:        %c2_1 = arith.constant 2 : index
// DOMAINS-NEXT:        %c1_3 = arith.constant 1 : index
// DOMAINS-NEXT:        scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// DOMAINS-NEXT:          %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DOMAINS-NEXT:          %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DOMAINS-NEXT:          pl.call @keep(%left_sum, %5) device(%r_2) {pl.task = 2 : index, arg_directions = ["input", "inout"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DOMAINS-NEXT:        }
// DOMAINS-NEXT:        %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// DOMAINS-NEXT:        %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// DOMAINS-NEXT:        %c2_2 = arith.constant 2 : index
// DOMAINS-NEXT:        pl.call @keep(%right_sum, %7) device(%c2_2) {pl.task = 3 : index, arg_directions = ["input", "output_existing"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// DOMAINS-NEXT:      }
// DOMAINS-NEXT:    }
// DOMAINS-NEXT:    func.return
// DOMAINS-NEXT:  }

// After lower-host-tensor-collectives.

// HOST-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// HOST-NEXT:    pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["left_buf", "allreduce_signal_0"]} {
// HOST-NEXT:      pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 1, 2>, slots = ["right_buf", "signal_buf"]} {
// HOST-NEXT:        %c32 = arith.constant 32 : index
// HOST-NEXT:        %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// HOST-NEXT:        %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// HOST-NEXT:        %c32_1 = arith.constant 32 : index
// HOST-NEXT:        %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// HOST-NEXT:        %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// HOST-NEXT:        %c8 = arith.constant 8 : index
// HOST-NEXT:        %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// HOST-NEXT:        %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// HOST-NEXT:        %c0 = arith.constant 0 : index
// HOST-NEXT:        %c2 = arith.constant 2 : index
// HOST-NEXT:        %c1 = arith.constant 1 : index
// HOST-NEXT:        scf.for %r = %c0 to %c2 step %c1 {
// HOST-NEXT:          %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// HOST-NEXT:          %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// HOST-NEXT:          pl.call @fill(%1, %left) device(%r) {pl.task = 0 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// HOST-NEXT:        }
// HOST-NEXT:        %c1_1 = arith.constant 1 : index
// HOST-NEXT:        %c3 = arith.constant 3 : index
// HOST-NEXT:        %c1_2 = arith.constant 1 : index
// HOST-NEXT:        scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// HOST-NEXT:          %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// HOST-NEXT:          %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// HOST-NEXT:          pl.call @fill(%3, %right) device(%r_1) {pl.task = 1 : index, arg_directions = ["input", "inout"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>) -> ()
// HOST-NEXT:        }
// HOST-NEXT:        %devices = pld.system.world_size : index
// HOST-NEXT:        %row_bytes = arith.constant 4 : index
// HOST-NEXT:        %signal_bytes = arith.muli %devices, %row_bytes : index
// HOST-NEXT:        %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// HOST-NEXT:        %signal_1 = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// HOST-NEXT:        %device0 = arith.constant 0 : index
// HOST-NEXT:        pld.builtin.allreduce %left, %signal_1 device(%device0) {arg_directions = ["inout", "inout"], op = "sum"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// HOST-NEXT:        %device1 = arith.constant 1 : index
// HOST-NEXT:        pld.builtin.allreduce %left, %signal_1 device(%device1) {arg_directions = ["inout", "inout"], op = "sum"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// HOST-NEXT:        %device1_1 = arith.constant 1 : index
// HOST-NEXT:        pld.builtin.allreduce %right, %signal device(%device1_1) {arg_directions = ["inout", "inout"], op = "max"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// HOST-NEXT:        %device2 = arith.constant 2 : index
// HOST-NEXT:        pld.builtin.allreduce %right, %signal device(%device2) {arg_directions = ["inout", "inout"], op = "max"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// HOST-NEXT:        %c0_1 = arith.constant 0 : index
// HOST-NEXT:        %c2_1 = arith.constant 2 : index
// HOST-NEXT:        %c1_3 = arith.constant 1 : index
// HOST-NEXT:        scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// HOST-NEXT:          %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// HOST-NEXT:          %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// HOST-NEXT:          pl.call @keep(%left, %5) device(%r_2) {pl.task = 2 : index, arg_directions = ["input", "inout"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// HOST-NEXT:        }
// HOST-NEXT:        %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// HOST-NEXT:        %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// HOST-NEXT:        %c2_2 = arith.constant 2 : index
// HOST-NEXT:        pl.call @keep(%right, %7) device(%c2_2) {pl.task = 3 : index, arg_directions = ["input", "output_existing"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>) -> ()
// HOST-NEXT:      }
// HOST-NEXT:    }
// HOST-NEXT:    func.return
// HOST-NEXT:  }

// After materialize-dist-tensor-ctx.

// CTX-LABEL: func.func @host(%lefts: tensor<3x2x4xf32>, %rights: tensor<3x2x4xf32>, %sums: tensor<3x2x4xf32> {pl.dir = "inout"}) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CTX-NEXT:    pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["left_buf", "allreduce_signal_0"]} {
// CTX-NEXT:      pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 1, 2>, slots = ["right_buf", "signal_buf"]} {
// CTX-NEXT:        %c32 = arith.constant 32 : index
// CTX-NEXT:        %left_buf = pld.tensor.alloc_window_buffer %c32 {name = "left_buf"} : !pld.window_buffer
// CTX-NEXT:        %left = pld.tensor.window %left_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:        %c32_1 = arith.constant 32 : index
// CTX-NEXT:        %right_buf = pld.tensor.alloc_window_buffer %c32_1 {name = "right_buf"} : !pld.window_buffer
// CTX-NEXT:        %right = pld.tensor.window %right_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:        %c8 = arith.constant 8 : index
// CTX-NEXT:        %signal_buf = pld.tensor.alloc_window_buffer %c8 {name = "signal_buf"} : !pld.window_buffer
// CTX-NEXT:        %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CTX-NEXT:        %c0 = arith.constant 0 : index
// CTX-NEXT:        %c2 = arith.constant 2 : index
// CTX-NEXT:        %c1 = arith.constant 1 : index
// CTX-NEXT:        scf.for %r = %c0 to %c2 step %c1 {
// CTX-NEXT:          %0 = pl.tensor.slice %lefts[%r, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// CTX-NEXT:          %1 = pl.tensor.view %0 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// CTX-NEXT:          %left_ctx = pld.system.get_comm_ctx %left : !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:          pl.call @fill(%1, %left, %left_ctx) device(%r) {pl.task = 0 : index, arg_directions = ["input", "inout", "scalar"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.comm_ctx) -> ()
// CTX-NEXT:        }
// CTX-NEXT:        %c1_1 = arith.constant 1 : index
// CTX-NEXT:        %c3 = arith.constant 3 : index
// CTX-NEXT:        %c1_2 = arith.constant 1 : index
// CTX-NEXT:        scf.for %r_1 = %c1_1 to %c3 step %c1_2 {
// CTX-NEXT:          %2 = pl.tensor.slice %rights[%r_1, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// CTX-NEXT:          %3 = pl.tensor.view %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// CTX-NEXT:          %right_ctx = pld.system.get_comm_ctx %right : !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:          pl.call @fill(%3, %right, %right_ctx) device(%r_1) {pl.task = 1 : index, arg_directions = ["input", "inout", "scalar"]} : (tensor<2x4xf32>, !pld.dist_tensor<tensor<2x4xf32>>, !pld.comm_ctx) -> ()
// CTX-NEXT:        }
// CTX-NEXT:        %devices = pld.system.world_size : index
// CTX-NEXT:        %row_bytes = arith.constant 4 : index
// CTX-NEXT:        %signal_bytes = arith.muli %devices, %row_bytes : index
// CTX-NEXT:        %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// CTX-NEXT:        %signal_1 = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CTX-NEXT:        %device0 = arith.constant 0 : index
// CTX-NEXT:        pld.builtin.allreduce %left, %signal_1 device(%device0) {arg_directions = ["inout", "inout"], op = "sum"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CTX-NEXT:        %device1 = arith.constant 1 : index
// CTX-NEXT:        pld.builtin.allreduce %left, %signal_1 device(%device1) {arg_directions = ["inout", "inout"], op = "sum"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CTX-NEXT:        %device1_1 = arith.constant 1 : index
// CTX-NEXT:        pld.builtin.allreduce %right, %signal device(%device1_1) {arg_directions = ["inout", "inout"], op = "max"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CTX-NEXT:        %device2 = arith.constant 2 : index
// CTX-NEXT:        pld.builtin.allreduce %right, %signal device(%device2) {arg_directions = ["inout", "inout"], op = "max"} : (!pld.dist_tensor<tensor<2x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CTX-NEXT:        %c0_1 = arith.constant 0 : index
// CTX-NEXT:        %c2_1 = arith.constant 2 : index
// CTX-NEXT:        %c1_3 = arith.constant 1 : index
// CTX-NEXT:        scf.for %r_2 = %c0_1 to %c2_1 step %c1_3 {
// CTX-NEXT:          %4 = pl.tensor.slice %sums[%r_2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// CTX-NEXT:          %5 = pl.tensor.view %4 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// CTX-NEXT:          %left_ctx_1 = pld.system.get_comm_ctx %left : !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:          pl.call @keep(%left, %5, %left_ctx_1) device(%r_2) {pl.task = 2 : index, arg_directions = ["input", "inout", "scalar"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>, !pld.comm_ctx) -> ()
// CTX-NEXT:        }
// CTX-NEXT:        %6 = pl.tensor.slice %sums[2, 0, 0] [1, 2, 4] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
// CTX-NEXT:        %7 = pl.tensor.view %6 : tensor<1x2x4xf32> -> tensor<2x4xf32>
// CTX-NEXT:        %c2_2 = arith.constant 2 : index
// CTX-NEXT:        %right_ctx_1 = pld.system.get_comm_ctx %right : !pld.dist_tensor<tensor<2x4xf32>>
// CTX-NEXT:        pl.call @keep(%right, %7, %right_ctx_1) device(%c2_2) {pl.task = 3 : index, arg_directions = ["input", "output_existing", "scalar"]} : (!pld.dist_tensor<tensor<2x4xf32>>, tensor<2x4xf32>, !pld.comm_ctx) -> ()
// CTX-NEXT:      }
// CTX-NEXT:    }
// CTX-NEXT:    func.return
// CTX-NEXT:  }
