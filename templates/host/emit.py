"""
A host body as Python: domains are allocated, pipelines submitted per device.

Python needs no types and no scopes, so most operations are one assignment. A window is no array on
the host: it is asked for, by rank, where a dispatch gets it. A dispatch gets its tensors, then the
ordering tensor of each domain that it takes part in, then its scalars, contexts being
`domain[rank].device_ctx`.
"""

import json
import keyword
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xdsl_pld.dialects.builtin_kernels import ELEMENT_VARIANTS
from xdsl_pld.dialects.index_lists import IndexLike, join
from xdsl_pld.dialects.pl.attributes import direction
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.pl.tensor import (
    ReadOp,
    ReshapeOp,
    SetValidShapeOp,
    SliceOp,
    TransposeOp,
    ViewOp,
    WriteOp,
)
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.system import GetCommCtxOp, WorldSizeOp
from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp, CommDomainOp, WindowOp, YieldOp
from xdsl_pld.dialects.symbols import lookup_callee
from xdsl_pld.dialects.types import CommCtxType, DistributedTensorType, is_tensor_like
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.templates.abi import ELEMENT_TYPES
from xdsl_pld.templates.errors import EmissionError, Problem
from xdsl_pld.templates.orchestration.aliases import Aliases
from xdsl_pld.templates.orchestration.names import Names
from xdsl_pld.templates.registry import TemplateFolder
from xdsl_pld.templates.render import render_file

_FOLDER = TemplateFolder("host", Path(__file__).parent)
_DIRECTIONS = {
    "input": "IN",
    "in": "IN",
    "output": "OUT",
    "output_existing": "OUT",
    "out": "OUT",
    "inout": "INOUT",
    "no_dep": "NO_DEP",
}
_LONGEST_NAME = 24
"""Lines that a formatter would wrap are avoided."""
_KEPT = ("runtime", "ROOT", "Path", "range", "min", "max", "abs", "int", "float", "len")
_COMPARISONS = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_ARITH: Mapping[type[Operation], str] = {
    arith.AddiOp: "{0} + {1}",
    arith.SubiOp: "{0} - {1}",
    arith.MuliOp: "{0} * {1}",
    arith.FloorDivSIOp: "{0} // {1}",
    arith.DivUIOp: "{0} // {1}",
    arith.RemUIOp: "{0} % {1}",
    arith.CeilDivSIOp: "-(-{0} // {1})",
    arith.CeilDivUIOp: "-(-{0} // {1})",
    arith.MinSIOp: "min({0}, {1})",
    arith.MaxSIOp: "max({0}, {1})",
    arith.MinUIOp: "min({0}, {1})",
    arith.MaxUIOp: "max({0}, {1})",
    arith.AndIOp: "{0} & {1}",
    arith.OrIOp: "{0} | {1}",
    arith.XOrIOp: "{0} ^ {1}",
    arith.SelectOp: "{1} if {0} else {2}",
    arith.IndexCastOp: "{0}",
    arith.ExtSIOp: "{0}",
    arith.ExtUIOp: "{0}",
    arith.AddfOp: "{0} + {1}",
    arith.SubfOp: "{0} - {1}",
    arith.MulfOp: "{0} * {1}",
    arith.DivfOp: "{0} / {1}",
}


class _RefusedError(Exception):
    def __init__(self, problem: Problem):
        super().__init__(problem.message)
        self.problem = problem


def has_windows_outside_domains(host: FuncOp) -> bool:
    """Whether some window buffer belongs to no communication domain yet."""
    domains = [op for op in host.walk() if isinstance(op, CommDomainOp)]
    placed = {slot.data for domain in domains for slot in domain.slots}
    return any(
        isinstance(op, AllocWindowBufferOp) and op.buffer_name.data not in placed
        for op in host.walk()
    )


def emit_host(host: FuncOp) -> str:
    """The driver's module; raises EmissionError for what has no form."""
    emitter = _Host(host)
    emitter.statements(host.body.block)
    if emitter.problems:
        raise EmissionError(emitter.problems)
    return render_file(
        _FOLDER,
        "host.py.j2",
        {
            "name": host.sym_name.data,
            "function": _python_name(Names(), host.sym_name.data),
            "parameters": emitter.parameters,
            "body": "\n".join(emitter.lines or ["    pass"]),
        },
    )


def _python_name(names: Names, wanted: str) -> str:
    name = names.fresh(wanted[:_LONGEST_NAME])
    while keyword.iskeyword(name) or name in _KEPT:
        name = names.fresh(f"{name}_v")
    return name


class _Host:
    def __init__(self, host: FuncOp):
        self.lines: list[str] = []
        self.problems: list[Problem] = []
        self._depth = 1
        self._names = Names()
        self._aliases = Aliases(host)
        self._texts: dict[SSAValue, str] = {}
        self._domains = _domains_of_buffers(host)
        self._domain_names: dict[CommDomainOp, str] = {}
        self.parameters: list[str] = []
        for argument in host.args:
            self.parameters.append(self._define(argument, f"argument_{argument.index}"))

    # Values

    def _define(self, value: SSAValue, otherwise: str) -> str:
        name = _python_name(self._names, value.name_hint or otherwise)
        self._texts[value] = name
        return name

    def _text(self, value: SSAValue, user: Operation) -> str:
        root = self._aliases.find(value)
        if (text := self._texts.get(root)) is not None:
            return text
        constant = ConstantLike.get_constant_value(root)
        if isa(constant, IntegerAttr) or isa(constant, FloatAttr):
            number = constant.value.data
            return f"({number})" if number < 0 else str(number)
        raise _RefusedError(
            Problem(user, f"an operand of '{user.name}' has no form in a host driver")
        )

    def _add(self, line: str) -> None:
        self.lines.append(f"{'    ' * self._depth}{line}")

    def _assign(self, value: SSAValue, otherwise: str, text: str) -> None:
        name = self._define(value, otherwise)
        self._add(f"{name} = {text}")

    # Statements

    def statements(self, block: Block) -> None:
        before = len(self.lines)
        for op in block.ops:
            try:
                self._statement(op)
            except _RefusedError as error:
                self.problems.append(error.problem)
        if len(self.lines) == before:
            self._add("pass")

    def _statement(self, op: Operation) -> None:
        if op.results and ConstantLike.get_constant_value(op.results[0]) is not None:
            return
        if isinstance(op, arith.CmpiOp):
            predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
            sign = _COMPARISONS.get(predicate)
            if sign is None:
                raise _RefusedError(Problem(op, f"arith.cmpi {predicate} has no form here"))
            text = f"{self._text(op.lhs, op)} {sign} {self._text(op.rhs, op)}"
            self._assign(op.result, "holds", text)
        elif (form := _ARITH.get(type(op))) is not None:
            operands = [self._text(operand, op) for operand in op.operands]
            self._assign(op.results[0], op.name.removeprefix("arith."), form.format(*operands))
        elif (emit := _EMIT.get(type(op))) is not None:
            emit(self, op)
        elif isinstance(op, BuiltinDispatchOp):
            self._builtin_dispatch(op)
        else:
            raise _RefusedError(Problem(op, f"'{op.name}' has no form in a host driver"))

    def nothing(self, op: Operation) -> None:
        """Read where it is used."""

    def world_size(self, op: Operation) -> None:
        self._assign(op.results[0], "world_size", "runtime.world_size")

    def domain(self, op: Operation) -> None:
        assert isinstance(op, CommDomainOp)
        name = _python_name(self._names, op.domain_name.data)
        self._domain_names[op] = name
        slots = {slot.data for slot in op.slots}
        if op.devices is None:
            devices = "range(runtime.world_size)"
        else:
            devices = f"{list(op.devices.get_values())}"
        buffers = [b for b in op.buffers() if b.buffer_name.data in slots]
        for each in _computing([buffer.bytes for buffer in buffers], op):
            self._statement_safely(each)
        self._add("with runtime.domain(")
        self._depth += 1
        self._add(f"{json.dumps(op.domain_name.data)},")
        self._add(f"devices={devices},")
        self._add("slots={")
        for buffer in buffers:
            self._add(f"    {json.dumps(buffer.buffer_name.data)}: {self._size(buffer)},")
        self._add("},")
        self._depth -= 1
        self._add(f") as {name}:")
        self._depth += 1
        before = len(self.lines)
        for each in op.body.block.ops:
            if not self._is_done(each):
                self._statement_safely(each)
        if len(self.lines) == before:
            self._add("pass")
        self._depth -= 1
        if isinstance(last := op.body.block.last_op, YieldOp):
            for result, yielded in zip(op.results, last.arguments, strict=True):
                self._texts[result] = self._text(yielded, op)

    def _size(self, buffer: AllocWindowBufferOp) -> str:
        return self._text(buffer.bytes, buffer)

    def _is_done(self, op: Operation) -> bool:
        return any(result in self._texts for result in op.results)

    def _statement_safely(self, op: Operation) -> None:
        try:
            self._statement(op)
        except _RefusedError as error:
            self.problems.append(error.problem)

    # Tensors

    def slice(self, op: Operation) -> None:
        assert isinstance(op, SliceOp)
        source = self._text(op.source, op)
        offsets = join(op.static_offsets, op.offsets)
        sizes: list[IndexLike] = list(join(op.static_sizes, op.sizes))
        rank = len(offsets)
        sizes = [1] * (rank - len(sizes)) + sizes
        ranges: list[str] = []
        dropped = rank - len(shape_of(op.result))
        for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
            start = self._entry(offset, op)
            if dim < dropped:
                ranges.append(start)
            elif isinstance(offset, int) and isinstance(size, int):
                ranges.append(f"{offset}:{offset + size}")
            else:
                ranges.append(f"{start} : {start} + {self._entry(size, op)}")
        self._assign(op.result, "box", f"{source}[{', '.join(ranges)}]")

    def _entry(self, entry: IndexLike, op: Operation) -> str:
        return str(entry) if isinstance(entry, int) else self._text(entry, op)

    def reshape(self, op: Operation) -> None:
        (source,) = op.operands
        (result,) = op.results
        shape = ", ".join("-1" if e == DYNAMIC_INDEX else str(e) for e in shape_of(result))
        self._assign(result, "view", f"{self._text(source, op)}.reshape({shape})")

    def transpose(self, op: Operation) -> None:
        assert isinstance(op, TransposeOp)
        axes = ", ".join(map(str, op.axes.get_values()))
        self._assign(op.result, "view", f"{self._text(op.source, op)}.transpose({axes})")

    def read(self, op: Operation) -> None:
        assert isinstance(op, ReadOp)
        at = ", ".join(self._entry(e, op) for e in join(op.static_offsets, op.offsets))
        self._assign(op.result, "element", f"{self._text(op.source, op)}[{at}].item()")

    def write(self, op: Operation) -> None:
        assert isinstance(op, WriteOp)
        at = ", ".join(self._entry(e, op) for e in join(op.static_offsets, op.offsets))
        self._add(f"{self._text(op.destination, op)}[{at}] = {self._text(op.value, op)}")

    # Control flow

    def for_(self, op: Operation) -> None:
        assert isinstance(op, scf.ForOp)
        block = op.body.block
        bounds = ", ".join(self._text(v, op) for v in (op.lb, op.ub, op.step))
        carried = [
            (carry, last)
            for carry, last in zip(block.args[1:], _yielded(block), strict=True)
            if self._aliases.find(carry) is carry
        ]
        for carry, initial, result in zip(block.args[1:], op.iter_args, op.res, strict=True):
            if self._aliases.find(carry) is carry:
                self._assign(carry, "carry", self._text(initial, op))
                self._texts[result] = self._texts[carry]
        i = self._define(block.args[0], "i")
        self._add(f"for {i} in range({bounds}):")
        self._depth += 1
        self.statements(block)
        self._update(carried, op)
        self._depth -= 1

    def if_(self, op: Operation) -> None:
        assert isinstance(op, scf.IfOp)
        merged = [r for r in op.output if self._aliases.find(r) is r]
        names = {result: self._define(result, "result") for result in merged}
        for head, region in (
            (f"if {self._text(op.cond, op)}:", op.true_region),
            ("else:", op.false_region),
        ):
            if not region.blocks:
                continue
            self._add(head)
            self._depth += 1
            self.statements(region.block)
            for result, value in zip(op.output, _yielded(region.block), strict=True):
                if result in names:
                    self._add(f"{names[result]} = {self._text(value, op)}")
            self._depth -= 1

    def _update(self, carried: Sequence[tuple[SSAValue, SSAValue]], op: Operation) -> None:
        pairs = [(self._texts[carry], self._text(last, op)) for carry, last in carried]
        pairs = [(name, text) for name, text in pairs if name != text]
        if pairs:
            self._add(f"{', '.join(n for n, _ in pairs)} = {', '.join(t for _, t in pairs)}")

    # Dispatches

    def dispatch(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        callee = lookup_callee(op, op.callee)
        if callee is None or op.device is None:
            raise _RefusedError(
                Problem(op, f"the call of {op.callee} names no device, so it has no form here")
            )
        device = self._text(op.device, op)
        given = op.arg_directions
        tensors: list[tuple[str, str]] = []
        scalars: list[str] = []
        domains: dict[CommDomainOp, None] = {}
        for index, argument in enumerate(op.arguments):
            if is_tensor_like(argument.type):
                stated = given.data[index].data if given else str(direction(callee, index))
                text, domain = self._tensor(argument, device, op)
                tensors.append((text, _DIRECTIONS[stated]))
            elif isinstance(argument.type, CommCtxType):
                text, domain = self._context(argument, device, op)
                scalars.append(text)
            else:
                scalars.append(self._text(argument, op))
                domain = None
            if domain is not None:
                domains[domain] = None
        self._submit(callee.sym_name.data, device, tensors, domains, scalars)
        self._alias_results(op, callee)

    def _alias_results(self, op: CallOp, callee: FuncOp) -> None:
        """A pipeline's results are its parameters, on the host the arrays that were passed."""
        if callee.is_declaration or len(callee.body.blocks) != 1:
            return
        aliases = Aliases(callee)
        last = callee.body.block.last_op
        if not isinstance(last, ReturnOp):
            return
        for result, value in zip(op.results, last.arguments, strict=True):
            root = aliases.find(value)
            if root in callee.args:
                argument = op.arguments[callee.args.index(root)]
                text = self._texts.get(self._aliases.find(argument))
                if text is not None:
                    self._texts[result] = text

    def _builtin_dispatch(self, op: BuiltinDispatchOp) -> None:
        operator = op.name.removeprefix("pld.builtin.")
        device = self._text(op.device, op)
        directions = [d.data for d in op.arg_directions or ()]
        if not directions:
            raise _RefusedError(Problem(op, "the dispatch has no arg_directions"))
        tensors: list[tuple[str, str]] = []
        domains: dict[CommDomainOp, None] = {}
        for argument, stated in zip(op.arguments, directions, strict=True):
            text, domain = self._tensor(argument, device, op)
            tensors.append((text, _DIRECTIONS[stated]))
            if domain is not None:
                domains[domain] = None
        if len(domains) != 1:
            raise _RefusedError(
                Problem(op, f"the operands are in {len(domains)} communication domains, not in one")
            )
        (domain,) = domains
        context = f"{self._rank(domain, device)}.device_ctx"
        width = "1" if op.core_num is None else self._text(op.core_num, op)
        suffixes = [ELEMENT_VARIANTS.get(element_of(a)) for a in op.arguments]
        suffix = next((s.suffix for s in suffixes if s is not None), "fp32")
        folder = f"builtin.tensor.{operator}__{suffix}"
        self._submit(folder, device, tensors, domains, [context, width])

    def _submit(
        self,
        folder: str,
        device: str,
        tensors: Sequence[tuple[str, str]],
        domains: Mapping[CommDomainOp, None],
        scalars: Sequence[str],
    ) -> None:
        ordering = [(f"{self._domain_names[d]}.ordering", "INOUT") for d in domains]
        self._add("runtime.submit(")
        self._depth += 1
        self._add(f'ROOT / "{folder}",')
        self._add(f"device={device},")
        self._listing("tensors", [f'({text}, "{how}")' for text, how in (*tensors, *ordering)])
        self._listing("scalars", scalars)
        self._depth -= 1
        self._add(")")

    def _listing(self, name: str, entries: Sequence[str]) -> None:
        if not entries:
            self._add(f"{name}=[],")
            return
        self._add(f"{name}=[")
        for entry in entries:
            self._add(f"    {entry},")
        self._add("],")

    def _rank(self, domain: CommDomainOp, device: str) -> str:
        """A domain's member on a device: ranks count the devices that the domain lists."""
        name = self._domain_names[domain]
        if domain.devices is None:
            return f"{name}[{device}]"
        devices = list(domain.devices.get_values())
        if device.isdigit() and int(device) in devices:
            return f"{name}[{devices.index(int(device))}]"
        rank = _python_name(self._names, f"{name}_rank")
        self._add(f"{rank} = {devices}.index({device})")
        return f"{name}[{rank}]"

    def _tensor(
        self, value: SSAValue, device: str, op: Operation
    ) -> tuple[str, CommDomainOp | None]:
        if not isinstance(value.type, DistributedTensorType):
            return self._text(value, op), None
        window = self._window(value, op)
        domain, slot = self._place(window)
        element = ELEMENT_TYPES.get(element_of(window.result))
        if element is None:
            raise _RefusedError(Problem(op, f"the runtime has no elements of {value.type}"))
        shape = ", ".join(str(e) for e in shape_of(window.result))
        comma = "," if len(shape_of(window.result)) == 1 else ""
        name = _python_name(self._names, slot)
        self._add(f"{name} = {self._rank(domain, device)}.window(")
        for entry in (json.dumps(slot), f"({shape}{comma})", f'"{element.numpy}"'):
            self._add(f"    {entry},")
        self._add(")")
        return name, domain

    def _context(
        self, value: SSAValue, device: str, op: Operation
    ) -> tuple[str, CommDomainOp | None]:
        source = value.owner
        if not isinstance(source, GetCommCtxOp):
            raise _RefusedError(Problem(op, "a context on the host is a pld.system.get_comm_ctx"))
        domain, _ = self._place(self._window(source.tensor, op))
        return f"{self._rank(domain, device)}.device_ctx", domain

    def _window(self, value: SSAValue, op: Operation) -> WindowOp:
        owner = self._aliases.find(value).owner
        if not isinstance(owner, WindowOp):
            raise _RefusedError(
                Problem(op, "a window is passed to a dispatch whole: make views in the pipeline")
            )
        return owner

    def _place(self, window: WindowOp) -> tuple[CommDomainOp, str]:
        buffer = window.buffer.owner
        assert isinstance(buffer, AllocWindowBufferOp)
        return self._domains[buffer.buffer_name.data], buffer.buffer_name.data


def _computing(values: Sequence[SSAValue], around: Operation) -> Sequence[Operation]:
    """The operations inside `around` that compute these values, in text order."""
    needed: set[Operation] = set()
    pending = list(values)
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner not in needed:
            needed.add(owner)
            pending += owner.operands
    return [op for op in around.walk() if op in needed and op is not around]


def _domains_of_buffers(host: FuncOp) -> Mapping[str, CommDomainOp]:
    return {
        slot.data: op for op in host.walk() if isinstance(op, CommDomainOp) for slot in op.slots
    }


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()


_EMIT: Mapping[type[Operation], Callable[[_Host, Operation], None]] = {
    WorldSizeOp: _Host.world_size,
    CommDomainOp: _Host.domain,
    AllocWindowBufferOp: _Host.nothing,
    WindowOp: _Host.nothing,
    GetCommCtxOp: _Host.nothing,
    SetValidShapeOp: _Host.nothing,
    ReturnOp: _Host.nothing,
    YieldOp: _Host.nothing,
    scf.YieldOp: _Host.nothing,
    SliceOp: _Host.slice,
    ViewOp: _Host.reshape,
    ReshapeOp: _Host.reshape,
    TransposeOp: _Host.transpose,
    ReadOp: _Host.read,
    WriteOp: _Host.write,
    scf.ForOp: _Host.for_,
    scf.IfOp: _Host.if_,
    CallOp: _Host.dispatch,
}
