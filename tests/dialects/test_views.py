"""What a type says about being packed and row-major."""

import pytest
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DictionaryAttr,
    NoneAttr,
    StringAttr,
    TensorType,
    f32,
    i64,
)

from xdsl_pld.dialects.views import Packed, TensorView

D = DYNAMIC_INDEX


def tensor(shape, layout=None, stride=None, valid_shape=None):
    entries = {}
    if layout is not None:
        entries["layout"] = StringAttr(layout)
    if stride is not None:
        entries["stride"] = DenseArrayBase.from_list(i64, stride)
    if valid_shape is not None:
        entries["valid_shape"] = DenseArrayBase.from_list(i64, valid_shape)
    return TensorType(f32, shape, DictionaryAttr(entries) if entries else NoneAttr())


PACKED = [
    tensor([8, 64]),
    tensor([D, 64]),
    tensor([D, D]),
    tensor([]),
    tensor([8, 64], layout="nd"),
    tensor([8, 64], stride=[64, 1]),
    tensor([2, 3, 4], stride=[12, 4, 1]),
    tensor([D, 64], stride=[64, 1]),
    tensor([], stride=[]),
    tensor([8, 64], valid_shape=[8, 64]),
    tensor([8, 64], layout="nd", stride=[64, 1], valid_shape=[8, 64]),
    tensor([0, 64], stride=[64, 1], valid_shape=[0, 64]),
]
NOT_PACKED = [
    (tensor([8, 64], layout="dn"), "its layout is dn, not nd"),
    (tensor([8, 64], layout="nz", stride=[64, 1]), "its layout is nz, not nd"),
    (tensor([8, 64], stride=[32, 1]), "its stride is [32, 1], not the packed [64, 1]"),
    (tensor([8, 64], stride=[1, 8]), "its stride is [1, 8], not the packed [64, 1]"),
    (tensor([1, 64], stride=[128, 1]), "its stride is [128, 1], not the packed [64, 1]"),
    (tensor([D, 64], stride=[32, 1]), "its stride is [32, 1], not the packed [64, 1]"),
    (tensor([8, D], stride=[9, 2]), "its stride is [9, 2], not the packed [?, 1]"),
    (
        tensor([8, 64], valid_shape=[8, 63]),
        "its valid shape [8, 63] is narrower than its shape [8, 64]",
    ),
    (
        tensor([D, 64], valid_shape=[4, 63]),
        "its valid shape [4, 63] is narrower than its shape [?, 64]",
    ),
]
UNKNOWN = [
    (
        tensor([8, D], stride=[9, 1]),
        "its stride [9, 1] cannot be compared with dynamic extents",
    ),
    (
        tensor([D, 64], valid_shape=[4, 64]),
        "its valid shape [4, 64] cannot be compared with dynamic extents",
    ),
]


@pytest.mark.parametrize("type_", PACKED, ids=str)
def test_packed(type_):
    assert TensorView.of(type_).packed() == (Packed.YES, "")


@pytest.mark.parametrize(("type_", "reason"), NOT_PACKED, ids=str)
def test_not_packed(type_, reason):
    assert TensorView.of(type_).packed() == (Packed.NO, reason)


@pytest.mark.parametrize(("type_", "reason"), UNKNOWN, ids=str)
def test_unknown(type_, reason):
    assert TensorView.of(type_).packed() == (Packed.UNKNOWN, reason)


def test_packed_strides():
    assert TensorView((2, 3, 4)).packed_strides() == (12, 4, 1)
    assert TensorView((2, D, 4)).packed_strides() == (None, 4, 1)
    assert TensorView((D, 3)).packed_strides() == (3, 1)
    assert TensorView(()).packed_strides() == ()


def test_the_view_that_a_type_states():
    view = TensorView.of(tensor([8, 64], "dn", [64, 1], [4, 64]))
    assert view == TensorView((8, 64), "dn", (64, 1), (4, 64))
    assert TensorView.of(tensor([8, D])) == TensorView((8, D), "nd", None, None)
