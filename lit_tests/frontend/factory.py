# RUN: pld-opt %s --program build --bind nr=2 --bind kind=BF16 -D WIDTH=32 | filecheck %s

# A factory: constants of enclosing scopes, --bind, -D.

import pypto.language as pl
import pypto.language.distributed as pld


WIDTH = 64
HALF, (QUARTER,) = WIDTH // 2, (WIDTH // 4,)


def build(nr: int, *, rows=4, kind=pl.FP32):
    n = nr
    if n > 1:
        size = n * rows
    else:
        size = rows

    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def f(self, x: pl.Tensor[[size, HALF if n == 2 else 1], kind], y: pl.Tensor[[max(n, 3), QUARTER], kind]):
            for i in pl.range(size):
                pl.load(x, [i, 0], [1, HALF])

    return P


def test_other():
    @pl.program
    class Q:
        pass

# CHECK:      func.func @f(%x: tensor<8x16xbf16>, %y: tensor<3x8xbf16>) attributes {pl.func_type = "incore"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %c8 = arith.constant 8 : index
# CHECK-NEXT:   %c1 = arith.constant 1 : index
# CHECK-NEXT:   scf.for %i = %c0 to %c8 step %c1 {
# CHECK-NEXT:     %0 = pl.tile.load %x[%i, 0] [1, 16] : tensor<8x16xbf16> -> !pl.tile<tensor<1x16xbf16>>
# CHECK-NEXT:   }
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
