# RUN: pld-opt %s | filecheck %s

# What only lowered programs say: domains, dispatches of the host rail, task numbers, stated types.

import pypto.language as pl
import pypto.language.distributed as pld

N = pl.dynamic("N")


@pl.program
class Lowered:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.Out[pl.Tensor[[N, 4], pl.FP32]]) -> pl.Tensor[[N, 4], pl.FP32]: ...

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[2, 8, 4], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]], n: pl.INDEX, b: pl.BOOL, w: pl.INT32):
        box = pl.slice(x, [1, 8, 4], [n, 0, 0], attrs={"type": pl.Tensor[[8, 4], pl.FP32]})
        column = pl.create_tensor([8, 4], dtype=pl.FP32, attrs={"type": pl.Tensor[[8, 4], pl.FP32, pl.TensorView(layout=pl.DN)]})
        a = self.k(box, y, attrs={"arg_directions": [pl.adir.input, pl.adir.output], "task": 0, "after": []})
        c, t = pl.submit(self.k, box, y, attrs={"task": 1, "after": [0], "results": [pl.Tensor[[8, 4], pl.FP32]]})
        tall = pl.transpose(x, attrs={"axes": [2, 0, 1]})
        flat = pl.reshape(y, attrs={"type": pl.Tensor[[N], pl.FP32]})
        part = pl.set_validshape(x, attrs={"type": pl.Tensor[[2, 8, 4], pl.FP32, pl.TensorView(valid_shape=[1, 8, 4])]})
        same = pl.arith.xori(b, n == 2)
        less = pl.arith.ult(w, 4)
        half = pl.arith.divui(w, 2)
        more = pl.arith.select(b, half, w)
        one = pl.const(1, pl.INDEX)
        four = pl.tensor.dim(y, one)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, n: pl.INDEX):
        with pld.comm_domain("all", slots=["sig", "d_buf"]):
            d_buf = pld.alloc_window_buffer(128)
            s_buf = pld.alloc_window_buffer(8, attrs={"name": "sig"})
            d = pld.window(d_buf, [8, 4], dtype=pl.FP32)
            s = pld.window(s_buf, [2, 1], dtype=pl.INT32)
            with pld.comm_domain("two", devices=[0, 1], slots=["e_buf"]):
                e_buf = pld.alloc_window_buffer(128)
                e = pld.window(e_buf, [8, 4], dtype=pl.FP32)
                pld.builtin.allreduce(d, s, device=n, op=pld.ReduceOp.Max, mode="ring", attrs={"arg_directions": [pl.adir.inout, pl.adir.inout]})
                pld.builtin.reduce_scatter(d, s, device=0)
                pld.builtin.broadcast(d, s, device=n, root=1)
                pld.builtin.barrier(s, device=n, core_num=2)
                pld.builtin.allgather(e, d, s, device=n)
                pld.builtin.all_to_all(e, d, s, device=n)
                kept = pld.yield_(e)
            d2 = pld.yield_(kept)
        pld.get_comm_ctx(d2)


# CHECK:      func.func private @k(tensor<8x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
# CHECK:        %box = pl.tensor.slice %x[%n, 0, 0] [1, 8, 4] : tensor<2x8x4xf32> -> tensor<8x4xf32>
# CHECK-NEXT:   %column = pl.tensor.create : tensor<8x4xf32, {layout = "dn"}>
# CHECK-NEXT:   %a = pl.call @k(%box, %y) {pl.task = 0 : index, pl.after = array<i64>, arg_directions = ["input", "output"]} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
# CHECK-NEXT:   %c, %t = pl.submit @k(%box, %y) {pl.task = 1 : index, pl.after = array<i64: 0>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, !pl.task_id)
# CHECK-NEXT:   %tall = pl.tensor.transpose %x {axes = array<i64: 2, 0, 1>} : tensor<2x8x4xf32> -> tensor<4x2x8xf32>
# CHECK-NEXT:   %flat = pl.tensor.reshape %y : tensor<8x4xf32> -> tensor<?xf32>
# CHECK-NEXT:   %part = pl.tensor.set_validshape %x : tensor<2x8x4xf32> -> tensor<2x8x4xf32, {valid_shape = array<i64: 1, 8, 4>}>
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   %0 = arith.cmpi eq, %n, %c2 : index
# CHECK-NEXT:   %same = arith.xori %b, %0 : i1
# CHECK-NEXT:   %c4_i32 = arith.constant 4 : i32
# CHECK-NEXT:   %less = arith.cmpi ult, %w, %c4_i32 : i32
# CHECK-NEXT:   %c2_i32 = arith.constant 2 : i32
# CHECK-NEXT:   %half = arith.divui %w, %c2_i32 : i32
# CHECK-NEXT:   %more = arith.select %b, %half, %w : i32
# CHECK-NEXT:   %one = arith.constant 1 : index
# CHECK-NEXT:   %four = tensor.dim %y, %one : tensor<8x4xf32>
# CHECK-NEXT:   func.return

# CHECK:      func.func @host(%n: index)
# CHECK-NEXT:   %d2 = pld.comm_domain attributes {name = "all", slots = ["sig", "d_buf"]} -> !pld.dist_tensor<tensor<8x4xf32>> {
# CHECK:          %s_buf = pld.tensor.alloc_window_buffer %c8 {name = "sig"} : !pld.window_buffer
# CHECK:          %kept = pld.comm_domain attributes {name = "two", devices = array<i64: 0, 1>, slots = ["e_buf"]} -> !pld.dist_tensor<tensor<8x4xf32>> {
# CHECK:            pld.builtin.allreduce %d, %s device(%n) {arg_directions = ["inout", "inout"], mode = "ring", op = "max"} : (!pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       %c0 = arith.constant 0 : index
# CHECK-NEXT:       pld.builtin.reduce_scatter %d, %s device(%c0) {op = "sum"} : (!pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       pld.builtin.broadcast %d, %s device(%n) {root = 1 : i64} : (!pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       %c2 = arith.constant 2 : index
# CHECK-NEXT:       pld.builtin.barrier %s device(%n) core_num(%c2) : (!pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       pld.builtin.allgather %e, %d, %s device(%n) : (!pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       pld.builtin.all_to_all %e, %d, %s device(%n) : (!pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<8x4xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
# CHECK-NEXT:       pld.yield %e : !pld.dist_tensor<tensor<8x4xf32>>
# CHECK-NEXT:     }
# CHECK-NEXT:     pld.yield %kept : !pld.dist_tensor<tensor<8x4xf32>>
# CHECK-NEXT:   }
# CHECK-NEXT:   %0 = pld.system.get_comm_ctx %d2 : !pld.dist_tensor<tensor<8x4xf32>>
