"""
Windows and communication domains: how a host body gets memory that peers can address.

Source: design.md, Tensor, tile and distributed ops; neighbours, materialize-comm-domain-scopes.
"""

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    NoneAttr,
    StringAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import dist_tensor, exactly, numbers, string, strings
from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.pl.attributes import is_host_orchestrator
from xdsl_pld.dialects.symbols import enclosing_function
from xdsl_pld.dialects.traits import PackedRoot
from xdsl_pld.dialects.types import DistributedTensorType, WindowBufferType


def verify_in_host_body(op: Operation) -> None:
    """Raises VerifyException when `op` stands in a function that is no host orchestrator."""
    function = enclosing_function(op)
    if function is not None and not is_host_orchestrator(function):
        raise VerifyException(
            f"{op.name} is for host bodies (pl.level host, pl.role orchestrator); "
            f"'{function.sym_name.data}' is none"
        )


@irdl_op_definition
class AllocWindowBufferOp(IRDLOperation):
    """
    Allocates a buffer of `bytes` bytes on every rank; its name is unique in the module.

        %b = pld.tensor.alloc_window_buffer %bytes {name = "data_buf"} : !pld.window_buffer
    """

    name = "pld.tensor.alloc_window_buffer"

    bytes = operand_def(IndexType)
    buffer_name = prop_def(string("name"), prop_name="name")
    buffer = result_def(exactly("buffer", WindowBufferType()))

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(OwnAttributes())
    assembly_format = "$bytes attr-dict `:` type($buffer)"

    def __init__(self, bytes: SSAValue | Operation, name: str):
        super().__init__(
            operands=[bytes],
            result_types=[WindowBufferType()],
            properties={"name": StringAttr(name)},
        )

    def verify_(self) -> None:
        if not self.buffer_name.data:
            raise VerifyException("a window buffer has a name that is not empty")
        size = constant_int(self.bytes)
        if size is not None and size < 1:
            raise VerifyException(f"a window buffer has a positive size, not {size} bytes")
        first = _buffer_named(self)
        if first is not self:
            raise VerifyException(
                f'the window buffer name "{self.buffer_name.data}" is taken in this module: '
                "the runtime finds windows by it"
            )


_BUFFERS: WeakKeyDictionary[Operation, WeakValueDictionary[str, AllocWindowBufferOp]] = (
    WeakKeyDictionary()
)


def _buffer_named(op: AllocWindowBufferOp) -> AllocWindowBufferOp:
    """The first buffer of the name of `op` in its module, from a table that is kept."""
    name = op.buffer_name.data
    root = op.get_toplevel_object()
    if not isinstance(root, Operation):
        return op
    known = _BUFFERS.get(root)
    found = None if known is None else known.get(name)
    if (
        found is None
        or found.buffer_name.data != name
        or (found is not op and found.get_toplevel_object() is not root)
    ):
        table = WeakValueDictionary[str, AllocWindowBufferOp]()
        for other in root.walk():
            if isinstance(other, AllocWindowBufferOp):
                table.setdefault(other.buffer_name.data, other)
        _BUFFERS[root] = table
        found = table[name]
    return found


@irdl_op_definition
class WindowOp(IRDLOperation):
    """
    The local view of a window buffer as a tensor: static, packed.

        %w = pld.tensor.window %b : !pld.window_buffer -> !pld.dist_tensor<tensor<8x64xf32>>

    Dimension 0 of an i32 window may be `?`, as many rows as the buffer holds: the signal of a
    collective whose number of ranks is known at run time only.
    """

    name = "pld.tensor.window"

    buffer = operand_def(exactly("buffer", WindowBufferType()))
    result = result_def(dist_tensor("result"))

    traits = traits_def(Pure(), PackedRoot(), OwnAttributes())
    assembly_format = "$buffer attr-dict `:` type($buffer) `->` type($result)"

    def __init__(self, buffer: SSAValue | Operation, result_type: DistributedTensorType):
        super().__init__(operands=[buffer], result_types=[result_type])

    def verify_(self) -> None:
        assert isinstance(self.result.type, DistributedTensorType)
        tensor = self.result.type.tensor
        extents = tensor.get_shape()
        open_rows = len(extents) > 1 and tensor.element_type == i32
        if DYNAMIC_INDEX in (extents[1:] if open_rows else extents):
            raise VerifyException(f"a window has a static shape, not that of {tensor}")
        if not isinstance(tensor.encoding, NoneAttr):
            raise VerifyException(f"a window has no view (layout, stride, valid_shape): {tensor}")


@irdl_custom_directive
class ResultTypes(CustomDirective):
    """` -> T` or ` -> (T, U)`, or nothing where there are no results."""

    types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->"):
            listed = parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_type
            )
            types = [parser.parse_type()] if listed is None else listed
        self.types.inner.set_types(state, types)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        types = op.result_types
        if not types:
            return
        state.print_whitespace(printer)
        printer.print_string("-> ")
        if len(types) == 1:
            printer.print_attribute(types[0])
        else:
            with printer.in_parens():
                printer.print_list(types, printer.print_attribute)


@irdl_op_definition
class CommDomainOp(IRDLOperation):
    """
    The scope of a communication domain in a host body: its windows live inside.

        pld.comm_domain attributes {name = "d0", devices = array<i64: 0, 1>, slots = ["data"]} {
          ...
        }

    `devices` absent means all devices; `slots` name the window buffers of the domain, allocated
    inside. It may have results, `-> T { ... pld.yield %x : T }`; `func.return` stays outside.
    """

    name = "pld.comm_domain"

    domain_name = prop_def(string("name"), prop_name="name")
    devices = opt_prop_def(numbers("devices"))
    slots = prop_def(strings("slots"))
    body = region_def("single_block")
    results_ = var_result_def()

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(NoTerminator(), OwnAttributes())
    custom_directives = (ResultTypes,)
    assembly_format = "attr-dict-with-keyword custom<ResultTypes>(type($results_)) $body"

    def __init__(
        self,
        name: str,
        slots: Sequence[str],
        body: Region | Sequence[Operation],
        devices: Sequence[int] | None = None,
        result_types: Sequence[Attribute] = (),
    ):
        super().__init__(
            result_types=[result_types],
            properties={
                "name": StringAttr(name),
                "devices": None if devices is None else DenseArrayBase.from_list(i64, devices),
                "slots": ArrayAttr([StringAttr(slot) for slot in slots]),
            },
            regions=[body if isinstance(body, Region) else Region(Block(body))],
        )

    def buffers(self) -> Iterator[AllocWindowBufferOp]:
        """The window buffers that `slots` names; they may stand in a domain nested in this one."""
        slots = {slot.data for slot in self.slots}
        for op in self.body.walk():
            if isinstance(op, AllocWindowBufferOp) and op.buffer_name.data in slots:
                yield op

    def verify_(self) -> None:
        verify_in_host_body(self)
        _verify_devices(self.devices)
        if self.body.block.args:
            raise VerifyException("the body of a domain takes no arguments")
        _verify_slots(self)
        last = self.body.block.last_op
        if last is None:
            raise VerifyException("the body of a domain is empty: it has no text form")
        yielded = last.arguments.types if isinstance(last, YieldOp) else ()
        if tuple(yielded) != tuple(self.result_types):
            raise VerifyException(
                f"the domain has the results ({_list(self.result_types)}), its body yields "
                f"({_list(yielded)})"
            )


def _verify_slots(domain: CommDomainOp) -> None:
    slots = [slot.data for slot in domain.slots]
    if len(set(slots)) != len(slots):
        raise VerifyException(f"slots names a buffer twice: {slots}")
    allocated = {buffer.buffer_name.data for buffer in domain.buffers()}
    for slot in slots:
        if slot not in allocated:
            raise VerifyException(
                f'slot "{slot}" names no window buffer that is allocated in this domain'
            )
    outer = domain.parent_op()
    while outer is not None:
        if isinstance(outer, CommDomainOp):
            for slot in outer.slots:
                if slot.data in slots:
                    raise VerifyException(
                        f'window buffer "{slot.data}" is a slot of this domain, '
                        f'"{domain.domain_name.data}", and of "{outer.domain_name.data}" around it'
                    )
        outer = outer.parent_op()


def _list(types: Sequence[Attribute]) -> str:
    return ", ".join(str(type_) for type_ in types)


def _verify_devices(devices: DenseArrayBase[I64] | None) -> None:
    if devices is None:
        return
    listed = devices.get_values()
    if not listed:
        raise VerifyException("devices lists no device: leave it out for all devices")
    if min(listed) < 0 or len(set(listed)) != len(listed):
        raise VerifyException(f"devices must be distinct and not negative: {list(listed)}")


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """
    Ends the body of a domain that has results.

        pld.yield %x : tensor<8x64xf32>
    """

    name = "pld.yield"

    traits = lazy_traits_def(
        lambda: (IsTerminator(), HasParent(CommDomainOp), Pure(), OwnAttributes())
    )
