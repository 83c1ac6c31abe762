# RUN: pld-opt %s | filecheck %s

# A store into an array binds nothing: arms that end in pl.yield_ may store, and need not yield it.

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[1], pl.INDEX]]):
        a = pl.array.create(2, pl.INDEX)
        if n > 1:
            a[0] = n
            m = pl.yield_(n)
        else:
            m = pl.yield_(a[1])
        y = pl.write(y, [0], a[0] + m)
        return y


# CHECK:      %m = scf.if %{{.*}} -> (index) {
# CHECK:        memref.store %n, %[[A:.*]][%{{.*}}] : memref<2xindex>
# CHECK:        scf.yield %n : index
# CHECK-NEXT: } else {
# CHECK:        %[[V:.*]] = memref.load %[[A]][%{{.*}}] : memref<2xindex>
# CHECK-NEXT:   scf.yield %[[V]] : index
# CHECK:      %[[W:.*]] = memref.load %[[A]][%{{.*}}] : memref<2xindex>
# CHECK-NEXT: %{{.*}} = arith.addi %[[W]], %m : index
