"""
All that is emitted for a lowered module: which files, with which text.

    <pipeline>/kernel_config.py                   per chip pipeline
    <pipeline>/orchestration/<pipeline>.cpp
    <pipeline>/kernels/aiv/<kernel>.cpp           a builtin kernel, rendered
    <pipeline>/kernels/aiv/<kernel>.mlir          any other: code generation is another tool's
    builtin.tensor.<op>__<dtype>/...              per builtin pipeline of the host rail
    <host>.py                                     per host body
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer

from xdsl_pld.dialects.builtin_kernels import (
    ALL_TO_ALL_V,
    ELEMENT_VARIANTS,
    INDEXED_ALL_TO_ALL_V,
    BuiltinKernel,
)
from xdsl_pld.dialects.pl.attributes import (
    TEMPLATE_DIR,
    TEMPLATE_VARS,
    is_builtin_kernel,
    is_chip_orchestration,
    is_host_orchestrator,
)
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.symbols import lookup_callee
from xdsl_pld.dialects.values import element_of
from xdsl_pld.templates.errors import EmissionError, Problem, TemplateError
from xdsl_pld.templates.file_names import case_clash, file_name_problem
from xdsl_pld.templates.host.emit import emit_host, has_windows_outside_domains
from xdsl_pld.templates.orchestration.emit import (
    Orchestration,
    SignatureEntry,
    emit_orchestration,
    signature,
)
from xdsl_pld.templates.orchestration.launches import Kernel
from xdsl_pld.templates.registry import TemplateFolder
from xdsl_pld.templates.render import Renderer, render_file

_FOLDER = TemplateFolder("orchestration", Path(__file__).parent / "orchestration")
_HOST_RAIL: Mapping[str, BuiltinKernel] = {ALL_TO_ALL_V.operator: ALL_TO_ALL_V}
"""The builtin pipelines that there are templates for."""
_CASE = "'{}' and '{}' differ in case only: one file on some systems"
_NEEDS_URMA = frozenset((INDEXED_ALL_TO_ALL_V.handle,))


@dataclass
class Sources:
    """The files, by their path in the output directory, in the order in which they were made."""

    files: dict[str, str] = field(default_factory=dict[str, str])
    pipelines: list[str] = field(default_factory=list[str])
    builtin_pipelines: list[str] = field(default_factory=list[str])
    hosts: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    """What was left out, and why."""

    def add(self, path: str, text: str) -> None:
        assert path not in self.files, f"{path} is written twice"
        self.files[path] = text


@dataclass(frozen=True)
class _KernelEntry:
    """A kernel, as kernel_config.py lists it."""

    func_id: int
    name: str
    core: str
    file: str
    signature: Sequence[SignatureEntry]


def emit_module(module: ModuleOp, renderer: Renderer) -> Sources:
    """The sources of all pipelines of a module; raises EmissionError with all that is refused."""
    emitter = _Emitter(renderer)
    functions = [f for f in _functions(module) if not f.is_declaration]
    pipelines = [f for f in functions if is_chip_orchestration(f)]
    hosts = [f for f in functions if is_host_orchestrator(f)]
    dispatches = [op for host in hosts for op in host.walk() if isinstance(op, BuiltinDispatchOp)]
    if not pipelines and not dispatches:
        raise EmissionError(
            [
                Problem(
                    module,
                    "the module holds nothing to build: no chip orchestration with a body, and no "
                    "collective of the host rail",
                )
            ]
        )
    emitter.check_names([*pipelines, *hosts])
    for pipeline in pipelines:
        emitter.emit_pipeline(pipeline)
    for dispatch in dispatches:
        emitter.emit_builtin_pipeline(dispatch)
    for host in hosts:
        emitter.emit_host(host)
    if emitter.problems:
        raise EmissionError(list(_distinct(emitter.problems)))
    return emitter.sources


class _Emitter:
    def __init__(self, renderer: Renderer):
        self._renderer = renderer
        self.sources = Sources()
        self.problems: list[Problem] = []
        self._unnamed: set[FuncOp] = set()
        """Functions whose name is refused."""

    def check_names(self, functions: Iterable[FuncOp]) -> None:
        """Refuses names that make no file, and pairs of names that make one."""
        known: dict[str, FuncOp] = {}
        for function in functions:
            name = function.sym_name.data
            problem = file_name_problem(name)
            if problem is None and (other := case_clash(name, known)) is not None:
                problem = _CASE.format(name, other)
            elif problem is None and name in known:
                problem = f"'{name}' is the name of two functions that files are named after"
            if problem is not None:
                self.problems.append(Problem(function, problem, "rename it"))
                self._unnamed.add(function)
            known[name] = function

    # Chip pipelines

    def emit_pipeline(self, function: FuncOp) -> None:
        renderer = self._renderer
        try:
            orchestration = emit_orchestration(function, renderer.runtime, renderer.target)
        except EmissionError as error:
            self.problems += error.problems
            return
        if function in self._unnamed:
            return
        name = orchestration.name
        kernels, texts = self._kernels(name, orchestration)
        self.sources.pipelines.append(name)
        self.sources.add(
            f"{name}/kernel_config.py",
            render_file(
                _FOLDER,
                "kernel_config.py.j2",
                {"pipeline": name, "signature": signature(function), "kernels": kernels},
            ),
        )
        self.sources.add(
            f"{name}/orchestration/{name}.cpp",
            render_file(
                _FOLDER,
                "orchestration.cpp.j2",
                orchestration.variables(renderer.runtime, renderer.target),
            ),
        )
        for path, text in texts.items():
            self.sources.add(path, text)

    def _kernels(
        self, pipeline: str, orchestration: Orchestration
    ) -> tuple[Sequence[_KernelEntry], Mapping[str, str]]:
        """The kernels of a pipeline, and their files."""
        entries: list[_KernelEntry] = []
        texts: dict[str, str] = {}
        for kernel in orchestration.kernels:
            problem = file_name_problem(kernel.name)
            clash = case_clash(kernel.name, (entry.name for entry in entries))
            if problem is None and clash is not None:
                problem = _CASE.format(kernel.name, clash)
            if problem is not None:
                self.problems.append(Problem(kernel.function, problem, "rename it"))
                continue
            builtin = is_builtin_kernel(kernel.function)
            file = f"{kernel.name}.{'cpp' if builtin else 'mlir'}"
            text = self._rendered(kernel) if builtin else _kernel_ir(kernel.function)
            if text is None:
                continue
            entries.append(
                _KernelEntry(
                    kernel.func_id, kernel.name, kernel.core, file, signature(kernel.function)
                )
            )
            texts[f"{pipeline}/kernels/{kernel.core}/{file}"] = text
        return entries, texts

    def _rendered(self, kernel: Kernel) -> str | None:
        function = kernel.function
        handle, variables = (
            _string(function.attributes.get(key)) for key in (TEMPLATE_DIR, TEMPLATE_VARS)
        )
        target = self._renderer.target
        if handle in _NEEDS_URMA and not target.has_urma:
            self.problems.append(
                Problem(
                    function,
                    f"'{kernel.name}' needs URMA queues, which target {target.name} does not have",
                    "build it with --target 950",
                )
            )
            return None
        return self._render(function, handle, variables)

    def _render(self, place: Operation, handle: str, variables: str) -> str | None:
        try:
            return self._renderer.kernel(handle, variables)
        except TemplateError as error:
            self.problems.append(Problem(place, str(error)))
            return None

    # The host rail

    def emit_builtin_pipeline(self, dispatch: BuiltinDispatchOp) -> None:
        operator = dispatch.name.removeprefix("pld.builtin.")
        if (kernel := _HOST_RAIL.get(operator)) is None:
            known = ", ".join(f"pld.builtin.{name}" for name in _HOST_RAIL)
            self.problems.append(
                Problem(dispatch, f"'{dispatch.name}' has no template; there is one for {known}")
            )
            return
        roles = [operand.role for operand in kernel.operands]
        payload = element_of(dispatch.arguments[roles.index("target")])
        if (variant := ELEMENT_VARIANTS.get(payload)) is None:
            self.problems.append(
                Problem(dispatch, f"element type must be f32 or i8, not {payload}")
            )
            return
        folder = f"builtin.tensor.{operator}__{variant.suffix}"
        if folder in self.sources.builtin_pipelines:
            return
        handle, symbol = kernel.handle, kernel.name(payload)
        text = self._render(dispatch, handle, f"dtype_cpp={variant.cpp}")
        if text is None:
            return
        self.sources.builtin_pipelines.append(folder)
        self.sources.add(
            f"{folder}/kernel_config.py", self._renderer.host_config(handle, kernel, symbol)
        )
        self.sources.add(
            f"{folder}/orchestration/entry.cpp", self._renderer.host_entry(handle, kernel)
        )
        self.sources.add(f"{folder}/kernels/aiv/{symbol}.cpp", text)

    def emit_host(self, host: FuncOp) -> None:
        if has_windows_outside_domains(host):
            self.sources.notes.append(
                f"no driver for host body '{host.sym_name.data}': its windows are in no "
                "communication domain (materialize-comm-domain-scopes puts them there)"
            )
            return
        try:
            text = emit_host(host)
        except EmissionError as error:
            self.problems += error.problems
            return
        if host not in self._unnamed:
            self.sources.hosts.append(host.sym_name.data)
            self.sources.add(f"{host.sym_name.data}.py", text)


def _distinct(problems: Iterable[Problem]) -> Iterable[Problem]:
    """Two tasks may run into one problem, and one line may have become several dispatches."""
    known: dict[tuple[str, object], Problem] = {}
    for problem in problems:
        place = problem.place
        located = place.location if isinstance(place, Operation) else UnknownLoc()
        at = place if isinstance(located, UnknownLoc) else located
        known.setdefault((problem.message, at), problem)
    return known.values()


def _string(value: Attribute | None) -> str:
    return value.data if isinstance(value, StringAttr) else ""


def _functions(module: Operation) -> Iterator[FuncOp]:
    for op in module.walk():
        if isinstance(op, FuncOp):
            yield op


def _kernel_ir(kernel: FuncOp) -> str:
    """The IR of a kernel and of all functions that it calls, as a module."""
    needed: dict[FuncOp, None] = {kernel: None}
    pending = [kernel]
    while pending:
        for op in pending.pop().walk():
            if isinstance(op, CallOp | SubmitOp):
                callee = lookup_callee(op, op.callee)
                if callee is not None and callee not in needed:
                    needed[callee] = None
                    pending.append(callee)
    output = StringIO()
    Printer(stream=output).print_op(ModuleOp([function.clone() for function in needed]))
    return f"{output.getvalue()}\n"
