"""The constructors build what the text says, and calls answer for their callees."""

import pytest
from xdsl.dialects import test
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import OneOf, TensorOperand
from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl import PL, call, tensor, tensor_dim, tile, tile_compute
from xdsl_pld.dialects.pl.attributes import set_param_attrs
from xdsl_pld.dialects.pld import PLD, builtin, collectives, system, transfers, windows
from xdsl_pld.dialects.traits import ViewOf, WritesBack, alias_of
from xdsl_pld.dialects.types import (
    CommCtxType,
    DistributedTensorType,
    TaskIdType,
    TileType,
    WindowBufferType,
    extents_agree,
    is_tensor_like,
    shapes_agree,
    tensor_of,
    with_tensor,
)

T = TensorType(f32, [8, 64])
D = DistributedTensorType(T)
S = DistributedTensorType(TensorType(i32, [2, 4]))
C = DistributedTensorType(TensorType(i32, [2, 1]))
K = TileType(TensorType(f32, [1, 64]))
SLICE = TensorType(f32, [4, 64])


def values(*types):
    return test.TestOp(result_types=list(types)).results


def kernel(name, inputs, outputs, kind, attrs=()):
    made = FuncOp.external(name, inputs, outputs)
    made.attributes["pl.func_type"] = StringAttr(kind)
    if attrs:
        set_param_attrs(made, attrs)
    return made


def built():
    """One of every op of both dialects, from its constructor, with every optional part."""
    t, u, d, s, c, r, k, b, ctx, i, n, p, v, x = values(
        T,
        T,
        D,
        S,
        C,
        C,
        K,
        WindowBufferType(),
        CommCtxType(),
        IndexType(),
        IndexType(),
        i32,
        f32,
        TensorType(i32, [8]),
    )
    for name in ("t", "d", "s", "k", "i", "n", "p"):
        locals()[name].name_hint = name
    first = call.TaskDummyOp()
    domain_body = Region(Block([windows.AllocWindowBufferOp(i, "in"), windows.YieldOp(p)]))
    exchange = (t, d, s, c, r)
    ops = [
        first,
        call.TaskDummyOp([first]),
        call.CallOp(
            "k",
            [t],
            [T],
            core_num=n,
            sync_start=True,
            arg_directions=["input"],
            no_dep=[0],
            attributes={"user": StringAttr("x")},
        ),
        call.CallOp("chip", [], [], device=i),
        call.SubmitOp(
            "k",
            [t],
            [T],
            deps=[first],
            core_num=n,
            sync_start=True,
            arg_directions=["no_dep"],
            no_dep=[0],
            attributes={"user": StringAttr("y")},
        ),
        tensor.CreateOp(T),
        tensor.SliceOp(t, [i, 0], [4, 64], SLICE),
        tensor.AssembleOp(t, u, [i, 0]),
        tensor.ViewOp(t, TensorType(f32, [512])),
        tensor.ReshapeOp(t, TensorType(f32, [512])),
        tensor.TransposeOp(t, [1, 0], TensorType(f32, [64, 8])),
        tensor.SetValidShapeOp(t, T),
        tensor.ReadOp(t, [i, 0]),
        tensor.WriteOp(v, t, [i, 0]),
        tile.LoadOp(t, [i, 0], [1, 64], K),
        tile.StoreOp(k, t, [i, 0]),
        tile.SliceOp(k, [0, 0], [1, 32], TileType(TensorType(f32, [1, 32]))),
        tile.LoadOp(t, [i, 0], [1, 64], K, [1, n]),
        tensor_dim.DimOp(d, 0),
        *(op(k, v) for op in tile_compute.TILE_BINARY_OPS),
        tile_compute.CastOp(k, TileType(TensorType(i32, [1, 64]))),
        tile_compute.FullOp(v, K),
        tile_compute.RowSumOp(k, TileType(TensorType(f32, [1, 1]))),
        tile_compute.ReshapeOp(k, TileType(TensorType(f32, [8, 8]))),
        tile_compute.BlockIdxOp(),
        tile_compute.BlockNumOp(),
        windows.AllocWindowBufferOp(i, "buffer"),
        windows.WindowOp(b, D),
        windows.CommDomainOp("d0", ["in"], domain_body, [0, 1], [i32]),
        system.WorldSizeOp(),
        system.GetCommCtxOp(d),
        system.RankOp(ctx),
        system.NRanksOp(ctx),
        system.NotifyOp(s, [i, 0], p, p, "atomic_add"),
        system.WaitOp(s, [i, 0], p, "ge"),
        collectives.AllToAllVOp(*exchange, n),
        collectives.IndexedAllToAllVOp(*exchange, x, n),
        collectives.AllToAllOp(t, d, s),
        collectives.AllGatherOp(t, d, s),
        collectives.AllReduceOp(d, s, "sum", mode="ring", core_num=n),
        collectives.AllReduceOp(d, None, "max"),
        collectives.ReduceScatterOp(d, s, "min"),
        collectives.BroadcastOp(d, s, 1),
        collectives.BarrierOp(s),
        transfers.TensorPutOp(t, [i, 0], d, [0, i], [4, 64], p, atomic="add"),
        transfers.TilePutOp(t, [i, 0], d, [0, i], [n, 64], p),
        transfers.TensorGetOp(d, [i, 0], t, [0, i], [4, 64], p),
        transfers.TileGetOp(d, [i, 0], t, [0, i], [n, 64], p),
        transfers.RemoteLoadOp(d, [i, 0], [1, 64], p, K),
        transfers.RemoteLoadOp(d, [i, 0], [1, 64], p, K, [1, n]),
        transfers.RemoteStoreOp(k, d, [i, 0], p, atomic="add"),
        builtin.AllToAllVDispatchOp(exchange, i, n, arg_directions=["input"] * 5),
        builtin.AllToAllDispatchOp([t, d, s], i),
        builtin.AllGatherDispatchOp([t, d, s], i),
        builtin.AllReduceDispatchOp(
            [d, s], i, properties={"op": StringAttr("sum"), "mode": StringAttr("mesh")}
        ),
        builtin.ReduceScatterDispatchOp([d, s], i, properties={"op": StringAttr("sum")}),
        builtin.BroadcastDispatchOp([d, s], i),
        builtin.BarrierDispatchOp([s], i),
    ]
    host = FuncOp("host", ([], []), Region(Block([t.owner, *ops, ReturnOp()])))
    host.attributes["pl.level"] = StringAttr("host")
    host.attributes["pl.role"] = StringAttr("orchestrator")
    module = ModuleOp([kernel("k", [T], [T], "aiv"), kernel("chip", [], [], "orchestration"), host])
    return module, ops


def test_every_constructor_builds_ops_that_verify_and_round_trip(parse, show):
    module, _ = built()
    module.verify()
    for generic in (False, True):
        again = parse(show(module, generic=generic))
        assert again.is_structurally_equivalent(module)


TEXTS = [
    'core_num(%n) sync_start {user = "x", no_dep = array<i64: 0>, arg_directions = ["input"]} :',
    'sync_start {user = "y", no_dep = array<i64: 0>, arg_directions = ["no_dep"]} :',
    "pl.call @chip() device(%i) : () -> ()",
    'core_num(%n) {op = "sum", mode = "ring"} :',
    'pld.tensor.allreduce %d {op = "max"} :',
    "{root = 1 : i64} :",
    'pld.tensor.put %t[%i, 0] into %d[0, %i] [4, 64] peer(%p) {atomic = "add"} :',
    "pld.tile.put %t[%i, 0] into %d[0, %i] [%n, 64] peer(%p) :",
    'pld.tile.remote_store %k into %d[%i, 0] peer(%p) {atomic = "add"} :',
    'attributes {name = "d0", devices = array<i64: 0, 1>, slots = ["in"]} -> i32 {',
    "device(%i) core_num(%n) {arg_directions =",
    "pld.builtin.all_to_all %t, %d, %s device(%i) : (",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_of_what_constructors_build(text, show):
    assert text in show(built()[0])


def test_a_callee_may_be_given_as_an_attribute():
    made = call.CallOp(SymbolRefAttr("k"), [], [])
    assert made.callee == call.CallOp("k", [], []).callee == SymbolRefAttr("k")


def test_every_op_is_built():
    module, _ = built()
    assert {type(op) for op in module.walk()} >= {*PL.operations, *PLD.operations}


WRITES = {
    "pl.tensor.assemble": "destination",
    "pl.tensor.write": "destination",
    "pl.tile.store": "destination",
    "pld.tensor.all_to_all_v": "target",
    "pld.tensor.indexed_all_to_all_v": "target",
    "pld.tensor.all_to_all": "target",
    "pld.tensor.allgather": "target",
    "pld.tensor.allreduce": "target",
    "pld.tensor.reduce_scatter": "target",
    "pld.tensor.broadcast": "target",
    "pld.tensor.barrier": "signal",
}
VIEWS = {
    "pl.tensor.slice", "pl.tensor.view", "pl.tensor.reshape", "pl.tensor.transpose",
    "pl.tensor.set_validshape", "pl.tile.slice",
}  # fmt: skip


def test_what_each_result_aliases():
    _, ops = built()
    for op in ops:
        for result in op.results:
            alias = alias_of(result)
            if op.name in WRITES:
                assert alias.source is getattr(op, WRITES[op.name])
                assert isinstance(alias.trait, WritesBack)
                assert alias.trait.keeps_value
                assert alias.trait.broken_packing(op) is None
            elif op.name in VIEWS:
                assert alias.source is op.source
                assert isinstance(alias.trait, ViewOf)
                assert not alias.trait.keeps_value
            else:
                assert alias is None
        for operand in op.operands:
            assert alias_of(operand) is None or operand.owner in ops


SLICES = [
    ([0, 0], [4, 64], [8, 64], None),
    ([4, 0], [4, 64], [8, 64], None),
    (["i", 0], [1, 64], [8, 64], None),
    ([0, 0, 0], [4, 2, 3], [8, 2, 3], None),
    ([0, 32], [8, 32], [8, 64], "the slice narrows dimension 1, not only dimension 0"),
    ([0, 0], [8, 32], [8, 64], "the slice narrows dimension 1, not only dimension 0"),
    ([0, "i"], [8, 64], [8, 64], "the slice narrows dimension 1, not only dimension 0"),
    ([0, 0, 0], [4, 2, 2], [8, 2, 3], "the slice narrows dimension 2, not only dimension 0"),
    ([0, 0], ["i", 64], [8, 64], "the slice has a size that is no constant"),
    ([0, 0], [4, 64], [DYNAMIC_INDEX, 64], "the slice is of a tensor with dynamic extents"),
]


@pytest.mark.parametrize(("offsets", "sizes", "shape", "reason"), SLICES)
def test_packing_of_slices(offsets, sizes, shape, reason):
    source, index = values(TensorType(f32, shape), IndexType())
    fill = [index if entry == "i" else entry for entry in offsets]
    lengths = [index if entry == "i" else entry for entry in sizes]
    result = TensorType(f32, [DYNAMIC_INDEX if entry == "i" else entry for entry in sizes])
    made = tensor.SliceOp(source, fill, lengths, result)
    made.verify_()
    assert alias_of(made.result).trait.broken_packing(made) == reason


def test_a_slice_of_lower_rank_and_a_transpose_are_not_packed():
    (source,) = values(T)
    lower = tensor.SliceOp(source, [0, 0], [1, 64], TensorType(f32, [64]))
    assert alias_of(lower.result).trait.broken_packing(lower) == "the slice drops a dimension"
    turned = tensor.TransposeOp(source, [1, 0], TensorType(f32, [64, 8]))
    reason = alias_of(turned.result).trait.broken_packing(turned)
    assert reason == "a transpose reorders the dimensions"
    seen = tensor.ViewOp(source, TensorType(f32, [512]))
    assert alias_of(seen.result).trait.broken_packing(seen) is None


def test_positions_of_a_submit_that_omits_outputs():
    out = {"pl.dir": StringAttr("out")}
    callee = kernel(
        "stage",
        [D, i32, T, T, CommCtxType(), CommCtxType()],
        [T],
        "aiv",
        [{}, {}, out, out, {}, {}],
    )
    d, n, t, c = values(D, i32, T, CommCtxType())

    def positions(arguments):
        made = call.SubmitOp("stage", arguments, [T])
        made.verify_callee(callee)
        return list(made.parameter_indices(callee)), list(made.omitted_parameters(callee))

    assert positions([d, n, c, c]) == ([0, 1, 4, 5], [2, 3])
    assert positions([d, n, t, c, c]) == ([0, 1, 2, 4, 5], [3])
    assert positions([d, n, t, t, c, c]) == ([0, 1, 2, 3, 4, 5], [])
    assert call.trailing_contexts(callee) == 2
    assert call.trailing_contexts(kernel("k", [CommCtxType(), T], [], "aiv")) == 0
    assert call.trailing_contexts(kernel("k", [], [], "aiv")) == 0


def test_results_of_calls_and_submits():
    module, ops = built()
    called, dispatched, submitted = ops[2:5]
    assert list(called.callee_results) == list(called.results)
    assert list(submitted.callee_results) == [submitted.results[0]]
    assert submitted.task_id is submitted.results[1]
    assert list(called.parameter_indices(module.body.block.first_op)) == [0]
    assert list(call.call_like_ops(module)) == [called, dispatched, submitted]


def test_absent_parts_stay_absent():
    (t, d, s) = values(T, D, S)
    plain = call.CallOp("k", [t], [T])
    assert set(plain.properties) == {"callee", "operandSegmentSizes"}
    assert plain.device is plain.core_num is plain.sync_start is None
    assert collectives.BroadcastOp(d, s).root_rank == 0
    assert collectives.BroadcastOp(d, s, 3).root_rank == 3
    bare = collectives.BroadcastOp(d, s)
    del bare.properties["root"]
    assert bare.root_rank == 0
    assert windows.CommDomainOp("d", [], []).devices is None


def test_the_buffers_of_a_domain():
    (n,) = values(IndexType())
    own, other = windows.AllocWindowBufferOp(n, "own"), windows.AllocWindowBufferOp(n, "other")
    inner = windows.CommDomainOp("inner", ["other"], [own, other])
    outer = windows.CommDomainOp("outer", ["own"], [inner])
    assert list(outer.buffers()) == [own]
    assert list(inner.buffers()) == [other]


def test_a_buffer_name_is_free_again_once_its_buffer_is_renamed_or_gone(parse):
    module = parse("""
    func.func @host(%n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
      %0 = pld.tensor.alloc_window_buffer %n {name = "a"} : !pld.window_buffer
      %1 = pld.tensor.alloc_window_buffer %n {name = "b"} : !pld.window_buffer
      func.return
    }""")
    first, second = [op for op in module.walk() if isinstance(op, windows.AllocWindowBufferOp)]
    second.properties["name"] = StringAttr("a")
    with pytest.raises(VerifyException, match='name "a" is taken'):
        module.verify()
    first.properties["name"] = StringAttr("c")
    module.verify()
    second.properties["name"] = StringAttr("c")
    first.detach()
    module.verify()
    first.verify_()


def test_constants():
    assert constant_int(ConstantOp.from_int_and_width(5, IndexType()).result) == 5
    assert constant_int(values(IndexType())[0]) is None


def test_types_as_tensors():
    assert tensor_of(T) is T
    assert tensor_of(D) is T
    assert tensor_of(K) is tensor_of(f32) is None
    assert [is_tensor_like(type_) for type_ in (T, D, K, f32)] == [True, True, False, False]
    assert with_tensor(D, SLICE) == DistributedTensorType(SLICE)
    assert with_tensor(K, SLICE) == TileType(SLICE)
    assert with_tensor(T, SLICE) == SLICE
    assert D.get_shape() == (8, 64)
    assert D.get_num_dims() == 2
    assert D.get_element_type() == f32
    assert K.get_shape() == (1, 64)
    assert TaskIdType().name == "pl.task_id"


def test_agreeing_shapes():
    assert extents_agree(3, 3)
    assert extents_agree(3, DYNAMIC_INDEX)
    assert extents_agree(DYNAMIC_INDEX, 3)
    assert not extents_agree(3, 4)
    assert shapes_agree([], [])
    assert shapes_agree([3, DYNAMIC_INDEX], [DYNAMIC_INDEX, 4])
    assert not shapes_agree([3], [3, 3])
    assert not shapes_agree([3, 4], [3, 5])


@pytest.mark.parametrize("wrong", [f32, DictionaryAttr({}), i1])
def test_types_that_hold_no_ranked_tensor_are_refused_from_python_too(wrong):
    with pytest.raises(VerifyException, match="should be of base attribute tensor"):
        DistributedTensorType(wrong)


def test_constraints_name_their_classes():
    assert TensorOperand("x", (TensorType,)).get_bases() == {TensorType}
    assert OneOf("x", ("a",)).get_bases() == {type(StringAttr("a"))}
    assert DenseArrayBase.from_list(i64, [1]) == call.CallOp("k", [], [], no_dep=[1]).no_dep
