"""
Renders the sources of builtin kernels: the kernel, and the host rail's entry and configuration.

A kernel's text depends on the variables that the IR gives and on the runtime's names, on nothing
else, so both rails get the same bytes. Whatever does not fit is an error: a variable that is
missing, unknown, given twice or empty, and text that is not well-formed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2 import TemplateError as JinjaError
from jinja2.meta import find_referenced_templates, find_undeclared_variables

from xdsl_pld.dialects.builtin_kernels import BuiltinKernel
from xdsl_pld.templates.errors import TemplateError
from xdsl_pld.templates.registry import (
    ENTRY,
    KERNEL,
    KERNEL_CONFIG,
    TemplateFolder,
    TemplateRegistry,
)
from xdsl_pld.templates.runtimes import DEFAULT_RUNTIME, DEFAULT_TARGET, RuntimeProfile, Target
from xdsl_pld.templates.variables import check_variables, parse_variables
from xdsl_pld.templates.wellformed import check_rendered

_SHARED = Path(__file__).parent / "shared"


@dataclass(frozen=True)
class Renderer:
    """Renders for one runtime and card, from the templates of one registry."""

    registry: TemplateRegistry = field(default_factory=TemplateRegistry)
    runtime: RuntimeProfile = DEFAULT_RUNTIME
    target: Target = DEFAULT_TARGET

    def kernel(self, handle: str, variables: str) -> str:
        """The kernel of a handle; `variables` is the text of `pl.builtin_template_vars`."""
        folder = self.registry.resolve(handle)
        ours = {"tensor_type": self.runtime.tensor_type}
        given = parse_variables(variables, handle)
        environment = make_environment(folder)
        name = _name(folder, KERNEL)
        check_variables(given, _variables_of(environment, KERNEL, name) - ours.keys(), handle)
        return _render(environment, KERNEL, name, ours | given)

    def host_entry(self, handle: str, kernel: BuiltinKernel) -> str:
        """The host rail's orchestration of a builtin kernel."""
        return self._host_file(handle, ENTRY, kernel, {})

    def host_config(self, handle: str, kernel: BuiltinKernel, symbol: str) -> str:
        """The host rail's kernel_config.py, for the variant of the kernel called `symbol`."""
        return self._host_file(handle, KERNEL_CONFIG, kernel, {"kernel": symbol})

    def _host_file(
        self, handle: str, file: str, kernel: BuiltinKernel, more: Mapping[str, object]
    ) -> str:
        folder = self.registry.resolve(handle)
        if not folder.has(file):
            raise TemplateError(f"template {handle} has no {file}: it is not for the host rail")
        variables = {
            "operator": kernel.operator,
            "operands": kernel.operands,
            "tensor_type": self.runtime.tensor_type,
            "invalid_args": self.runtime.invalid_args,
            "set_blocks": self.target.set_blocks,
            **more,
        }
        return render_file(folder, file, variables)


def render_file(folder: TemplateFolder, file: str, variables: Mapping[str, object]) -> str:
    """Renders a file of a folder of ours, for which all variables are given from here."""
    return _render(make_environment(folder), file, _name(folder, file), variables)


def make_environment(folder: TemplateFolder) -> Environment:
    """The strict environment that sees the folder's files and the parts that templates share."""
    loader: BaseLoader = ChoiceLoader([FileSystemLoader(folder.path), FileSystemLoader(_SHARED)])
    return Environment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _name(folder: TemplateFolder, file: str) -> str:
    return f"{folder.handle}/{file}"


def _variables_of(environment: Environment, file: str, name: str) -> set[str]:
    """The variables that a template and the parts it includes need from outside."""
    assert environment.loader is not None
    try:
        tree = environment.parse(environment.loader.get_source(environment, file)[0])
    except TemplateSyntaxError as error:
        raise TemplateError(f"template {name}: line {error.lineno}: {error.message}") from error
    except JinjaError as error:
        raise TemplateError(f"template {name}: part '{error.message}' is not there") from error
    variables = find_undeclared_variables(tree)
    for part in find_referenced_templates(tree):
        if part is not None:
            variables |= _variables_of(environment, part, name)
    return variables


def _render(environment: Environment, file: str, name: str, variables: Mapping[str, object]) -> str:
    try:
        text = environment.get_template(file).render(variables)
    except TemplateSyntaxError as error:
        raise TemplateError(f"template {name}: line {error.lineno}: {error.message}") from error
    except UndefinedError as error:
        raise TemplateError(f"template {name}: {error.message}") from error
    check_rendered(text, name)
    return text
