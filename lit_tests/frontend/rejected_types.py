# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Types that are none here, and results that are not the declared ones.

import pypto.language as pl
import pypto.language.distributed as pld


class Settings:
    width = 8


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kinds(self, a: pl.Tensor[[8], pl.INT4], b: pl.Tensor[[8], pl.UINT4], c: pl.Tensor[[8], pl.FP4], d: pl.Tensor[[8], pl.HF4], e: pl.Tensor[[8], pl.HF8]):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def tiles(self, a: pl.Tile[[8, 8], pl.FP32, pl.MemRef(0, 256)]):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def window(self, d: pld.DistributedTensor[[8], pl.FP32]) -> pl.Tensor[[8], pl.FP32]:
        return d

    @pl.function(type=pl.FunctionType.InCore)
    def attribute(self, d: pl.Tensor[[Settings.width], pl.FP32]):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def scalars(self, a: pl.Out[pl.FP32], b: pl.Scalar[pl.Tensor], c: pl.Tensor[8, pl.FP32], d: pl.Tensor[[8]], e: pl.Tensor[[8], pl.FP32, pl.NZ, pl.NZ]):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def annotated(self, x: pl.Tensor[[8, 4], pl.FP32], n: pl.INT32):
        y: pl.Tensor[[8], pl.FP32] = x
        m: pl.FP32 = n
        pl.func_attr({"key": 1})
        pl.func_attr({})

    @pl.function(type=pl.FunctionType.InCore)
    def größe(self):
        pass


# CHECK: rejected_types.py:16:39: error: element type 'INT4' is not supported: MLIR has no type for it here
# CHECK: rejected_types.py:16:67: error: element type 'UINT4' is not supported
# CHECK: rejected_types.py:16:96: error: element type 'FP4' is not supported
# CHECK: rejected_types.py:16:123: error: element type 'HF4' is not supported
# CHECK: rejected_types.py:16:150: error: element type 'HF8' is not supported
# CHECK: rejected_types.py:20:49: error: a MemRef states an address, which has no place in the IR
# CHECK: rejected_types.py:25:16: error: the function declares the result tensor<8xf32>, this is !pld.dist_tensor<tensor<8xf32>>
# CHECK: rejected_types.py:28:39: error: 'Settings.width' cannot be computed without executing the file
# CHECK: rejected_types.py:32:26: error: pl.Out is for tensors, not for f32
# CHECK: rejected_types.py:32:56: error: this is no type of the DSL
# CHECK: rejected_types.py:32:81: error: a shape is a list of extents
# CHECK: rejected_types.py:32:97: error: pl.Tensor takes a shape and an element type
# CHECK: rejected_types.py:32:147: error: pl.Tensor takes a shape, an element type and a view
# CHECK: rejected_types.py:37:12: error: the annotation says tensor<8xf32>, the value is tensor<8x4xf32>
# CHECK: rejected_types.py:38:12: error: the annotation says f32, the value is i32
# CHECK: rejected_types.py:39:9: error: attributes of a function are not supported: pl.func_attr({})
# CHECK-NOT: :40:
# CHECK: rejected_types.py:43:5: error: 'größe' is no symbol of MLIR: use ASCII letters
