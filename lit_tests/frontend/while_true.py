# RUN: pld-opt %s -t pld-python | filecheck %s
# RUN: pld-opt %s -t pld-python | pld-opt -f pypto - | filecheck %s --check-prefix BACK

# A condition that is a constant is a condition, read and said again.

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def forever(self, y: pl.Out[pl.Tensor[[8], pl.INT32]], n: pl.Scalar[pl.INT32]):
        while True:
            n = n + 1
            while False:
                pl.write(y, [0], n)
        return y

# CHECK:      for ([[N:.+]],) in pl.while_(init_values=(n,)):
# CHECK-NEXT:     pl.cond(True)
# CHECK:          while False:
# BACK:       scf.while (%{{.*}} = %n) : (i32) -> i32 {
# BACK-NEXT:    [[C:%.*]] = arith.constant true
# BACK-NEXT:    scf.condition([[C]])
# BACK:         scf.while () : () -> () {
# BACK-NEXT:      [[D:%.*]] = arith.constant false
# BACK-NEXT:      scf.condition([[D]])
