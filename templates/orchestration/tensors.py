"""
Tensor operations of an orchestration: allocation, views, and scalars in memory.
"""

from collections.abc import Sequence

from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pl.tensor import (
    CreateOp,
    ReadOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
    ViewOp,
    WriteOp,
)
from xdsl_pld.dialects.pl.tensor_dim import DimOp
from xdsl_pld.dialects.traits import leading_slice
from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.templates.abi import ELEMENT_TYPES, ElementType
from xdsl_pld.templates.errors import Problem
from xdsl_pld.templates.orchestration.body import (
    Body,
    Form,
    RefusedError,
    entries_of,
    type_is_packed,
)


def element_type(element: Attribute, user: Operation) -> ElementType:
    if (known := ELEMENT_TYPES.get(element)) is None:
        raise RefusedError(Problem(user, f"the runtime has no elements of type {element}"))
    return known


def create_info(body: Body, name: str, type_: Attribute, user: Operation) -> str:
    """A `TensorCreateInfo` for a tensor of a type."""
    tensor = tensor_of(type_)
    assert tensor is not None
    shape = tensor.get_shape()
    if DYNAMIC_INDEX in shape:
        raise RefusedError(
            Problem(user, f"the runtime cannot allocate {type_}: its extents are not known")
        )
    element = element_type(tensor.element_type, user)
    shapes = body.numbers(name, "shape", shape, user)
    info = body.names.fresh(f"{name}_info")
    body.add(
        f"const TensorCreateInfo {info}({shapes}, {len(shape)}, DataType::{element.enumerator});",
        info,
    )
    return info


def emit_create(body: Body, op: CreateOp) -> None:
    name = body.fresh(op.result, "created")
    info = create_info(body, name, op.result.type, op)
    made = body.constant(
        "TaskOutputTensors", body.names.fresh(f"{name}_memory"), f"alloc_tensors({info})"
    )
    body.add(f"const {body.tensor}& {name} = {made}.get_ref(0);", name)
    body.define(op.result, Form(name, body.scope, type_is_packed(op.result)))


def emit_slice(body: Body, op: SliceOp) -> None:
    source = body.form(op.source, op)
    name = body.fresh(op.result, "slice")
    offsets = entries_of(op.static_offsets, op.offsets)
    sizes = entries_of(op.static_sizes, op.sizes)
    rank = len(shape_of(op.source))
    sizes = [1] * (rank - len(sizes)) + list(sizes)
    packed = source.packed and leading_slice(op) is None
    kept = len(shape_of(op.result))
    if kept == rank:
        _view(body, op, name, source, sizes, offsets)
    else:
        box = body.names.fresh(f"{name}_box")
        _view(body, op, box, source, sizes, offsets)
        packed = _is_run(sizes, shape_of(op.source)) and source.packed
        _reshape(body, op, name, Form(box, source.scope, packed), sizes[rank - kept :])
        packed = True
    body.define(op.result, Form(name, source.scope, packed))


def _is_run(sizes: Sequence[IndexLike], extents: Sequence[int]) -> bool:
    """Whether a box of a packed tensor is one run: whole behind its first extent above 1."""
    first = next((i for i, size in enumerate(sizes) if size != 1), len(sizes))
    return all(
        isinstance(size, int) and size == extent
        for size, extent in zip(sizes[first + 1 :], extents[first + 1 :], strict=True)
    )


def _view(
    body: Body,
    op: Operation,
    name: str,
    source: Form,
    sizes: Sequence[IndexLike],
    offsets: Sequence[IndexLike],
) -> None:
    shapes = body.numbers(name, "shape", sizes, op)
    starts = body.numbers(name, "offsets", offsets, op)
    body.constant(body.tensor, name, f"{source.text}.view({shapes}, {starts})")


def emit_renumbered(body: Body, op: ViewOp | ReshapeOp) -> None:
    source = body.form(op.source, op)
    name = body.fresh(op.result, "view")
    shape = shape_of(op.result)
    dynamic = shape.count(DYNAMIC_INDEX)
    if dynamic > 1:
        raise RefusedError(
            Problem(op, f"the extents of {op.result.type} are not known: at most one may be '?'")
        )
    texts = [body.number(extent, op) if extent != DYNAMIC_INDEX else "" for extent in shape]
    if dynamic:
        elements = " * ".join(f"{source.text}.shapes[{i}]" for i in range(len(shape_of(op.source))))
        known = " * ".join(text for text in texts if text) or "1"
        extent = body.constant(
            "uint32_t", body.names.fresh(f"{name}_extent"), f"({elements or '1'}) / ({known})"
        )
        texts = [text or extent for text in texts]
    _guard_run(body, op, source)
    shapes = body.array(name, "shape", texts) if texts else "nullptr"
    body.constant(body.tensor, name, f"{source.text}.reshape({shapes}, {len(texts)})")
    body.define(op.result, Form(name, source.scope, type_is_packed(op.result)))


def _reshape(
    body: Body, op: Operation, name: str, source: Form, shape: Sequence[IndexLike]
) -> None:
    _guard_run(body, op, source)
    shapes = body.numbers(name, "shape", shape, op)
    body.constant(body.tensor, name, f"{source.text}.reshape({shapes}, {len(shape)})")


def _guard_run(body: Body, op: Operation, source: Form) -> None:
    """A reshape renumbers elements as they lie, so they must lie in order."""
    if not source.packed:
        what = op.name.rsplit(".", 1)[-1]
        body.fatal_if(
            f"!{source.text}.is_contiguous",
            f"{body.function.sym_name.data}: the source of a {what} is not contiguous",
        )


def emit_transpose(body: Body, op: TransposeOp) -> None:
    source = body.form(op.source, op)
    wanted = list(op.axes.get_values())
    current = list(range(len(wanted)))
    swaps: list[tuple[int, int]] = []
    for i, axis in enumerate(wanted):
        if (j := current.index(axis)) != i:
            current[i], current[j] = current[j], current[i]
            swaps.append((i, j))
    if not swaps:
        body.define(op.result, source)
        return
    text = source.text
    for number, (i, j) in enumerate(swaps, start=1):
        last = number == len(swaps)
        name = body.fresh(op.result, "transposed") if last else body.names.fresh("swapped")
        text = body.constant(body.tensor, name, f"{text}.transpose({i}, {j})")
    body.define(op.result, Form(text, source.scope, packed=False))


def emit_dim(body: Body, op: DimOp) -> None:
    _extent(body, op, op.source, str(op.axis.value.data))


def emit_upstream_dim(body: Body, op: upstream.DimOp) -> None:
    _extent(body, op, op.source, body.name(op.index, op))


def _extent(body: Body, op: Operation, tensor: SSAValue, axis: str) -> None:
    source = body.name(tensor, op)
    (result,) = op.results
    name = body.fresh(result, "extent")
    body.constant("int64_t", name, f"static_cast<int64_t>({source}.shapes[{axis}])")
    body.define(result, Form(name))


def emit_read(body: Body, op: ReadOp) -> None:
    cpp = _element(op.source, op)
    source = body.name(op.source, op)
    name = body.fresh(op.result, "element")
    offsets = entries_of(op.static_offsets, op.offsets)
    at = body.numbers(name, "at", offsets, op)
    body.constant(cpp, name, f"get_tensor_data<{cpp}>({source}, {len(offsets)}, {at})")
    body.define(op.result, Form(name))


def emit_write(body: Body, op: WriteOp) -> None:
    cpp = _element(op.destination, op)
    value = body.name(op.value, op)
    destination = body.name(op.destination, op)
    offsets = entries_of(op.static_offsets, op.offsets)
    at = body.numbers(destination, "at", offsets, op)
    body.add(f"set_tensor_data<{cpp}>({destination}, {len(offsets)}, {at}, {value});")


def _element(tensor: SSAValue, op: Operation) -> str:
    cpp = element_type(element_of(tensor), op).cpp
    if cpp is None:
        raise RefusedError(
            Problem(op, f"C++ has no type for one element of type {element_of(tensor)}")
        )
    return cpp


def parameter_form(value: SSAValue, name: str) -> Form:
    assert tensor_of(value.type) is not None
    return Form(name, 0, type_is_packed(value))
