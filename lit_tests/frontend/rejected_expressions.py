# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Expressions and ops that are refused, with the reason.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], n: pl.Scalar[pl.INT32], s: pl.Scalar[pl.FP32], b: pl.Scalar[pl.BOOL], u: pl.Tensor[[8], pl.UINT8], d: pld.DistributedTensor[[8, 64], pl.FP32], y: pl.Tensor[[8, 64], pl.FP32]):
        t = pl.load(x, [0, 0], [1, 64])
        a = n ** 2
        a = n & 1
        a = n + s
        a = n / 2
        a = s // 2
        a = n + 3000000000
        a = n // 0
        a = -5 % n
        a = 0 < n < 4
        a = n and b
        a = b and pl.min(n, 1) == 1
        a = b + b
        a = not n
        a = n if b else 1
        a = pl.cast(n, pl.BOOL)
        a = pl.read(u, [0]) + 1
        a = x + x
        a = pl.add(x, x)
        a = 1 - t
        a = t % t
        a = x[0, 1, 2]
        a = x[8]
        a = x[-1]
        a = x[0:4:2]
        a = x[4:4]
        y[0:4, :] = x[0:2, :]
        a = x.shape
        a = pl.load(x, [0], [1, 64])
        a = pl.load(x, [0, 0], [n, 64])
        a = pl.load(x, [0, 0])
        a = pl.load(x, [0, 0], [1, 64], size=4)
        a = pl.load(x, [0, 0], [1, 64], shapes=[1, 64])
        a = pl.load(*x)
        a = pl.store(x, [0, 0], x)
        a = pl.lod(x, [0, 0], [1, 64])
        a = pl.matmul(t, t)
        a = pl.prefetch.start(x)
        a = pl.tile.slice(x, [1, 64], [0, 0])
        a = pl.create_tensor([n, 64], dtype=pl.FP32)
        a = pl.create_tensor([8], dtype=pl.FP32, layout=pl.NZ)
        a = pld.rank(x)
        a = pld.world_size()
        a = pld.alloc_window_buffer(64)
        pld.system.notify(d, 0, [0], 1)
        pld.system.notify(d, 0, [0, 0], 1, op=pl.adir.inout)
        pld.system.defer_wait(d)
        pld.tensor.remote_store(t, d, 0, [0, 0])
        pld.tensor.put(d, 0, x, [0, 0])
        pld.tensor.put(x, 0, x)
        a = pl.transpose(x, 0, 2)
        a = pl.static_print(n)
        a = pl.static_assert(n == 1)
        pl.static_assert(2 > 3, "two is small")
        a, c = n
        a = pl.write(x, [0, 0], n)
        a = 1e400
        a = 100000000000000000000
        r = pl.array.create(0, pl.INT32)
        r = pl.array.create(4, pl.INT32)
        q = r
        r[4] = 1


# CHECK: rejected_expressions.py:14:13: error: the operator '**' is not supported
# CHECK: rejected_expressions.py:15:13: error: the operator '&' is not supported: use 'and' / 'or' on conditions
# CHECK: rejected_expressions.py:16:13: error: i32 and f32 do not mix: write pl.cast(...)
# CHECK: rejected_expressions.py:17:13: error: '/' is for floats; on i32 write '//'
# CHECK: rejected_expressions.py:18:13: error: this operator is not supported on f32
# CHECK: rejected_expressions.py:19:17: error: 3000000000 does not fit into i32
# CHECK: rejected_expressions.py:20:13: error: division by zero
# CHECK: rejected_expressions.py:21:13: error: '%' of a negative constant: Python rounds down, the kernel towards zero
# CHECK: rejected_expressions.py:22:13: error: a chain of comparisons is not supported: join them with 'and'
# CHECK: rejected_expressions.py:23:13: error: 'and' and 'or' need conditions (i1), not i32
# CHECK: rejected_expressions.py:24:19: error: a call inside 'and' or 'or' is not supported: both sides are computed
# CHECK: rejected_expressions.py:25:13: error: arithmetic needs numbers, not conditions
# CHECK: rejected_expressions.py:26:13: error: 'not' needs a condition (i1), not i32
# CHECK: rejected_expressions.py:27:13: error: 'x if c else y' is for constants: write an `if` statement
# CHECK: rejected_expressions.py:28:13: error: a bool from i32: compare it with 0
# CHECK: rejected_expressions.py:29:31: error: ui8 is for elements of tensors, not for scalars
# CHECK: rejected_expressions.py:30:13: error: arithmetic on tensors is not supported: load tiles in a kernel and compute on these
# CHECK: rejected_expressions.py:31:13: error: arithmetic on tensors is not supported: load tiles in a kernel and compute on these
# CHECK: rejected_expressions.py:32:13: error: the left operand must be a tile: make one with pl.tile.full
# CHECK: rejected_expressions.py:33:13: error: this operator is not supported on tiles
# CHECK: rejected_expressions.py:34:13: error: 3 indices into a tensor of rank 2
# CHECK: rejected_expressions.py:35:15: error: index 8 is outside of dimension 0, whose extent is 8
# CHECK: rejected_expressions.py:36:15: error: a negative index is not supported: -1
# CHECK: rejected_expressions.py:37:19: error: a slice with a step is not supported
# CHECK: rejected_expressions.py:38:17: error: a slice has at least one element, not 0
# CHECK: rejected_expressions.py:39:9: error: the slice has the extents [4, 64], the value [2, 64]
# CHECK: rejected_expressions.py:40:13: error: attributes of values are not supported
# CHECK: rejected_expressions.py:41:24: error: 'offsets' has 1 entries for a tensor of rank 2
# CHECK: rejected_expressions.py:42:32: error: a tile has a static shape: give the part that holds data as valid_shape
# CHECK: rejected_expressions.py:43:13: error: pl.load needs 'shapes'
# CHECK: rejected_expressions.py:44:41: error: pl.load has no parameter 'size'; its parameters: t, offsets, shapes, valid_shape, target_memory
# CHECK: rejected_expressions.py:45:41: error: pl.load: 'shapes' is given twice
# CHECK: rejected_expressions.py:46:21: error: '*' in a call is not supported: list the arguments
# CHECK: rejected_expressions.py:47:22: error: pl.store: 'tile' must be a tile, not tensor<8x64xf32>
# CHECK: rejected_expressions.py:48:13: error: pl.lod is not known, did you mean pl.load?
# CHECK: rejected_expressions.py:49:13: error: pl.matmul is not supported: it is outside of the communication subset
# CHECK: rejected_expressions.py:50:13: error: pl.prefetch.start is not supported: it is outside of the communication subset
# CHECK: rejected_expressions.py:51:27: error: pl.tile.slice: 't' must be a tile, not tensor<8x64xf32>
# CHECK: rejected_expressions.py:52:30: error: a tensor is created with a static shape
# CHECK: rejected_expressions.py:53:57: error: 'layout' of pl.create_tensor is not supported
# CHECK: rejected_expressions.py:54:22: error: pld.rank: 'ctx' must be a context, not tensor<8x64xf32>
# CHECK: rejected_expressions.py:55:13: error: pld.world_size is for host bodies (level HOST, role Orchestrator)
# CHECK: rejected_expressions.py:56:13: error: pld.alloc_window_buffer is for host bodies (level HOST, role Orchestrator)
# CHECK: rejected_expressions.py:57:33: error: 'offsets' has 1 entries for a tensor of rank 2
# CHECK: rejected_expressions.py:58:47: error: 'op' must be one of pld.NotifyOp.AtomicAdd, pld.NotifyOp.Set
# CHECK: rejected_expressions.py:59:9: error: pld.system.defer_wait is not supported: deferred waits are not supported: use pld.system.wait
# CHECK: rejected_expressions.py:60:9: error: pld.tensor.remote_store is not supported: use pld.tensor.put, or pld.tile.remote_store with a tile
# CHECK: rejected_expressions.py:61:9: error: give all of dst_offsets, src_offsets and shape, or none
# CHECK: rejected_expressions.py:62:24: error: pld.tensor.put: 'dst' must be a distributed tensor, not tensor<8x64xf32>
# CHECK: rejected_expressions.py:63:32: error: axis 2 is none of the 2 axes
# CHECK: rejected_expressions.py:64:13: error: pl.static_print has no place here
# CHECK: rejected_expressions.py:65:13: error: pl.static_assert has no place here
# CHECK: rejected_expressions.py:66:9: error: pl.static_assert fails: two is small
# CHECK: rejected_expressions.py:67:9: error: one value cannot be unpacked into 2 names
# CHECK: rejected_expressions.py:68:33: error: 'value' must be f32, not i32: write pl.cast(...)
# CHECK: rejected_expressions.py:70:13: error: the constant has more than 64 bits
# CHECK: rejected_expressions.py:71:29: error: an array has a positive size, not 0
# CHECK: rejected_expressions.py:73:9: error: an array has one name only: its elements change in place
# CHECK: rejected_expressions.py:74:11: error: index 4 is outside of the array's 4 elements
