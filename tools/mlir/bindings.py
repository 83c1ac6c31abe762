"""
MLIR's Python bindings, as far as we use them: the one module that touches them untyped.

Several wheels hold them, each under a package of its own and with contexts of its own:
`torch_mlir` (LLVM 24) and `mlir` (xtc-mlir-python-bindings, LLVM 22) among them. So nothing here is
imported by name: the package is that of the context or pass manager which we are given. Their
stubs are partial or missing; the protocols below say what we rely on. Source: xdsl-notes, 3.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol


class MLIRContext(AbstractContextManager["MLIRContext"], Protocol):
    """`ir.Context`."""

    allow_unregistered_dialects: bool

    def is_registered_operation(self, operation_name: str, /) -> bool: ...


class MLIRLocation(Protocol):
    """`ir.Location`."""

    def emit_error(self, message: str, /) -> None: ...


class MLIROperation(Protocol):
    """`ir.Operation`."""

    @property
    def name(self) -> str: ...
    @property
    def context(self) -> MLIRContext: ...
    @property
    def location(self) -> MLIRLocation: ...


class MLIRModule(Protocol):
    """`ir.Module`."""

    @property
    def operation(self) -> MLIROperation: ...


class MLIRPass(Protocol):
    """What a pass written in Python is called with beside the operation: `ExternalPass`."""

    def signal_pass_failure(self) -> None: ...


class MLIRPassManager(Protocol):
    """`passmanager.PassManager`."""

    def add(
        self,
        run: Callable[[MLIROperation, MLIRPass], None],
        name: str | None = None,
        argument: str | None = "",
    ) -> None: ...


@dataclass(frozen=True)
class Bindings:
    """The bindings in one package."""

    package: str

    @staticmethod
    def of(thing: object) -> "Bindings":
        """The bindings that a context, an operation or a pass manager is of."""
        for cls in type(thing).__mro__:
            package, marker, _ = cls.__module__.partition("._mlir_libs")
            if marker:
                return Bindings(package)
        raise TypeError(
            f"{type(thing).__qualname__} is of no MLIR Python bindings: pass the context, module "
            "or pass manager of a package such as torch_mlir"
        )

    @property
    def _ir(self) -> Any:
        return import_module(f"{self.package}.ir")

    # Modules and locations

    def parse(self, text: str, context: MLIRContext) -> MLIRModule:
        """Parses and verifies; raises the bindings' own MLIRError."""
        return self._ir.Module.parse(text, context)

    def file_location(
        self, file: str, line: int, column: int, context: MLIRContext
    ) -> MLIRLocation:
        return self._ir.Location.file(file, line, column, context=context)

    def text_of(self, op: MLIROperation) -> str:
        """The text that `text.read` takes."""
        operation: Any = op
        return operation.get_asm(
            print_generic_op_form=True,
            enable_debug_info=True,
            use_local_scope=True,  # locations and types in place, not as aliases
            assume_verified=True,
        )

    def operations(self, op: MLIROperation) -> Iterator[MLIROperation]:
        """The operation and all inside it, in textual order."""
        operation: Any = op
        yield operation
        for region in operation.regions:
            for block in region.blocks:
                for inner in block.operations:
                    yield from self.operations(inner.operation)

    def replace_body(
        self, target: MLIROperation, source: MLIRModule, attributes: Iterable[str]
    ) -> None:
        """
        Moves the body of the module `source` into the module `target`, and those attributes.

        Op by op: bodies cannot be exchanged, and the pass manager holds on to `target` itself. The
        old ops go last to first, for one that is used by another must outlive it.
        """
        old: Any = target
        new: Any = source.operation
        body = old.regions[0].blocks[0]
        for op in reversed(list(body.operations)):
            op.operation.erase()
        for op in list(new.regions[0].blocks[0].operations):
            op.operation.detach_from_parent()
            body.append(op)
        for name in attributes:
            if name in new.attributes:
                old.attributes[name] = new.attributes[name]
            elif name in old.attributes:
                del old.attributes[name]

    # Dialects

    def load_irdl(self, text: str, names: Sequence[str], context: MLIRContext) -> None:
        """
        Loads the dialect that an IRDL text defines, its operations renamed to `names`, in order.

        Renamed, since LLVM before late 2026 refuses a dotted name such as `tensor.window` where it
        verifies IRDL, while loading a dialect takes it.
        """
        load_dialects: Any = import_module(f"{self.package}.dialects.irdl").load_dialects
        with context:
            module: Any = self.parse(text, context)
            (dialect,) = module.body.operations
            operations = [
                op.operation
                for op in dialect.operation.regions[0].blocks[0].operations
                if op.operation.name == "irdl.operation"
            ]
            for operation, name in zip(operations, names, strict=True):
                operation.attributes["sym_name"] = self._ir.StringAttr.get(name)
            load_dialects(module)

    @property
    def has_dynamic_traits(self) -> bool:
        """Whether traits can be attached to operations from IRDL: LLVM 23 and later."""
        return hasattr(self._ir, "IsTerminatorTrait")

    def attach_trait(self, trait: str, operation: str, context: MLIRContext) -> bool:
        """Attaches `ir.<trait>` to an operation from IRDL; False where the bindings cannot."""
        if self.has_dynamic_traits:
            getattr(self._ir, trait).attach(operation, context=context)
        return self.has_dynamic_traits

    def attach_pure(self, operation: str, context: MLIRContext) -> bool:
        """Makes an operation from IRDL pure; False where the bindings cannot."""
        if self.has_dynamic_traits:
            with context:
                import_module(f"{self.package}.dialects.ext").Pure.attach(operation)
        return self.has_dynamic_traits
