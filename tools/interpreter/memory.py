"""
Memory at run time: arrays, windows and contexts.

A plain tensor and a tile are a numpy array; views are numpy views and writes are in place. A
distributed tensor is the local view of a window plus the context through which peers are reached:

    peer's address = context's window at the peer + (local address - context's own window)

as on a card (runtime-abi, CommContext). A function that has context parameters gives its tensors
the contexts that were passed; one that has none (before materialize-dist-tensor-ctx) leaves the
context that the window was made with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.values import shown

Array: TypeAlias = NDArray[Any]

POISON = 0xA5
"""The byte that memory which nobody wrote is filled with, where that is asked for."""
MAX_BYTES = 1 << 32
"""The largest tensor or window that is allocated."""


def dtype_of(element: Attribute) -> np.dtype[Any]:
    """The numpy type of a tensor element."""
    match element:
        case Float16Type():
            return np.dtype(np.float16)
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case IndexType():
            return np.dtype(np.int64)
        case IntegerType() if element.width.data == 1:
            return np.dtype(np.bool_)
        case IntegerType() if element.width.data in (8, 16, 32, 64):
            sign = "u" if element.signedness.data is Signedness.UNSIGNED else "i"
            return np.dtype(f"{sign}{element.width.data // 8}")
        case _:
            raise InterpretationError(f"pld-run has no arrays of {element}")


def allocate(tensor: AnyTensorType, poison: bool = False) -> Array:
    """New memory for a tensor of static shape: zeros, or poison."""
    shape, dtype = tensor.get_shape(), dtype_of(tensor.element_type)
    if DYNAMIC_INDEX in shape:
        raise InterpretationError(f"nothing says how large {tensor} is")
    data = allocate_bytes(prod(shape) * dtype.itemsize, POISON if poison else 0)
    return data.view(dtype).reshape(shape)


def check_bytes(size: int) -> None:
    """Raises InterpretationError for more than is ever allocated at once."""
    if size > MAX_BYTES:
        raise InterpretationError(f"{size} bytes are more than pld-run allocates ({MAX_BYTES})")


def allocate_bytes(size: int, fill: int) -> Array:
    check_bytes(size)
    return np.full(size, fill, np.uint8) if fill else np.zeros(size, np.uint8)


def address(array: Array) -> int:
    """Where the first element lies."""
    return cast(int, array.__array_interface__["data"][0])


@dataclass(frozen=True)
class Domain:
    """A communication domain: its name and the device of each rank."""

    name: str
    devices: tuple[int, ...]
    slots: frozenset[str] = frozenset()
    """The window buffers that it lists."""

    @property
    def size(self) -> int:
        return len(self.devices)

    def rank_of(self, device: int) -> int:
        if device not in self.devices:
            listed = ", ".join(map(str, self.devices))
            raise InterpretationError(
                f"device {device} is not in domain '{self.name}' (devices {listed})"
            )
        return self.devices.index(device)


@dataclass(eq=False)
class WindowBuffer:
    """A window buffer: the same number of bytes on every rank of its domain."""

    name: str
    domain: Domain
    memory: Sequence[Array]
    """By rank."""
    tensor: AnyTensorType | None = None
    """The first tensor that was laid over it."""
    size: int = field(init=False)
    visits: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """How often a rank has come to a collective with its signal at an offset here."""

    def __post_init__(self) -> None:
        self.size = self.memory[0].nbytes

    def typed(self, rank: int) -> Array:
        """The memory of a rank as the tensor that was laid over it, or as bytes."""
        return self.memory[rank] if self.tensor is None else over(self.memory[rank], self.tensor)


def over(memory: Array, tensor: AnyTensorType) -> Array:
    """A tensor, laid over the start of a memory; an open extent is what the memory holds."""
    shape, dtype = tensor.get_shape(), dtype_of(tensor.element_type)
    if DYNAMIC_INDEX in shape:
        known = prod(extent for extent in shape if extent != DYNAMIC_INDEX)
        rows = memory.nbytes // (known * dtype.itemsize)
        shape = tuple(rows if extent == DYNAMIC_INDEX else extent for extent in shape)
    needed = prod(shape) * dtype.itemsize
    if needed > memory.nbytes:
        raise InterpretationError(
            f"a window of {needed} bytes does not fit its buffer of {memory.nbytes}"
        )
    return memory[:needed].view(dtype).reshape(shape)


@dataclass(frozen=True, eq=False)
class CommCtx:
    """The context of a window on one device; in a host body, where no device is meant yet, None."""

    window: WindowBuffer
    device: int | None

    @property
    def rank(self) -> int:
        if self.device is None:
            raise InterpretationError("a context has a rank on a device, not in the host body")
        return self.window.domain.rank_of(self.device)

    @property
    def ranks(self) -> int:
        return self.window.domain.size

    def on(self, device: int) -> "CommCtx":
        return replace(self, device=device)


@dataclass(frozen=True, eq=False)
class DistTensor:
    """
    A view of a window. In a host body `device` is None: the view is of every device's window, and
    `array`, which lies in the memory of rank 0, only says where and how.
    """

    array: Array
    window: WindowBuffer
    device: int | None
    context: CommCtx

    def with_array(self, array: Array) -> "DistTensor":
        return replace(self, array=array)

    def on(self, device: int) -> "DistTensor":
        """The same view on a device."""
        rank = self.window.domain.rank_of(device)
        array = _moved(self.array, self.window.memory[0], self.window.memory[rank])
        return DistTensor(array, self.window, device, self.context.on(device))

    def bound_to(self, context: CommCtx) -> "DistTensor":
        """
        The same view with the context that a caller passed for it.

        Raises InterpretationError for the context of another window or device: peers would be
        addressed in memory that is not the tensor's.
        """
        if context.window is not self.window:
            raise InterpretationError(
                f"the context of window '{context.window.name}' is passed for a tensor in window "
                f"'{self.window.name}': peers would be addressed in the wrong window"
            )
        if context.device != self.device:
            raise InterpretationError(
                f"the context of device {context.device} is passed for a tensor of device "
                f"{self.device}"
            )
        return replace(self, context=context)

    def at(self, peer: int) -> Array:
        """The same view of a peer's window, found through the context."""
        window = self.context.window
        if not 0 <= peer < self.context.ranks:
            raise InterpretationError(
                f"peer {peer} is out of range: domain '{window.domain.name}' has "
                f"{self.context.ranks} ranks"
            )
        return _moved(self.array, window.memory[self.context.rank], window.memory[peer])


def _moved(array: Array, base: Array, other: Array) -> Array:
    """The view of `other` that lies as `array` lies in `base`."""
    offset = address(array) - address(base)
    return np.ndarray(array.shape, array.dtype, other.data, offset, array.strides)


TensorValue: TypeAlias = Array | DistTensor


def array_of(value: TensorValue) -> Array:
    """The local array of a tensor or tile; a host body has none for a window."""
    if isinstance(value, DistTensor):
        if value.device is None:
            raise InterpretationError(
                f"window '{value.window.name}' has memory on the devices: a host body can pass it "
                "on, not read or write it"
            )
        return value.array
    return value


def seen_as(value: TensorValue, array: Array) -> TensorValue:
    """`array`, a view of `value`, in the kind of `value`."""
    return value.with_array(array) if isinstance(value, DistTensor) else array


def layout_of(value: TensorValue) -> Array:
    """Shape and strides of a tensor, for views, which read no memory."""
    return value.array if isinstance(value, DistTensor) else value


def box(
    array: Array, what: str, offsets: Sequence[int], sizes: Sequence[int] | None = None
) -> Array:
    """
    The box of an array, a view; without sizes one element. Sizes may lack leading ones.

    Raises InterpretationError, with the numbers, for a box that leaves the array.
    """
    given = () if sizes is None else sizes
    lengths = [1] * (array.ndim - len(given)) + list(given)
    for dim, (extent, start, length) in enumerate(zip(array.shape, offsets, lengths, strict=True)):
        if start < 0 or length < 0 or start + length > extent:
            raise InterpretationError(
                f"offset {start} and size {length} leave {what} in dimension {dim}, whose extent "
                f"is {extent}"
            )
    return array[tuple(slice(s, s + n) for s, n in zip(offsets, lengths, strict=True))]


def reshaped(array: Array, wanted: Sequence[int]) -> Array:
    """
    The same elements under another shape, never a copy; an extent that the type leaves open
    follows from the others, or is the source's.
    """
    shape = list(wanted)
    if shape.count(DYNAMIC_INDEX) > 1:
        if len(shape) != array.ndim:
            raise InterpretationError(
                f"nothing says how {shown(array.shape)} becomes {shown(wanted)}"
            )
        shape = [
            old if new == DYNAMIC_INDEX else new
            for old, new in zip(array.shape, shape, strict=True)
        ]
    if DYNAMIC_INDEX in shape:
        known = prod(extent for extent in shape if extent != DYNAMIC_INDEX)
        open_extent = array.size // known if known else 0
        shape = [open_extent if extent == DYNAMIC_INDEX else extent for extent in shape]
    if prod(shape) != array.size:
        raise InterpretationError(
            f"{shown(array.shape)} has {array.size} elements, {shown(wanted)} has not"
        )
    view = array.reshape(shape)
    if view.size and not np.may_share_memory(view, array):
        raise InterpretationError(
            f"{shown(array.shape)} with strides {list(array.strides)} bytes is not contiguous: "
            f"{shown(shape)} would be a copy, not a view"
        )
    return view


def check_shape(what: str, array: Array, tensor: AnyTensorType) -> None:
    """Raises InterpretationError where an array is not of its type's shape."""
    expected = tensor.get_shape()
    agrees = len(expected) == array.ndim and all(
        extent in (DYNAMIC_INDEX, actual)
        for extent, actual in zip(expected, array.shape, strict=True)
    )
    if not agrees:
        raise InterpretationError(f"{what} is {shown(array.shape)}, its type says {tensor}")


def overlap(left: Array, right: Array) -> bool:
    """Whether two arrays share an element; where that is too hard to tell, yes."""
    if not np.may_share_memory(left, right):
        return False
    try:
        return np.shares_memory(left, right, max_work=cast(Any, 10_000))  # numpy's types know -1, 0
    except np.exceptions.TooHardError:
        return True
