# RUN: pld-opt %s --ranks 4 | filecheck %s

# The shape of a window asks for world_size().

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        n = pld.world_size()
        buf = pld.alloc_window_buffer(n * 4)
        a = pld.window(buf, [n, 1], dtype=pl.INT32)
        b = pld.window(buf, [pld.world_size() * 2 - 4], dtype=pl.INT32)
        pld.tensor.barrier(a)
        pld.tensor.barrier(b)

# CHECK:      func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
# CHECK-NEXT:   %n = pld.system.world_size : index
# CHECK-NEXT:   %c4 = arith.constant 4 : index
# CHECK-NEXT:   %0 = arith.muli %n, %c4 : index
# CHECK-NEXT:   %buf = pld.tensor.alloc_window_buffer %0 {name = "buf"} : !pld.window_buffer
# CHECK-NEXT:   %a = pld.tensor.window %buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x1xi32>>
# CHECK-NEXT:   %b = pld.tensor.window %buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4xi32>>
# CHECK-NEXT:   %1 = pld.tensor.barrier %a : !pld.dist_tensor<tensor<4x1xi32>>
# CHECK-NEXT:   %2 = pld.tensor.barrier %b : !pld.dist_tensor<tensor<4xi32>>
# CHECK-NEXT:   func.return
# CHECK-NEXT: }
