"""
The state of an orchestration while it is written: text, names, and the C++ form of each value.
"""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_pld.dialects.index_lists import IndexLike, StaticIndices, join
from xdsl_pld.dialects.types import TaskIdType, is_tensor_like, tensor_of
from xdsl_pld.dialects.views import Packed, TensorView
from xdsl_pld.templates.abi import MAX_EXTENT
from xdsl_pld.templates.errors import Problem
from xdsl_pld.templates.orchestration.aliases import Aliases
from xdsl_pld.templates.orchestration.expressions import (
    NoFormError,
    integer,
    literal,
    required_type,
)
from xdsl_pld.templates.orchestration.launches import Kernels
from xdsl_pld.templates.orchestration.names import Names, quoted
from xdsl_pld.templates.orchestration.task_ids import TaskIds
from xdsl_pld.templates.orchestration.text import Node, Text
from xdsl_pld.templates.runtimes import RuntimeProfile, Target


class RefusedError(Exception):
    """An operation that has no form; `problem` is None where another error is the cause."""

    def __init__(self, problem: Problem | None):
        super().__init__(problem.message if problem else "")
        self.problem = problem


@dataclass(frozen=True)
class Form:
    """The C++ form of a value."""

    text: str
    """A name, or a literal."""
    scope: int = 0
    """For a tensor: how deep the scope is whose end frees its memory; 0 for the caller's."""
    packed: bool = True
    """For a tensor: whether it is known to be packed and row-major, for all that its type says."""


class Body:
    """Writes the statements of one pipeline."""

    def __init__(self, function: FuncOp, runtime: RuntimeProfile, target: Target, kernels: Kernels):
        self.function = function
        self.runtime = runtime
        self.target = target
        self.kernels = kernels
        self.text = Text()
        self.names = Names()
        self.aliases = Aliases(function)
        self.task_ids = TaskIds.of(function)
        self.problems: list[Problem] = list(self.task_ids.problems)
        self.task_names: dict[int, str] = {}
        """The id of each task that was submitted, as an expression."""
        self.kept_ids: dict[int, tuple[str, str]] = {}
        """The variable and the flag of each task whose latest id is kept."""
        self.scope = 1
        self._forms: dict[SSAValue, Form] = {}
        self._lost: set[SSAValue] = set()
        self._why: dict[SSAValue, str] = {}

    # Values

    def define(self, value: SSAValue, form: Form) -> None:
        self._forms[value] = form

    def lose(self, values: Iterable[SSAValue]) -> None:
        """These values have no form, and the reason has been reported."""
        self._lost.update(values)

    def explain(self, value: SSAValue, why: str) -> None:
        """Why `value` has no form, if something asks for it."""
        self._why[value] = why

    def form(self, value: SSAValue, user: Operation) -> Form:
        """The form of a value; raises RefusedError where it has none."""
        root = self.aliases.find(value)
        if (form := self._forms.get(root)) is not None:
            return form
        if value in self._lost or root in self._lost:
            raise RefusedError(None)
        if (constant := ConstantLike.get_constant_value(root)) is not None:
            try:
                return Form(literal(constant))
            except NoFormError as error:
                raise RefusedError(Problem(user, str(error))) from error
        why = self._why.get(root) or self._why.get(value)
        raise RefusedError(
            Problem(user, why or f"an operand of '{user.name}' has no form in an orchestration")
        )

    def name(self, value: SSAValue, user: Operation) -> str:
        return self.form(value, user).text

    def is_alias(self, value: SSAValue) -> bool:
        """Whether the value is another one's variable."""
        return self.aliases.find(value) is not value

    # Names and types

    def fresh(self, value: SSAValue | None, otherwise: str) -> str:
        hint = None if value is None else value.name_hint
        return self.names.fresh(hint or otherwise)

    @property
    def tensor(self) -> str:
        return self.runtime.tensor_type

    def variable_type(self, value: SSAValue, user: Operation) -> str:
        """The C++ type of a variable for a value."""
        if is_tensor_like(value.type):
            return self.tensor
        if isinstance(value.type, TaskIdType):
            return "PTO2TaskId"
        try:
            return required_type(value.type)
        except NoFormError as error:
            raise RefusedError(Problem(user, str(error))) from error

    # Statements

    def add(self, text: str, sets: str | None = None) -> None:
        self.text.add(text, sets)

    def constant(self, type_: str, name: str, value: str) -> str:
        """A variable that keeps its value."""
        self.add(f"const {type_} {name} = {value};", name)
        return name

    @contextmanager
    def scoped(self, body: list[Node]) -> Generator[None]:
        """The body of a loop or branch: what is allocated in it is freed at its end."""
        with self.text.within(body):
            (inner,) = self.text.nest("PTO2_SCOPE()")
            self.scope += 1
            try:
                with self.text.within(inner):
                    yield
            finally:
                self.scope -= 1

    def fatal_if(self, condition: str, message: str) -> None:
        """Latches the runtime's invalid-arguments error and leaves."""
        (body,) = self.text.nest(f"if ({condition})")
        with self.text.within(body):
            self.add(f"rt_report_fatal({self.runtime.invalid_args}, {quoted(message)});")
            self.add("return;")

    def numbers(self, base: str, suffix: str, entries: Sequence[IndexLike], user: Operation) -> str:
        """An array of 32-bit numbers; the name, or `nullptr` where there are none."""
        if not entries:
            return "nullptr"
        texts = [self.number(entry, user) for entry in entries]
        return self.array(base, suffix, texts)

    def array(self, base: str, suffix: str, texts: Sequence[str]) -> str:
        name = self.names.fresh(f"{base}_{suffix}")
        self.add(f"const uint32_t {name}[] = {{{', '.join(texts)}}};", name)
        return name

    def number(self, entry: IndexLike, user: Operation) -> str:
        """An extent or offset as 32 bits."""
        if isinstance(entry, int):
            if not 0 <= entry <= MAX_EXTENT:
                raise RefusedError(
                    Problem(user, f"{entry} does not fit the runtime's 32 bits, [0, {MAX_EXTENT}]")
                )
            return integer(entry) if entry < 2**31 else f"{entry}U"
        text = self.name(entry, user)
        if text.isdigit():
            return self.number(int(text), user)
        return f"static_cast<uint32_t>({text})"


def entries_of(static: StaticIndices, dynamic: Sequence[SSAValue]) -> Sequence[IndexLike]:
    return join(static, dynamic)


def type_is_packed(value: SSAValue) -> bool:
    tensor = tensor_of(value.type)
    return tensor is not None and TensorView.of(tensor).packed()[0] is Packed.YES


def static_shape(value: SSAValue) -> Sequence[int] | None:
    tensor = tensor_of(value.type)
    shape = () if tensor is None else tensor.get_shape()
    return None if DYNAMIC_INDEX in shape else shape
