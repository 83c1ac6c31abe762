// RUN: pld-build %s --print | filecheck %s
// RUN: pld-opt %s -p pld-default-pipeline -t pld-orchestration | filecheck %s
// RUN: pld-build %s --print --runtime 2026.08 --target 950 | filecheck %s --check-prefix=OTHER

// A collective as its author wrote it, with two blocks: guards, one task, one launch spec.

func.func @chip(%inp: tensor<8x64xi8>, %data: !pld.dist_tensor<tensor<8x64xi8>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x2xi32>> {pl.dir = "inout"},
    %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %n = arith.constant 3 : index
  %d = pld.tensor.all_to_all_v %inp, %data, %signal, %counts, %recv core_num(%n)
    : tensor<8x64xi8>, !pld.dist_tensor<tensor<8x64xi8>>, !pld.dist_tensor<tensor<2x2xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// CHECK: // ===== chip/orchestration/chip.cpp =====
// CHECK: config.expected_arg_count = 5 + 3;
// CHECK: const Tensor& inp = orch_args.tensor(0).ref();
// CHECK: PTO2_SCOPE() {
// CHECK: if (!inp.is_contiguous) {
// CHECK-NEXT: rt_report_fatal(SIMPLER_ERROR_INVALID_ARGS, "__builtin_all_to_all_v__int8: input is not contiguous");
// CHECK-NEXT: return;
// CHECK: CoreTaskArgs task_0;
// CHECK-NEXT: task_0.add_input(inp);
// CHECK-NEXT: task_0.add_inout(data);
// CHECK-NEXT: task_0.add_inout(signal);
// CHECK-NEXT: task_0.add_input(counts);
// CHECK-NEXT: task_0.add_inout(recv);
// CHECK-NEXT: task_0.add_scalar(data_ctx);
// CHECK-NEXT: task_0.add_scalar(signal_ctx);
// CHECK-NEXT: task_0.add_scalar(recv_ctx);
// CHECK-NEXT: task_0.launch_spec.set_block_num(2);
// CHECK-NEXT: task_0.launch_spec.set_require_sync_start(true);
// CHECK-NEXT: rt_submit_aiv_task(0, task_0);

// OTHER: const ChipTensor& inp = orch_args.tensor(0).ref();
// OTHER: rt_report_fatal(PTO2_ERROR_INVALID_ARGS
// OTHER: task_0.launch_spec.set_core_num(2);
// OTHER: using Element = int8_t;
