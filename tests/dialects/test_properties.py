"""Random types and index lists survive printing and parsing, in both forms."""

from io import StringIO

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects import func, test
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Builtin,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    bf16,
    f16,
    f32,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_pld.dialects.index_lists import join
from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pl.tensor import SliceOp
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.types import DistributedTensorType, TileType
from xdsl_pld.dialects.views import LAYOUTS, Packed, TensorView

extents = st.integers(0, 2**40)
elements = st.sampled_from([f32, f16, bf16, i8, i32])


@st.composite
def tensors(draw, static=False):
    shape = draw(
        st.lists(extents if static else st.one_of(extents, st.just(DYNAMIC_INDEX)), max_size=4)
    )
    entries = {}
    if draw(st.booleans()):
        entries["layout"] = StringAttr(draw(st.sampled_from(LAYOUTS)))
    if draw(st.booleans()):
        strides = draw(st.lists(st.integers(1, 2**62), min_size=len(shape), max_size=len(shape)))
        entries["stride"] = DenseArrayBase.from_list(i64, strides)
    if draw(st.booleans()):
        valid = [draw(st.integers(0, 2**40 if e == DYNAMIC_INDEX else e)) for e in shape]
        entries["valid_shape"] = DenseArrayBase.from_list(i64, valid)
    encoding = DictionaryAttr(entries) if entries else NoneAttr()
    return TensorType(draw(elements), shape, encoding)


def types():
    return st.one_of(
        tensors(), tensors().map(DistributedTensorType), tensors(static=True).map(TileType)
    )


def context():
    loaded = Context()
    for dialect in (Builtin, func.Func, test.Test, PL, PLD):
        loaded.load_dialect(dialect)
    return loaded


def show(op, generic):
    stream = StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(op)
    return stream.getvalue()


@settings(deadline=None, max_examples=150)
@given(st.lists(types(), max_size=4), st.booleans())
def test_types_round_trip(listed, generic):
    module = ModuleOp([FuncOp.external("f", listed, listed)])
    module.verify()
    text = show(module, generic)
    again = Parser(context(), text).parse_module()
    again.verify()
    assert again.is_structurally_equivalent(module)
    assert show(again, generic) == text


@settings(deadline=None, max_examples=100)
@given(tensors())
def test_a_stated_packed_stride_says_nothing_new(tensor):
    view = TensorView.of(tensor)
    strides = view.packed_strides()
    if view.layout == "nd" and view.valid_shape is None and None not in strides:
        assert TensorView(view.shape, "nd", tuple(map(int, strides))).packed()[0] is Packed.YES


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(st.none(), st.integers(0, 7)), min_size=1, max_size=4), st.booleans())
def test_index_lists_round_trip(listed, generic):
    rank = len(listed)
    source = test.TestOp(result_types=[TensorType(f32, [8] * rank), IndexType()])
    offsets = [source.results[1] if entry is None else entry for entry in listed]
    view = SliceOp(source.results[0], offsets, [1] * rank, TensorType(f32, [1] * rank))
    module = ModuleOp([source, view])
    module.verify()
    assert list(view.mixed_offsets) == offsets
    assert list(view.mixed_sizes) == [1] * rank
    assert join(view.static_offsets, view.offsets) == offsets
    again = Parser(context(), show(module, generic)).parse_module()
    again.verify()
    assert again.is_structurally_equivalent(module)
