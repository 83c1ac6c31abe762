"""
The layouts that Python and C++ share: the tensor descriptor and the engine's C structures.

Source: runtime-abi, Kernel; include/pld_sim/api.h.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from xdsl_pld.templates.abi import ELEMENT_TYPES, MAX_DIMS

MAX_RANKS = 64
"""As many as a context has windows for (runtime-abi, CommContext)."""
MAX_KERNEL_ARGS = 48
"""Behind these stand the hidden slots with the block's number and the launch's width."""

Array = NDArray[np.generic]

DTYPE_CODES: Mapping[str, int] = {each.numpy: each.code for each in ELEMENT_TYPES.values()}


class TensorDescriptor(ctypes.Structure):
    """What a kernel gets for a tensor; 128 bytes, to be aligned to 64."""

    _fields_ = (
        ("address", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("reserved_owner", ctypes.c_uint64),
        ("start_offset", ctypes.c_uint64),
        ("reserved_version", ctypes.c_int32),
        ("ndims", ctypes.c_uint32),
        ("dtype", ctypes.c_uint8),
        ("reserved_flag", ctypes.c_uint8),
        ("is_contiguous", ctypes.c_bool),
        ("reserved_padding", ctypes.c_uint8),
        ("shapes", ctypes.c_uint32 * MAX_DIMS),
        ("reserved_gap", ctypes.c_uint32 * 2),
        ("strides", ctypes.c_uint32 * MAX_DIMS),
        ("reserved_tail", ctypes.c_uint8 * 36),
    )


@dataclass(frozen=True)
class Tensor:
    """An array as a kernel gets it: a view of a buffer."""

    array: Array
    buffer: int
    """The address of the buffer."""
    size: int
    """Its bytes."""

    @classmethod
    def whole(cls, array: Array) -> Self:
        """An array that is all of its buffer."""
        return cls(array, array.ctypes.data, array.nbytes)


def fill_descriptor(descriptor: TensorDescriptor, described: Tensor | Array) -> None:
    """Describes a view of a buffer; strides and start are in elements."""
    tensor = described if isinstance(described, Tensor) else Tensor.whole(described)
    array = tensor.array
    descriptor.address = tensor.buffer
    descriptor.size = tensor.size
    descriptor.start_offset = (array.ctypes.data - tensor.buffer) // array.itemsize
    descriptor.ndims = array.ndim
    descriptor.dtype = DTYPE_CODES[array.dtype.name]
    descriptor.is_contiguous = array.flags.c_contiguous
    for i, (extent, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        descriptor.shapes[i] = extent
        descriptor.strides[i] = stride // array.itemsize


class CommContext(ctypes.Structure):
    """Who a rank is, and where the window of every rank begins; 1056 bytes."""

    _fields_ = (
        ("workspace", ctypes.c_uint64),
        ("workspace_size", ctypes.c_uint64),
        ("rank", ctypes.c_uint32),
        ("ranks", ctypes.c_uint32),
        ("window_bytes", ctypes.c_uint64),
        ("windows_in", ctypes.c_uint64 * MAX_RANKS),
        ("windows_out", ctypes.c_uint64 * MAX_RANKS),
    )


class TaskArgument(ctypes.Structure):
    """A tensor of a task; include/pld_sim/orchestration.h has this and the three that follow."""

    _fields_ = (
        ("tensor", ctypes.c_void_p),
        ("direction", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    )


class TaskDescription(ctypes.Structure):
    """What an orchestration submits."""

    _fields_ = (
        ("kind", ctypes.c_int32),
        ("func_ids", ctypes.c_int32 * 3),
        ("tensor_count", ctypes.c_uint32),
        ("scalar_count", ctypes.c_uint32),
        ("tensors", ctypes.POINTER(TaskArgument)),
        ("scalars", ctypes.POINTER(ctypes.c_uint64)),
        ("dependencies", ctypes.POINTER(ctypes.c_uint64)),
        ("dependency_count", ctypes.c_uint32),
        ("blocks", ctypes.c_int16),
        ("sync_start", ctypes.c_int16),
        ("scalar_before_tensor", ctypes.c_int32),
    )


class PipelineArguments(ctypes.Structure):
    """`ChipTaskArgs`: what an orchestration is called with."""

    _fields_ = (
        ("tensors", ctypes.POINTER(ctypes.c_void_p)),
        ("scalars", ctypes.POINTER(ctypes.c_uint64)),
        ("tensor_count", ctypes.c_uint64),
        ("scalar_count", ctypes.c_uint64),
    )


SUBMIT = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.POINTER(TaskDescription))
FATAL = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_char_p)
SCOPE = ctypes.CFUNCTYPE(None, ctypes.c_int32)
ALLOCATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class RuntimeTable(ctypes.Structure):
    """What an orchestration asks of the runtime."""

    _fields_ = (("submit", SUBMIT), ("fatal", FATAL), ("scope", SCOPE), ("allocate", ALLOCATE))


class Config(ctypes.Structure):
    _fields_ = (
        ("ranks", ctypes.c_int32),
        ("max_blocks", ctypes.c_int32),
        ("check_order", ctypes.c_int32),
        ("keep_spans", ctypes.c_int32),
        ("wait_limit_ns", ctypes.c_uint64),
        ("hook", ctypes.c_void_p),
    )


class Buffer(ctypes.Structure):
    _fields_ = (
        ("base", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
        ("rank", ctypes.c_int32),
        ("in_window", ctypes.c_int32),
        ("columns", ctypes.c_int32),
        ("credits", ctypes.c_int32),
        ("name", ctypes.c_char * 64),
    )


class FindingKind(IntEnum):
    """What a finding is about; the engine's numbers, then those of this side."""

    OUT_OF_BOUNDS = 1
    UNORDERED = 2
    SHARED_LINE = 3
    LOST_UPDATE = 4
    BAD_TILE = 5
    DEADLOCK = 6
    BAD_LAUNCH = 7
    CREDITS_LEFT = 8


class RawFinding(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("block", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("text", ctypes.c_char * 496),
    )


class RawWaiter(ctypes.Structure):
    _fields_ = (
        ("rank", ctypes.c_int32),
        ("block", ctypes.c_int32),
        ("peer", ctypes.c_int32),
        ("row", ctypes.c_int32),
        ("column", ctypes.c_int32),
        ("expected", ctypes.c_int32),
        ("actual", ctypes.c_int32),
        ("at_least", ctypes.c_int32),
        ("buffer", ctypes.c_char * 64),
    )


class RawSpan(ctypes.Structure):
    _fields_ = (
        ("block", ctypes.c_int32),
        ("waits", ctypes.c_int32),
        ("peer", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("start_ns", ctypes.c_uint64),
        ("end_ns", ctypes.c_uint64),
    )


class RawCounters(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in (
            "wire_bytes",
            "local_bytes",
            "transfers",
            "notifications",
            "waits",
            "barriers",
            "wait_ns",
            "launches",
        )
    )
