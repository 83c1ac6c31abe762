# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Calls: arity, keywords, devices, submits, launches, regions.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8], pl.FP32], y: pl.InOut[pl.Tensor[[8], pl.FP32]]):
        return y

    @pl.function(type=pl.FunctionType.InCore)
    def void(self, x: pl.Tensor[[8], pl.FP32]):
        pass

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[8], pl.FP32], y: pl.InOut[pl.Tensor[[8], pl.FP32]], n: pl.Scalar[pl.INT32]):
        self.k(x)
        self.k(x, y=y)
        self.k(x, y, device=0)
        self.k(x, 4)
        a = self.void(x)
        a, t = pl.submit(self.k, x)
        a, t = pl.submit(self.k, x, y, deps=n)
        a, t = pl.submit(self.k, x, y, deps=[n])
        a, t = pl.submit(self.k, x, y, predicate=n)
        a, t = pl.spmd_submit(self.k, x, y)
        a, b, c = pl.submit(self.k, x, y)
        a = self.k(x, y, attrs={"stage": 1})
        a = self.k(x, y, attrs={"arg_directions": [pl.adir.sideways]})
        a = self.kk(x, y)
        with pl.at(level=pl.Level.CORE_GROUP):
            pass
        with pl.spmd(4):
            a = self.k(x, y)
            a = self.k(x, y)
        for b in pl.spmd(4):
            pass
        with pl.cluster():
            pass

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[8], pl.FP32]):
        self.k(x, x, device=0)
        b = pld.alloc_window_buffer(64)
        pld.alloc_window_buffer(64)
        w = pld.window(b, [pld.world_size()], dtype=pl.FP32)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host2(self, x: pl.Tensor[[8], pl.FP32]):
        b = pld.alloc_window_buffer(64, name="b")
        b = pld.alloc_window_buffer(64)


# CHECK: rejected_calls.py:21:9: error: 'k' takes 2 arguments, not 1
# CHECK: rejected_calls.py:22:19: error: a call here takes no keyword 'y' (arguments are positional); its keywords: device, attrs
# CHECK: rejected_calls.py:23:29: error: device= is for dispatches in a host body (level HOST, role Orchestrator)
# CHECK: rejected_calls.py:24:19: error: the argument of 'y' must be tensor<8xf32>, not a constant or a tuple
# CHECK: rejected_calls.py:25:13: error: this call has no result
# CHECK: rejected_calls.py:26:16: error: 'k' takes 2 arguments, not 1: 'y' must be passed, only trailing plain pl.Out parameters may be left out
# CHECK: rejected_calls.py:27:45: error: deps must be a list of task ids, written out
# CHECK: rejected_calls.py:28:46: error: a dependency must be a task id, or None
# CHECK: rejected_calls.py:29:40: error: predicate= is not supported: write an `if`
# CHECK: rejected_calls.py:30:16: error: pl.spmd_submit needs core_num
# CHECK: rejected_calls.py:31:9: error: 2 results cannot be unpacked into 3 names
# CHECK: rejected_calls.py:32:33: error: attrs has no key 'stage' here; its keys: arg_directions, task, after, results
# CHECK: rejected_calls.py:33:52: error: expected one of pl.adir.{input, output, inout, output_existing, no_dep, scalar}
# CHECK: rejected_calls.py:34:13: error: the program has no function 'kk', did you mean 'k'?
# CHECK: rejected_calls.py:35:14: error: pl.at is not supported: its region is not outlined: write a kernel (@pl.function(type=pl.FunctionType.InCore)) and call it
# CHECK: rejected_calls.py:37:14: error: pl.spmd is supported around one kernel call only, its region is not outlined: write a kernel and call it
# CHECK: rejected_calls.py:40:18: error: pl.spmd is not supported: its region is not outlined: write a kernel (@pl.function(type=pl.FunctionType.InCore)) and call it with core_num
# CHECK: rejected_calls.py:42:14: error: pl.cluster is not supported: its region is not outlined: write a kernel (@pl.function(type=pl.FunctionType.InCore)) and call it
# CHECK: rejected_calls.py:47:29: error: device= dispatches an orchestration; 'k' is none
# CHECK: rejected_calls.py:49:9: error: pld.alloc_window_buffer takes its name from the variable: write <name> = pld.alloc_window_buffer(...)
# CHECK: rejected_calls.py:50:27: error: the shape of a window is static, and world_size() is known at run time: pass --ranks N
# CHECK: rejected_calls.py:54:46: error: 'name' of pld.alloc_window_buffer is not supported
# CHECK: rejected_calls.py:55:13: error: the window buffer name 'b' is taken in this program: the runtime finds windows by it
# CHECK: rejected_calls.py:48:13: note: the first one
