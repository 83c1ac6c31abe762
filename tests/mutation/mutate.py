"""
Which rules have no test? Changes one thing at a time and reports the changes nobody notices.

    .venv/bin/python tests/mutation/mutate.py dialects/pl/call.py dialects/views.py \\
        --run "python -m pytest -qx tests/dialects/test_invalid_files.py" \\
        --run "python -m pytest -qx tests/dialects"

Each mutant is one edit of one file: a condition made True, False or its opposite, a comparison or
`and` / `or` turned, a `raise` or a called statement dropped, an integer one higher or lower, an
entry of a list, tuple or set left out. Each `--run` is a command, run in the root of a copy of the
repository that holds the mutant (`python` is this Python); a mutant survives when all exit with 0.
Survivors are printed as `file:line: what was changed`; the exit status is 1 if there are any.

Give the fastest command first. `--only raises conditions` keeps to kinds of edits (`KINDS`),
`--lines 10-80` to part of a file, `--minutes` bounds the whole, `--seconds` one command (a mutant
that hangs is noticed). A
line that ends in `# equivalent mutant: why` is left out. No part of `make test`: it takes minutes.
"""

import argparse
import ast
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("dialects", "passes", "templates", "tools", "xdsl_pld", "tests", "lit_tests", "examples")
IGNORED = shutil.ignore_patterns("__pycache__", ".*_cache", ".hypothesis", "Output")
JUSTIFIED = "# equivalent mutant:"

TURNED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}


SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


class Mutant(NamedTuple):
    """The text between two positions of a file, replaced."""

    file: Path
    line: int
    start: int
    end: int
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class Source:
    """A file, and where its nodes stand in it."""

    def __init__(self, file: Path):
        self.file = file
        self.data = (ROOT / file).read_bytes()
        self.lines = self.data.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def mutant(self, node: ast.expr | ast.stmt, text: str, what: str) -> Mutant:
        start, end = self.span(node)
        return Mutant(self.file, node.lineno, start, end, text, what)

    def justified(self, mutant: Mutant) -> bool:
        return JUSTIFIED in self.lines[mutant.line - 1].decode()


def mutants(source: Source, kinds: Sequence[str]) -> Iterator[Mutant]:
    """All edits of those kinds of a file, in text order."""
    for node in walk(ast.parse(source.data)):
        for kind in kinds:
            yield from KINDS[kind](source, node)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those of annotations, decorators, docstrings, messages and subscripts."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "exc"):
            continue
        if isinstance(node, ast.Subscript) and name == "slice":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from walk(child)


def raises(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """A `raise` does nothing."""
    if isinstance(node, ast.Raise):
        yield source.mutant(node, "pass", f"dropped {short(source.text(node))}")


def conditions(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """What an `if` or `while` asks is True, or False."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        for text in ["False"] if isinstance(node, ast.While) else ["True", "False"]:
            yield source.mutant(node.test, text, f"{short(source.text(node.test))} -> {text}")


def comparisons(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """Another comparison stands between two values."""
    if not isinstance(node, ast.Compare):
        return
    operands = [node.left, *node.comparators]
    for place, operator in enumerate(node.ops):
        for turned in TURNED[type(operator)]:
            symbols = [SYMBOLS[type(other)] for other in node.ops]
            symbols[place] = turned
            changed = source.text(operands[0])
            for between, operand in zip(symbols, operands[1:], strict=True):
                changed += f" {between} {source.text(operand)}"
            yield source.mutant(node, f"({changed})", f"{short(source.text(node))} -> {turned}")


def logic(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """`and` and `or` change places, an operand of theirs or a `not` goes."""
    if isinstance(node, ast.BoolOp):
        conjunction = isinstance(node.op, ast.And)
        other = " or " if conjunction else " and "
        changed = other.join(f"({source.text(value)})" for value in node.values)
        yield source.mutant(node, f"({changed})", f"{short(source.text(node))} ->{other}")
        for value in node.values:
            neutral = str(conjunction)
            yield source.mutant(value, neutral, f"{short(source.text(value))} -> {neutral}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        changed = f"({source.text(node.operand)})"
        yield source.mutant(node, changed, f"{short(source.text(node))} without not")


def numbers(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """An integer is one higher, or one lower."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield source.mutant(node, f"({value})", f"{node.value} -> {value}")


def entries(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """An entry of a list, tuple or set is left out."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return
        for index, entry in enumerate(node.elts):
            kept = [source.text(other) for i, other in enumerate(node.elts) if i != index]
            yield source.mutant(node, sequence(node, kept), f"without {short(source.text(entry))}")


def calls(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """A statement that only calls, or yields, does nothing."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.YieldFrom | ast.Yield):
        yield source.mutant(node, "pass", f"dropped {short(source.text(node))}")


KINDS: dict[str, Callable[[Source, ast.AST], Iterator[Mutant]]] = {
    edit.__name__: edit
    for edit in (raises, conditions, comparisons, logic, calls, entries, numbers)
}


def sequence(node: ast.expr, entries: list[str]) -> str:
    if isinstance(node, ast.List):
        return f"[{', '.join(entries)}]"
    if isinstance(node, ast.Set):
        return f"{{{', '.join(entries)}}}" if entries else "set()"
    return f"({''.join(entry + ', ' for entry in entries)})"


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:77]}..."


def copy_repository(folder: Path) -> Path:
    for name in COPIED:
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=IGNORED)
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy2(file, folder / file.name)
    return folder


def survives(mutant: Mutant | None, folder: Path, commands: list[str], seconds: float) -> bool:
    """Whether all commands exit with 0 in the copy, with the mutant in it."""
    original = b""
    if mutant is not None:
        original = (folder / mutant.file).read_bytes()
        edited = original[: mutant.start] + mutant.text.encode() + original[mutant.end :]
        (folder / mutant.file).write_bytes(edited)
    try:
        return all(passes(command, folder, seconds) for command in commands)
    finally:
        if mutant is not None:
            (folder / mutant.file).write_bytes(original)


def passes(command: str, folder: Path, seconds: float) -> bool:
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    # Ahead of the editable install, and no byte code: two mutants may have one time stamp.
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    try:
        return (
            subprocess.run(
                words,
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--run", action="append", required=True, help="a command; repeatable")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--lines", help="FIRST-LAST, of each file")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    first, last = (int(n) for n in (options.lines or "1-1000000").split("-"))
    found: list[Mutant] = []
    for file in options.files:
        source = Source(file.resolve().relative_to(ROOT))
        found += [
            mutant
            for mutant in mutants(source, options.only)
            if first <= mutant.line <= last and not source.justified(mutant)
        ]
    if options.list:
        print(*found, sep="\n")
        return 0

    deadline = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(options.jobs):
            copies.put(copy_repository(Path(scratch) / str(job)))
        copy = copies.get()
        if not survives(None, copy, options.run, options.seconds):
            print("the commands fail without any mutant", file=sys.stderr)
            return 2
        copies.put(copy)

        def judge(mutant: Mutant) -> bool | None:
            if time.monotonic() > deadline:
                return None
            folder = copies.get()
            try:
                alive = survives(mutant, folder, options.run, options.seconds)
            finally:
                copies.put(folder)
            if alive:
                print(f"{mutant}", flush=True)
            return alive

        with ThreadPoolExecutor(options.jobs) as pool:
            verdicts = list(pool.map(judge, found))
    print(
        f"{len(found)} mutants: {verdicts.count(True)} survive, "
        f"{verdicts.count(False)} are noticed, {verdicts.count(None)} were not reached",
        file=sys.stderr,
    )
    return 1 if True in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
