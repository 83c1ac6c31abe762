// RUN: pld-opt --emit-irdl pld | filecheck %s
// RUN: not pld-opt --emit-irdl pl 2>&1 | filecheck %s --check-prefix PL
// RUN: not pld-opt --emit-irdl llvm 2>&1 | filecheck %s --check-prefix OTHER

// CHECK:       irdl.dialect @pld {
// CHECK:         irdl.type @dist_tensor {
// CHECK-NEXT:      [[TENSOR:%[0-9]+]] = irdl.base "!builtin.tensor"
// CHECK-NEXT:      irdl.parameters(tensor: [[TENSOR]])
// CHECK:         irdl.type @comm_ctx
// CHECK-NEXT:    irdl.type @window_buffer

// The result of a write-back is of the type of its destination.
// CHECK:         irdl.operation @tensor.all_to_all_v {
// CHECK-NEXT:      [[A:%[0-9]+]] = irdl.base "!builtin.tensor"
// CHECK-NEXT:      [[B:%[0-9]+]] = irdl.base @pld::@dist_tensor
// CHECK-NEXT:      [[INPUT:%[0-9]+]] = irdl.any_of([[A]], [[B]])
// CHECK-NEXT:      [[TARGET:%[0-9]+]] = irdl.base @pld::@dist_tensor
// CHECK-NEXT:      [[SIGNAL:%[0-9]+]] = irdl.base @pld::@dist_tensor
// CHECK:           irdl.operands(input: [[INPUT]], target: [[TARGET]], signal: [[SIGNAL]], send_counts: %{{[0-9]+}}, recv_counts: %{{[0-9]+}}, core_num: optional %{{[0-9]+}})
// CHECK-NEXT:      irdl.results(result: [[TARGET]])

// A string out of a list.
// CHECK:         irdl.operation @tensor.allreduce {
// CHECK:           irdl.is "sum"
// CHECK-NEXT:      irdl.is "max"
// CHECK-NEXT:      irdl.is "min"
// CHECK-NEXT:      irdl.is "prod"
// CHECK-NEXT:      irdl.any_of

// The arguments of a dispatch are spelt out: a variadic would give them one type.
// CHECK:         irdl.operation @builtin.barrier {
// CHECK:           irdl.operands(signal: %{{[0-9]+}}, device: %{{[0-9]+}}, core_num: optional %{{[0-9]+}})

// CHECK:       // Wider than dialect pld (xDSL's verifier checks these, IRDL cannot):
// CHECK:       //   pld.tensor.barrier: signal: elements of i32
// CHECK:       // Narrower than dialect pld (IRDL refuses these, though valid):
// CHECK:       //   pld.comm_domain: trait NoTerminator

// PL: error: argument --emit-irdl: dialect 'pl' has no IRDL form: IRDL gives all elements of a variadic one type
// OTHER: error: argument --emit-irdl: no dialect 'llvm' to export, only 'pld'
