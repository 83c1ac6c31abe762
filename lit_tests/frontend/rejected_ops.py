# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Parameters and operations that the reference rejects by name.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]], n: pl.INT32, m: pl.INDEX):
        t = pl.load(x, [0, 0], [8, 4])
        pl.create_tensor([8], dtype=pl.FP32, init_value=0)
        pl.create_tensor([8], dtype=pl.FP32, manual_dep=True)
        pl.slice(x, [1, 4], [0, 0], drop_dims=[0])
        pl.slice(x, [1, 4], [0, 0], pad_value=0)
        pl.slice(x, [1, 4], [0, 0], clamp=True)
        pl.read(t, [0, 0])
        pl.write(t, [0, 0], 1.0)
        pl.exp(t)
        pl.tile.move(t)
        pl.row_max(t)
        pl.tile.fillpad(t)
        pl.tensor.matmul(x, x)
        pl.system.syncall()
        pl.system.fence()
        pl.system.available_aiv_count()
        pl.tile.add(n, n)
        pl.add(x, x)
        a = n @ n
        b = n | n
        c = n ^ n
        d = n + 0.5
        e = x < 1
        y[m, m] = 1.0
        x[0:2, :] = t
        n[0] = 1
        pl.write(m, [0], 1)
        for i in [1, 2]:
            pass
        for i in pl.range(0.5):
            pass
        with pl.split_aiv():
            pass
        with pl.scope():
            pass
        with pl.manual_scope() as s:
            pass
        with pl.manual_scope(), pl.manual_scope():
            pass
        with open("f"):
            pass

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]], n: pl.INT32):
        pl.tile.get_block_idx()
        _, t = pl.submit(self.returning, x)
        pl.submit(self.returning, x, y, deps=[t for _ in t])
        pl.submit(x)
        pl.submit()
        pl.no_dep(x)
        self.returning(pl.no_dep(x, x), y)
        self.returning(*x)
        pl.system.task_dummy(t)
        with pl.spmd(n, n):
            self.returning(x, y)
        with pl.spmd(n, width=2):
            self.returning(x, y)
        with pl.spmd(n):
            pl.load(x, [0, 0], [8, 4])

    @pl.function(type=pl.FunctionType.InCore)
    def returning(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]]):
        return y


# CHECK: rejected_ops.py:14:57: error: 'init_value' of pl.create_tensor is not supported
# CHECK: rejected_ops.py:15:57: error: 'manual_dep' of pl.create_tensor is not supported
# CHECK: rejected_ops.py:16:47: error: 'drop_dims' of pl.slice is not supported
# CHECK: rejected_ops.py:17:47: error: 'pad_value' of pl.slice is not supported
# CHECK: rejected_ops.py:18:43: error: 'clamp' of pl.slice is not supported
# CHECK: rejected_ops.py:19:17: error: pl.read: 't' must be a tensor, not !pl.tile<tensor<8x4xf32>>
# CHECK: rejected_ops.py:20:18: error: pl.write: 't' must be a tensor, not !pl.tile<tensor<8x4xf32>>
# CHECK: rejected_ops.py:21:9: error: pl.exp is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:22:9: error: pl.tile.move is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:23:9: error: pl.row_max is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:24:9: error: pl.tile.fillpad is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:25:9: error: pl.tensor.matmul is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:26:9: error: pl.system.syncall is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:27:9: error: pl.system.fence is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:28:9: error: pl.system.available_aiv_count is not supported: it is outside of the communication subset
# CHECK: rejected_ops.py:29:21: error: pl.tile.add: 'a' must be a tile
# CHECK: rejected_ops.py:30:9: error: arithmetic on tensors is not supported: load tiles in a kernel and compute on these
# CHECK: rejected_ops.py:31:13: error: the operator '@' is not supported
# CHECK: rejected_ops.py:32:13: error: the operator '|' is not supported: use 'and' / 'or' on conditions
# CHECK: rejected_ops.py:33:13: error: the operator '^' is not supported
# CHECK: rejected_ops.py:34:17: error: a float is no i32: write pl.cast(...)
# CHECK: rejected_ops.py:35:13: error: tensors and tiles are not compared: read an element
# CHECK: rejected_ops.py:36:9: error: write one element with pl.write(t, [i, j], v)
# CHECK: rejected_ops.py:37:21: error: a tensor is stored into a tensor, not !pl.tile<tensor<8x4xf32>>
# CHECK: rejected_ops.py:38:9: error: only tensors and arrays have elements to assign to
# CHECK: rejected_ops.py:39:18: error: pl.write: 't' must be a tensor, not index
# CHECK: rejected_ops.py:40:18: error: a `for` runs over pl.range(...), pl.parallel, pl.unroll or pl.pipeline
# CHECK: rejected_ops.py:42:27: error: a float is no index: write pl.cast(...)
# CHECK: rejected_ops.py:44:14: error: pl.split_aiv is not supported: its region is not outlined: write a kernel (@pl.function(type=pl.FunctionType.InCore)) and call it
# CHECK: rejected_ops.py:46:14: error: pl.scope is not supported: only pl.scope(mode=pl.ScopeMode.MANUAL), in a `with`, is supported
# CHECK: rejected_ops.py:48:35: error: pl.manual_scope has nothing to bind to a name
# CHECK: rejected_ops.py:50:9: error: a `with` has one scope here: nest them
# CHECK: rejected_ops.py:52:14: error: a `with` of anything but a scope of the DSL is not supported
# CHECK: rejected_ops.py:57:9: error: pl.tile.get_block_idx is for kernels
# CHECK: rejected_ops.py:58:16: error: 'returning' takes 2 arguments, not 1: 'y' must be passed, only trailing plain pl.Out parameters may be left out
# CHECK: rejected_ops.py:59:46: error: deps must be a list of task ids, written out
# CHECK: rejected_ops.py:60:19: error: call of 'x': not a DSL op; the file is parsed, not executed
# CHECK: rejected_ops.py:61:9: error: pl.submit needs the kernel to submit
# CHECK: rejected_ops.py:62:9: error: pl.no_dep has no place here
# CHECK: rejected_ops.py:63:24: error: pl.no_dep takes one argument
# CHECK: rejected_ops.py:64:24: error: '*' in a call is not supported: list the arguments
# CHECK: rejected_ops.py:65:30: error: pl.system.task_dummy takes deps=[...] only
# CHECK: rejected_ops.py:66:14: error: pl.spmd takes the number of blocks
# CHECK: rejected_ops.py:68:25: error: pl.spmd takes no keyword 'width'
# CHECK: rejected_ops.py:70:14: error: pl.spmd is supported around one kernel call only, its region is not outlined: write a kernel and call it
