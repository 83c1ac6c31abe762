"""
What pld-build writes, as targets of xDSL's driver: `-t pld-kernels`, `-t pld-orchestration`,
`-t pld-config`.

They print the texts for a module that is lowered already, each behind a comment with its path:

    pld-opt lowered.mlir -t 'pld-orchestration{runtime="2026.08" target="950"}'
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.templates.errors import EmissionError
from xdsl_pld.templates.registry import TemplateRegistry
from xdsl_pld.templates.render import Renderer
from xdsl_pld.templates.runtimes import (
    DEFAULT_RUNTIME,
    DEFAULT_TARGET,
    RUNTIME_PROFILES,
    TARGETS,
)
from xdsl_pld.templates.sources import Sources, emit_module


def sources_of(module: ModuleOp, renderer: Renderer) -> Sources:
    """The sources of a module; raises FindingsError with all that has no form."""
    try:
        return emit_module(module, renderer)
    except EmissionError as error:
        raise FindingsError(
            [
                Finding(p.place, p.message, () if p.advice is None else (Note(p.advice),))
                for p in error.problems
            ]
        ) from error


def listing(files: dict[str, str]) -> Iterator[str]:
    """The texts, each behind a comment with its path."""
    for path, text in files.items():
        comment = "#" if path.endswith(".py") else "//"
        yield f"{comment} ===== {path} =====\n{text}"


@dataclass(frozen=True)
class _SourceTarget(Target):
    runtime: str = DEFAULT_RUNTIME.name
    target: str = DEFAULT_TARGET.name
    template_path: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, given, known in (
            ("runtime", self.runtime, RUNTIME_PROFILES),
            ("target", self.target, TARGETS),
        ):
            if given not in known:
                raise ValueError(f"{what} '{given}' is unknown; there are {', '.join(known)}")

    def renderer(self) -> Renderer:
        return Renderer(
            TemplateRegistry([Path(folder) for folder in self.template_path]),
            RUNTIME_PROFILES[self.runtime],
            TARGETS[self.target],
        )

    def emit_files(self, module: ModuleOp, output: IO[str], wanted: Callable[[str], bool]) -> None:
        files = sources_of(module, self.renderer()).files
        output.writelines(listing({p: text for p, text in files.items() if wanted(p)}))


@dataclass(frozen=True)
class KernelsTarget(_SourceTarget):
    """The sources of all kernels."""

    name = "pld-kernels"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        self.emit_files(module, output, lambda path: "/kernels/" in path)


@dataclass(frozen=True)
class OrchestrationTarget(_SourceTarget):
    """The C++ source of each pipeline, and the driver of each host body."""

    name = "pld-orchestration"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        self.emit_files(module, output, lambda path: "/orchestration/" in path or "/" not in path)


@dataclass(frozen=True)
class ConfigTarget(_SourceTarget):
    """The kernel_config.py of each pipeline."""

    name = "pld-config"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        self.emit_files(module, output, lambda path: path.endswith("/kernel_config.py"))
