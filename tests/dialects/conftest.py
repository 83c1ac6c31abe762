"""What the tests of the dialects share: a context, and text to IR and back."""

from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, test
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD


@pytest.fixture
def context() -> Context:
    """A context with our dialects and those that they are used with."""
    loaded = Context()
    for dialect in (Builtin, arith.Arith, func.Func, scf.Scf, test.Test, PL, PLD):
        loaded.load_dialect(dialect)
    return loaded


@pytest.fixture
def parse(context: Context) -> Callable[[str], ModuleOp]:
    """Parses and verifies a module."""

    def parse_text(text: str) -> ModuleOp:
        module = Parser(context, text).parse_module()
        module.verify()
        return module

    return parse_text


@pytest.fixture
def show() -> Callable[..., str]:
    """The text of a module, in custom or generic form."""

    def show_module(
        module: ModuleOp, *, generic: bool = False, properties_as_attributes: bool = False
    ) -> str:
        stream = StringIO()
        Printer(
            stream=stream,
            print_generic_format=generic,
            print_properties_as_attributes=properties_as_attributes,
        ).print_op(module)
        return stream.getvalue()

    return show_module
