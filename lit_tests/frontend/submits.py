# RUN: pld-opt %s | filecheck %s

# Submits, launches, task ids, dependencies, manual scopes, directions.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):
        return y

    @pl.function(type=pl.FunctionType.InCore)
    def two(self, x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):
        return x, y

    @pl.function(type=pl.FunctionType.InCore)
    def void(self, x: pl.Tensor[[8], pl.FP32]):
        pass

    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):
        a, t0 = pl.submit(self.k, x, y)
        b, t1 = pl.submit(self.k, a, deps=[t0, None])
        (c, d), t2 = pl.submit(self.two, b, y)
        all = pl.submit(self.two, c, d, deps=[t1, t2])
        t3 = pl.submit(self.void, all[0], deps=[all[2]])
        t4 = pl.system.task_dummy(deps=[t3])
        e, t5 = pl.spmd_submit(self.k, x, y, core_num=4, sync_start=True, deps=[t4])
        with pl.spmd(8, sync_start=True):
            e = self.k(e, y)
        with pl.spmd(2, deps=[t5]) as t6:
            g = self.k(e, y)
        with pl.manual_scope():
            h = self.k(g, y)
            i, t7 = pl.submit(self.k, h, y, deps=[t6])
        j = self.k(pl.no_dep(i), y, attrs={"arg_directions": [pl.adir.no_dep, pl.adir.output]})
        return j

# CHECK:      func.func @k(%x: tensor<8xf32>, %y: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   func.return %y : tensor<8xf32>
# CHECK-NEXT: }
# CHECK-NEXT: func.func @two(%x: tensor<8xf32>, %y: tensor<8xf32> {pl.dir = "out"}) -> (tensor<8xf32>, tensor<8xf32>) attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   func.return %x, %y : tensor<8xf32>, tensor<8xf32>
# CHECK-NEXT: }
# CHECK-NEXT: func.func @void(%x: tensor<8xf32>) attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
# CHECK-NEXT: func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "orchestration"} {
# CHECK-NEXT:   %a, %t0 = pl.submit @k(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %b, %t1 = pl.submit @k(%a) deps(%t0) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %c, %d, %t2 = pl.submit @two(%b, %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %0, %1, %2 = pl.submit @two(%c, %d) deps(%t1, %t2) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %t3 = pl.submit @void(%0) deps(%2) : (tensor<8xf32>) -> !pl.task_id
# CHECK-NEXT:   %t4 = pl.task_dummy deps(%t3)
# CHECK-NEXT:   %c4 = arith.constant 4 : index
# CHECK-NEXT:   %e, %t5 = pl.submit @k(%x, %y) deps(%t4) core_num(%c4) sync_start : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %e_1 = pl.call @k(%e, %y) core_num(%c8) sync_start : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   %g, %t6 = pl.submit @k(%e_1, %y) deps(%t5) core_num(%c2) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %h = pl.call @k(%g, %y) {no_dep = array<i64: 0, 1>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
# CHECK-NEXT:   %i, %t7 = pl.submit @k(%h, %y) deps(%t6) {no_dep = array<i64: 0, 1>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
# CHECK-NEXT:   %j = pl.call @k(%i, %y) {no_dep = array<i64: 0>, arg_directions = ["no_dep", "output"]} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
# CHECK-NEXT:   func.return %j : tensor<8xf32>
# CHECK-NEXT: }
