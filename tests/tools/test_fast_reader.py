"""The reader and the printer against xDSL's own, on all texts that there are: same in every way."""

import itertools
import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.universe import Universe
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from xdsl_pld.tools.caching_parser import CachingParser
from xdsl_pld.tools.caching_printer import CachingPrinter
from xdsl_pld.tools.lexer import FastLexer

ROOT = Path(__file__).resolve().parents[2]
OURS = sorted([*ROOT.glob("lit_tests/**/*.mlir"), *ROOT.glob("examples/*.mlir")])
XDSLS = sorted((Path(sysconfig.get_path("purelib")) / "tests/filecheck").glob("**/*.mlir"))
"""xDSL's wheel happens to install its own tests."""
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[%@#!^]?[\w.$]+|->|\s+|.', re.DOTALL)


@pytest.fixture(autouse=True)
def _linear_strings(monkeypatch: pytest.MonkeyPatch):
    """xDSL takes exponential time for a string that is not closed, which a mutant may have."""
    name = "_unescaped_characters_regex"
    monkeypatch.setattr(MLIRLexer, name, vars(FastLexer)[name])


def test_the_expression_for_strings_is_xdsls(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    stock = vars(MLIRLexer)["_unescaped_characters_regex"].pattern
    ours = vars(FastLexer)["_unescaped_characters_regex"].pattern
    assert ours.replace("++", "+").replace("*+", "*") == stock


def chunks(files: Sequence[Path]) -> Iterator[str]:
    for file in files:
        yield from file.read_text().split("// -----")


def context() -> Context:
    result = Context(allow_unregistered=True)
    for name, load in Universe.get_multiverse().all_dialects.items():
        result.register_dialect(name, load)
    return result


FORMS: Sequence[dict[str, bool]] = (
    {},
    {"print_generic_format": True, "print_debuginfo": True},
)


def outcome(
    parser: type[Parser],
    printers: Sequence[type[Printer]],
    text: str,
    ctx: Context,
    forms: Sequence[dict[str, bool]],
) -> list[Any]:
    """All that a caller can see of a parse: the module as text, or the error with its place."""
    _forget_resources(ctx)
    try:
        module = parser(ctx, text, "f.mlir").parse_module()
    except ParseError as error:
        return [type(error), error.msg, error.span.start, error.span.end]
    except Exception as error:
        return [type(error), str(error)]
    return [printed(module, each, ctx, form) for form in forms for each in printers]


def _forget_resources(ctx: Context) -> None:
    """A second parse would declare each resource under another name."""
    interface = ctx.get_dialect("builtin").get_interface(OpAsmDialectInterface)
    assert interface is not None
    vars(interface)["_blob_storage"].clear()


def printed(
    module: ModuleOp, printer_class: type[Printer], ctx: Context, form: dict[str, bool]
) -> tuple[str, str]:
    """What is printed, and the error that ended it."""
    stream, ended = StringIO(), ""
    printer = printer_class(stream, **form)
    try:
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
    except Exception as error:
        ended = f"{type(error).__name__}: {error}"
    return stream.getvalue(), ended


def check(text: str, ctx: Context, forms: Sequence[dict[str, bool]] = FORMS) -> None:
    stock = outcome(Parser, (Printer, Printer), text, ctx, forms)
    ours = outcome(CachingParser, (Printer, CachingPrinter), text, ctx, forms)
    assert ours == stock, text


def mutant(text: str, choose: random.Random) -> str:
    """The text with one token deleted, doubled, replaced or moved."""
    tokens = TOKEN.findall(text)
    if len(tokens) < 2:
        return text
    at, other = choose.randrange(len(tokens)), choose.randrange(len(tokens))
    kind = choose.randrange(5)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens.insert(at, tokens[at])
    elif kind == 2:
        tokens[at] = tokens[other]
    elif kind == 3:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens[at] = tokens[at][: choose.randrange(len(tokens[at]) + 1)]
    return "".join(tokens)


def sample(files: Sequence[Path], size: int, seed: int) -> list[str]:
    """Texts that are small enough to read many of."""
    small = [text for text in chunks(files) if 0 < len(text) < 6000]
    return random.Random(seed).sample(small, min(size, len(small)))


def test_our_texts():
    ctx = context()
    for text in sample(OURS, 150, seed=0):
        check(text, ctx)


@pytest.mark.skipif(not XDSLS, reason="this xDSL has no tests of its own in its wheel")
def test_xdsls_texts():
    ctx = context()
    for text in sample(XDSLS, 100, seed=1):
        check(text, ctx)


def test_mutants():
    ctx, choose = context(), random.Random(2)
    for text in itertools.chain(sample(OURS, 40, seed=2), sample(XDSLS, 40, seed=2)):
        check(mutant(text, choose), ctx, FORMS[1:2])
        # Most of the second copy has been read before.
        check(f"{text}\n{mutant(text, choose)}", ctx, FORMS[1:2])


def test_generic_forms():
    """As upstream hands them over: with locations behind the operations, twice."""
    ctx, choose = context(), random.Random(3)
    for text in sample(OURS, 40, seed=3):
        found = outcome(Parser, (Printer,), text, ctx, FORMS[1:])
        if len(found) == 1 and not found[0][1]:
            generic = found[0][0]
            check(f"{generic}\n{mutant(generic, choose)}", ctx, FORMS[1:2])


# Beside each other, what differs in as little as may be.
OPERATIONS = """\
%a, %b = "test.op"() : () -> (i32, i32)
%p:2 = "test.op"() : () -> (i32, i64)
%c = arith.addi %a, %b : i32
%d = arith.addi %b, %a : i32
%e = arith.addi %a, %a : i32
%f = arith.addi %e, %e : i32
%g = arith.addi %p#0, %a : i32
%h = arith.addi %g, %p#0 : i32
%i = arith.addi %a, %b {x = "%a"} : i32
%j = arith.addi %a, %b {x = "%b"} : i32
%k = arith.addi %a, %b : i32 loc("f":1:2)
%l = arith.addi %a, %b : i32 loc("g":3:4)
%m = arith.addi %a, %b : i32 loc(unknown)
%n = arith.addi %a, %b // %c
  : i32
%o = arith.addi %a, %b
  : i32
%q = arith.constant 1 : i32
%r = arith.constant 1 : i32 %s = arith.constant 1 : i32
%t, %u = "test.op"(%a, %b) {y = loc("f":1:2)} : (i32, i32) -> (i32, i32)
%v, %w = "test.op"(%b, %a) {y = loc("f":1:2)} : (i32, i32) -> (i32, i32) loc("h":5:6)
%x, %y = "test.op"(%b, %a) {y = loc("f":1:2)} : (i32, i32) -> (i32, i32) loc("i":7:8)
%z = arith.addi %later, %a : i32
%A = arith.addi %later, %z : i32
%later = arith.addi %a, %b : i32
%t0 = pl.task_dummy
%t1 = pl.task_dummy deps(%t0)
%t2 = pl.task_dummy
{a = 1}
%t3 = pl.task_dummy
%t4 = pl.task_dummy
deps(%t3)
%t5 = pl.task_dummy loc("f":1:2)
%t6 = pl.task_dummy
loc("f":1:2)
""".splitlines()
LOCATIONS = (
    'loc("f":1:2)', 'loc("f":01:2)', 'loc("a"("f":1:2))', 'loc("a"("b"("f":1:2)))', "loc(unknown)",
    'loc("a"("f":1:2)', 'loc("f":1:2))', 'loc("a")', 'loc("")', 'loc("":0:0)', 'loc("a"(unknown))',
    'loc( "f":1:2)', 'loc("f" : 1 : 2)', 'loc("f":0x1:2)', 'loc("f":-1:2)', 'loc("a\\22"("f":1:2))',
    'loc(callsite("a"("f":1:2) at "g":3:4))', 'loc(fused["f":1:2, "g":3:4])', 'loc("é"("f":1:2))',
    'loc("a"("":1:2))', 'loc("\x0b":1:2)', 'loc("f":1:2):', "loc", 'loc(")":1:2)',
    'loc("(("("(":1:2))',
)  # fmt: skip


@pytest.mark.parametrize("location", LOCATIONS)
def test_locations(location: str):
    ctx = context()
    check(f'"test.op"() {{a = {location}}} : () -> () {location}\n', ctx)
    check(f'"test.op"() : () -> () {location}\n' * 2, ctx)
    check(f"pl.task_dummy {location}\n" * 2, ctx)


WRONG = """\
%B = arith.addi %a, %undefined : i32
%B = arith.addi %a, %p#1 : i32
%B = arith.addi %a, %p#2 : i32
%a = arith.addi %a, %b : i32
%B, %C = arith.addi %a, %b : i32
%B = arith.addi %a, %b : i64
%B = arith.addi %B, %b : i32
%B = arith.addi %a, %b : i32 loc(
%B = arith.addi %a, %b : i32 \x00
arith.addi %a, %b : i32
%B = arith.constant 1 : i32 : i32
"test.op"(%a, %undefined) : (i32, i32) -> (i32, i32)
%B = "test.op"(%a, %b) : (i32, i32) -> (i32, i32)
""".splitlines()


def test_operations_beside_each_other():
    check("\n".join(OPERATIONS), context())


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_operations_beside_right_ones(wrong: str):
    ctx = context()
    check("\n".join([*OPERATIONS, wrong]), ctx)
    check("\n".join([*OPERATIONS, wrong, *OPERATIONS[2:4]]), ctx)


@pytest.mark.parametrize("seed", range(8))
def test_operations_in_any_order(seed: int):
    lines = [*OPERATIONS[2:21] * 2]
    random.Random(seed).shuffle(lines)
    named = [re.sub(r"^%\w+(, %\w+)?", partial(_fresh, at), line) for at, line in enumerate(lines)]
    check("\n".join([*OPERATIONS[:2], *named]), context())


def _fresh(number: int, found: re.Match[str]) -> str:
    names = found[0].split(", ")
    return ", ".join(f"{name}_{number}" for name in names)


def tokens(lexer: MLIRLexer) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    try:
        while not found or found[-1][0] is not MLIRTokenKind.EOF:
            token = lexer.lex()
            found.append(
                (token.kind, token.text, token.span.start, token.span.end, lexer.pos, token.bytes)
            )
    except ParseError as error:
        found.append((error.msg, error.span.start, error.span.end))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "0x1f 0x 0xg 00x1 10x1 8x64xf32 0xi32 007 0x0x0",
        "1.5 1. 1x2 12e3 1.e5 1.5E-3 1..2 -1 - -> --> ->>",
        "{-# #-} {- #-a {-",
        r'"a\n" "é" "a\00" "\C3" "" @"x y" @a.b @_ @',
        "#a #0 #-b !a.b !-c ^b0 ^0 %0a %a%b %-b",
        "...", "..", "a// b\nc", "// only", "a //", "\u2002", "é", "a\u00e9", "9\u0664", "@é", "%é",
        '"a\nb"', '"\x0b"', '"\\', '"', "\x00", "a\x1cb", "a\x0c\x0bb",
    ],
)  # fmt: skip
def test_tokens(text: str):
    assert tokens(FastLexer(Input(text, "f"))) == tokens(MLIRLexer(Input(text, "f")))


def test_escaped_text_is_text():
    r"""xDSL's printer writes "é" so, and its lexer takes that for bytes."""
    text = r'"a\C3\A9\n" "\FF" "\00\C3"'
    kinds = [token[0] for token in tokens(FastLexer(Input(text, "f")))]
    assert kinds[:3] == [MLIRTokenKind.STRING_LIT] + [MLIRTokenKind.BYTES_LIT] * 2
    attribute = CachingParser(context(), text).parse_attribute()
    assert attribute == StringAttr("aé\n")


def test_tokens_from_every_position():
    """The parser also starts in the middle of a token, as for the `x` of a shape."""
    text = 'tensor<0x10x?x8xf32>, 0x1F #-} {-# ->- 1.5e3x "s\\0A" @"q" %1x !a.b<c>'
    for start in range(len(text)):
        stock, ours = MLIRLexer(Input(text, "f")), FastLexer(Input(text, "f"))
        stock.pos = ours.pos = start
        assert tokens(ours) == tokens(stock)


TYPES = (
    "tensor<4xf32>", "tensor<0x10xf32>", "tensor<4 x f32>", "tensor<4xf32 >", "tensor<*xf32>",
    'tensor<2xf32, {layout = "dn"}>', 'tensor<2xf32, {a = "}>"}>', "tensor<2xf32, #pl.x>",
    "tensor<4x!e>", "!e", "memref<2x2xf32, strided<[2, 1]>, 1 : i32>", "vector<[4]xf32>",
    "complex<f32>", "tuple<i32, (f32) -> i1>", "tuple<>", "i32", "si8", "index", "none", "f32",
    "(i32) -> (f32, index)", "!pld.dist_tensor<tensor<4xf32>>", "!pl.tile<tensor<4xf32>>",
    "!pld.dist_tensor<tensor<?x4xf32, {stride = array<i64: 4, 1>}>>", "!llvm.ptr", "!llvm.ptr<1>",
    "!pld.comm_ctx", "!pl.task_id", "!foreign.type<a>", "!foreign.type",
    "!pld<comm_ctx>", "tensor<4xf32, dense_resource<r>>", "tensor<4xf32, loc(unknown)>",
    # wrong ones
    "tensor<4xf32", "tensor<4x>", "!pld.comm_ctx<>", "!pld.dist_tensor<i32>", "tensor", "i32<",
    "!pl.tile<tensor<?xf32>>", "tensor<4xf32>>", "!pld.dist_tensor", "!undefined", "f33",
    "!pld.dist_tensor<<",
)  # fmt: skip


@pytest.mark.parametrize("separator", [" ", "", "\n", "// x\n", "<"])
@pytest.mark.parametrize("first", TYPES)
def test_types_beside_each_other(first: str, separator: str):
    """A type is read twice, and again with something else after it."""
    ctx = context()
    for second in (first, *TYPES[:4]):
        text = (
            f'!e = i8\n"test.op"() {{a = {first}, b = {first}{separator}}} : () -> {first}\n'
            f'"test.op"() {{a = {second}{separator}}} : () -> ({first}{separator}, {second})'
        )
        check(text, ctx, FORMS[1:2])


def test_a_dictionary_is_not_shared():
    text = '"test.op"() {a = 1 : i32} : () -> ()\n' * 2
    first, second = CachingParser(context(), text).parse_module().ops
    first.attributes["b"] = first.attributes["a"]
    assert "b" not in second.attributes
    assert first.attributes["a"] is second.attributes["a"]


def test_names_are_gone_after_their_region():
    inner = '"test.op"() ({\n %a = "test.op"() : () -> i32\n}) : () -> ()\n'
    use = '"test.op"(%a) : (i32) -> ()\n'
    for text in (inner * 2, inner + use, '%a = "test.op"() : () -> i32\n' + inner + use):
        check(text, context())
