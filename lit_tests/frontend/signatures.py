# RUN: pld-opt %s | filecheck %s

# Types, directions, levels and roles; a sub-worker's body is not read.

import pypto.language as pl
import pypto.language.distributed as pld


NR = pl.dynamic("NR")
DTYPE = pl.BF16
VIEW = pl.TensorView(stride=[64, 1], layout=pl.DN, valid_shape=[4, 64])


@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def worker(self, x: pl.Tensor[[8], pl.FP32]):
        print("anything", file=open("x"))

    @pl.function(type=pl.FunctionType.AIV)
    def a(
        self,
        x: pl.Tensor((NR, 64), DTYPE),
        y: pl.Out[pl.Tensor[[8, 64], pl.FP32, VIEW]],
        z: pl.Tensor[[8, 64], pl.UINT8, pl.NZ],
        w: pl.Tensor[[8], pl.BOOL, pl.ND],
        s: pl.INT32,
        b: pl.Scalar[pl.BOOL],
        c: pld.CommCtx,
        d: pl.InOut[pld.DistributedTensor[[NR * 4, 64], pl.FP16]],
        t: pl.Scalar[pl.TASK_ID],
    ) -> tuple[pl.Tensor[[8, 64], pl.FP32, VIEW], pl.INDEX]:
        return y, NR

    @pl.function(type=pl.FunctionType.Group)
    def g(self, d: pld.DistributedTensor[[NR, 64], pl.FP16]) -> pl.Scalar[pl.INT32]:
        return pl.cast(NR * 2, pl.INT32)

# CHECK:      func.func private @worker(tensor<8xf32>) -> () attributes {pl.level = "host", pl.role = "sub_worker"}
# CHECK-NEXT: func.func @a(%x: tensor<?x64xbf16>, %y: tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}> {pl.dir = "out"}, %z: tensor<8x64xui8, {layout = "nz"}>, %w: tensor<8xi1>, %s: i32, %b: i1, %c: !pld.comm_ctx, %d: !pld.dist_tensor<tensor<?x64xf16>> {pl.dir = "inout"}, %t: !pl.task_id) -> (tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}>, index) attributes {pl.func_type = "aiv"} {
# CHECK-NEXT:   %c0 = arith.constant 0 : index
# CHECK-NEXT:   %0 = tensor.dim %x, %c0 : tensor<?x64xbf16>
# CHECK-NEXT:   func.return %y, %0 : tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}>, index
# CHECK-NEXT: }
# CHECK-NEXT: func.func @g(%d: !pld.dist_tensor<tensor<?x64xf16>>) -> i32 attributes {pl.func_type = "group"} {
# CHECK-NEXT:   %0 = pl.tensor.dim %d {axis = 0 : i64} : !pld.dist_tensor<tensor<?x64xf16>>
# CHECK-NEXT:   %c2 = arith.constant 2 : index
# CHECK-NEXT:   %1 = arith.muli %0, %c2 : index
# CHECK-NEXT:   %2 = arith.index_cast %1 : index to i32
# CHECK-NEXT:   func.return %2 : i32
# CHECK-NEXT: }
