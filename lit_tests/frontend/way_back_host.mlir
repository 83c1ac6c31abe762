// RUN: pld-opt %S/../../examples/two_domains.mlir -p pld-default-pipeline -t pld-python | filecheck %s

// A lowered host in the author"s language: domains as scopes, dispatches by collective, numbered tasks.

// CHECK:      def keep(
// CHECK:              self.fill_step(window, to, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing], "task": 0})
// CHECK:      def host(
// CHECK:              with pld.comm_domain("comm_d0", devices=[0, 1], slots=["left_buf", "allreduce_signal_0"]):
// CHECK-NEXT:             with pld.comm_domain("comm_d1", devices=[1, 2], slots=["right_buf", "signal_buf"]):
// CHECK-NEXT:                 left_buf = pld.alloc_window_buffer(32)
// CHECK:                      self.fill({{.*}}, left, left_ctx, device=r, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.scalar], "task": 0})
// CHECK:                      signal_buffer = pld.alloc_window_buffer({{.*}}, attrs={"name": "allreduce_signal_0"})
// CHECK:                      pld.builtin.allreduce(left, signal_1, device={{.*}}, op=pld.ReduceOp.Sum, attrs={"arg_directions": [pl.adir.inout, pl.adir.inout]})
// CHECK:                      pld.builtin.allreduce(right, signal, device={{.*}}, op=pld.ReduceOp.Max, attrs={"arg_directions": [pl.adir.inout, pl.adir.inout]})
