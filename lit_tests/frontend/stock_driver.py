# RUN: xdsl-opt -f 'pypto{program="build" bind="nr=2"}' < %s | filecheck %s
# RUN: pld-opt %s -f 'pypto{program="build" bind="nr=2"}' | filecheck %s
# RUN: pld-opt - -f pypto --program P --bind nr=2 < %s | filecheck %s
# RUN: pld-opt %s --program P --bind nr=2 --print-debuginfo | filecheck %s --check-prefix LOCATIONS

# The stock driver reads the same; every op has its place in the program.

import pypto.language as pl


def build(nr):
    @pl.program
    class P:
        @pl.function
        def f(self, x: pl.Tensor[[nr, 4], pl.FP32], é: pl.INT32):
            ñ = é + 1
            return ñ


@pl.program
class Other:
    pass


# CHECK: func.func @f(%x: tensor<2x4xf32>, %0: i32) -> i32

# LOCATIONS: arith.constant 1 : i32 loc("{{.*}}stock_driver.py":16:21)
# LOCATIONS-NEXT: arith.addi %{{.*}} : i32 loc("{{.*}}stock_driver.py":16:17)
# LOCATIONS-NEXT: func.return %{{.*}} : i32 loc("{{.*}}stock_driver.py":17:13)
