"""
The arrays that go into a run and come out of it: `.npz` files, random inputs, comparison.

A host body's parameters are the inputs and, since tensors are buffers, the outputs too. Windows
come out under `window.<buffer name>`, with one entry a rank.
"""

import io
import math
import sys
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType, IntegerType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import InterpretationError
from xdsl.utils.hints import isa

from xdsl_pld.dialects.types import DistributedTensorType, tensor_of
from xdsl_pld.dialects.values import shown
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.memory import Array, WindowBuffer, dtype_of
from xdsl_pld.tools.interpreter.scalars import scalar
from xdsl_pld.tools.opt import FileError, write_file

WINDOW_PREFIX = "window."


def parameter_name(host: FuncOp, index: int) -> str:
    """The name of a parameter as the source has it, or `arg<index>`."""
    return host.args[index].name_hint or f"arg{index}"


def parameter_names(host: FuncOp) -> Sequence[str]:
    """
    The names of all parameters. xDSL drops a trailing `_<digits>` from names; what is then not
    unique is told apart by `_<n>`, counted from 1.
    """
    names: list[str] = []
    for index in range(len(host.args)):
        name = stem = parameter_name(host, index)
        count = 0
        while name in names:
            count += 1
            name = f"{stem}_{count}"
        names.append(name)
    return names


def load(path: str) -> dict[str, Array]:
    """The arrays of an `.npz` file. Raises FileError."""
    try:
        archive = np.load(path, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError("it is no .npz archive")
        with archive:
            arrays: dict[str, Array] = {name: archive[name] for name in archive.files}
            return arrays
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise FileError("read", path, error) from error


def save(path: str, arrays: Mapping[str, Array]) -> None:
    """
    Writes an `.npz` file in one step. Raises FileError.

    `np.savez` takes the names as keywords, next to its own: a parameter called `file` would not do.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    write_file(path, buffer.getvalue())


def arguments(host: FuncOp, given: Mapping[str, Array], seed: int) -> list[Any]:
    """
    The host body's arguments: copies of what is given by name, the other tensors random.

    Raises FindingsError for arrays that fit no parameter and for parameters that get no value.
    """
    names = parameter_names(host)
    findings = [
        Finding(host, f"--inputs: '{name}' is no parameter of the host function", (_known(names),))
        for name in given
        if name not in names and not name.startswith(WINDOW_PREFIX)
    ]
    values: list[Any] = []
    random = np.random.default_rng(seed)
    for index, name in enumerate(names):
        try:
            values.append(_argument(host, index, name, given.get(name), random))
        except InterpretationError as error:
            findings.append(Finding(host.args[index], str(error)))
        except MemoryError:
            type_ = host.function_type.inputs.data[index]
            findings.append(
                Finding(host.args[index], f"not enough memory for '{name}' of type {type_}")
            )
    if findings:
        raise FindingsError(findings)
    return values


def _known(names: Sequence[str]) -> Note:
    return Note(f"its parameters are {', '.join(names)}" if names else "it has no parameters")


def _argument(
    host: FuncOp, index: int, name: str, given: Array | None, random: np.random.Generator
) -> Any:
    type_ = host.function_type.inputs.data[index]
    tensor = tensor_of(type_)
    if isa(type_, IndexType | IntegerType | AnyFloat):
        if given is None or given.size != 1:
            raise InterpretationError(
                f"parameter '{name}' of type {type_} needs a value: give one in --inputs"
            )
        return scalar(given.reshape(-1)[0].item(), type_)
    if tensor is None or isinstance(type_, DistributedTensorType):
        raise InterpretationError(
            f"parameter '{name}' of type {type_} cannot be given to a host function"
        )
    shape, dtype = tensor.get_shape(), dtype_of(tensor.element_type)
    if given is None:
        if DYNAMIC_INDEX in shape:
            raise InterpretationError(
                f"parameter '{name}' of type {tensor} has no shape: give an array in --inputs"
            )
        return random_array(shape, dtype, random)
    fits = len(shape) == given.ndim and all(
        extent in (DYNAMIC_INDEX, actual) for extent, actual in zip(shape, given.shape, strict=True)
    )
    if not fits or given.dtype != dtype:
        raise InterpretationError(
            f"--inputs: '{name}' is {shown(given.shape)} of {given.dtype}, the parameter is "
            f"{shown(shape)} of {dtype}"
        )
    return np.array(given, order="C")


def random_array(shape: Sequence[int], dtype: np.dtype[Any], random: np.random.Generator) -> Array:
    """
    Random values: normal floats, bytes of any value, other integers in [0, 8).

    Raises MemoryError, also where numpy has no index for so many elements (a ValueError there).
    """
    if math.prod(shape) * 8 > sys.maxsize:
        raise MemoryError
    if dtype.kind == "f":
        return random.standard_normal(shape).astype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.itemsize == 1:
        return random.integers(0, 256, shape).astype(np.uint8).view(dtype)
    return random.integers(0, 8, shape).astype(dtype)


def outputs(
    host: FuncOp, values: Sequence[Any], windows: Mapping[str, WindowBuffer]
) -> dict[str, Array]:
    """All arrays by name after a run."""
    arrays: dict[str, Array] = {
        name: value
        for name, value in zip(parameter_names(host), values, strict=True)
        if not isinstance(value, Attribute)
    }
    for name, window in windows.items():
        ranks = [window.typed(rank) for rank in range(window.domain.size)]
        arrays[WINDOW_PREFIX + name] = np.stack(ranks)
    return arrays


def first_difference(
    expected: Mapping[str, Array], got: Mapping[str, Array], ranks: int
) -> str | None:
    """Where two runs first differ, to the bit, or None; only arrays of both are compared."""
    for name, wanted in expected.items():
        if name not in got:
            continue
        found = got[name]
        if (wanted.shape, wanted.dtype) != (found.shape, found.dtype):
            return (
                f"'{name}': expected {shown(wanted.shape)} of {wanted.dtype}, got "
                f"{shown(found.shape)} of {found.dtype}"
            )
        differs = _bits(wanted) != _bits(found)
        if differs.any():
            cell = tuple(int(i) for i in np.argwhere(differs)[0])
            return (
                f"{_cell(name, cell, wanted.shape, ranks)}: expected {wanted[cell]}, got "
                f"{found[cell]}"
            )
    return None


def _bits(array: Array) -> Array:
    """Floats as integers: a comparison of bits, in which equal NaNs are equal."""
    packed = np.ascontiguousarray(array).reshape(array.shape)
    return packed.view(f"u{array.itemsize}") if array.dtype.kind == "f" else packed


def _cell(name: str, cell: Sequence[int], shape: Sequence[int], ranks: int) -> str:
    """Names a cell; the first dimension of arrays with an entry a rank is the rank."""
    is_window = name.startswith(WINDOW_PREFIX)
    what = f"window '{name.removeprefix(WINDOW_PREFIX)}'" if is_window else f"array '{name}'"
    by_rank = is_window or (len(shape) > 1 and shape[0] == ranks)
    inner = list(cell[1:]) if by_rank else list(cell)
    where = f"rank {cell[0]}, {what}" if by_rank else what
    if len(inner) > 1:
        return f"{where}, row {inner[0]}, column {', '.join(map(str, inner[1:]))}"
    return f"{where}, element {inner[0]}" if inner else where
