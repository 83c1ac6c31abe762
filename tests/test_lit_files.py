"""
Every check in a lit file is read by somebody.

lit runs RUN lines and nothing else: a file whose pipe into filecheck was lost, or whose prefix was
mistyped, stays green for ever.
"""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

LIT_TESTS = Path(__file__).resolve().parents[1] / "lit_tests"
NOT_TESTS = {"lit.cfg.py", "in_process.py"}
LIT_KEYWORDS = {"RUN", "XFAIL", "REQUIRES", "UNSUPPORTED", "DEFINE", "REDEFINE", "ALLOW_RETRIES"}
COMMENT_KEYWORDS = {"COM", "NOTE", "TODO"}

COMMENT = re.compile(r"^.*?(?://|#)\s*(?P<text>[A-Z].*)$")
DIRECTIVE = re.compile(
    r"(?P<prefix>[A-Z][A-Z0-9_-]*?)"
    r"(?:-(?:NEXT|NOT|LABEL|SAME|DAG|EMPTY|COUNT-\d+))?(?:\{LITERAL\})?:"
)
PREFIX_OPTION = re.compile(r"--?check-prefix(?:es)?(?:=|\s+)(\S+)")


def substitutions() -> dict[str, str]:
    """The RUN lines that have a name, from the lit format itself."""
    spec = importlib.util.spec_from_file_location("in_process", LIT_TESTS / "in_process.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.SUBSTITUTIONS)


def run_lines(text: str) -> list[str]:
    """The RUN lines, joined where they continue, with the named ones spelt out."""
    lines: list[str] = []
    continues = False
    for command in re.findall(r"RUN:\s*(.*)", text):
        if continues:
            lines[-1] += " " + command.rstrip("\\").strip()
        else:
            lines.append(command.rstrip("\\").strip())
        continues = command.endswith("\\")
    for name, value in substitutions().items():
        lines = [line.replace(name, value) for line in lines]
    return lines


def prefixes_read(line: str) -> Iterator[str]:
    """The check prefixes of each filecheck in a RUN line that reads the file itself."""
    for stage in re.split(r"\||&&", line):
        words = stage.split()
        if "filecheck" in words and "%s" in words:
            given = PREFIX_OPTION.findall(stage)
            yield from (prefix for option in given for prefix in option.split(","))
            if not given:
                yield "CHECK"


def problems(text: str) -> list[str]:
    """What is wrong with the checks of a lit file."""
    lines = run_lines(text)
    if not lines:
        return ["no RUN line"]
    read = {prefix for line in lines for prefix in prefixes_read(line)}
    written: set[str] = set()
    found: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        comment = COMMENT.match(line)
        if comment is None:
            continue
        directive = DIRECTIVE.match(comment["text"])
        if directive is None:
            word = re.match(r"[A-Z][A-Z0-9_-]*", comment["text"])
            if word and (word[0].startswith("CHECK") or word[0] in read):
                found.append(f"line {number}: {word[0]} without a colon")
        elif directive["prefix"] in LIT_KEYWORDS | COMMENT_KEYWORDS:
            continue
        elif directive["prefix"] not in read:
            found.append(f"line {number}: no filecheck reads {directive['prefix']}")
        else:
            written.add(directive["prefix"])
    found += [f"filecheck reads {prefix}, which has no line" for prefix in sorted(read - written)]
    return found


def lit_files() -> list[Path]:
    return sorted(
        file.relative_to(LIT_TESTS)
        for file in LIT_TESTS.rglob("*")
        if file.suffix in (".mlir", ".py")
        and file.name not in NOT_TESTS
        and not {"Output", "Inputs", "__pycache__"} & set(file.parts)
    )


@pytest.mark.parametrize("file", lit_files(), ids=str)
def test_every_check_is_read(file: Path):
    assert problems((LIT_TESTS / file).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("// CHECK: x\n", "no RUN line"),
        ("// RUN: pld-opt %s\n// CHECK: x\n", "line 2: no filecheck reads CHECK"),
        ("// RUN: pld-opt %s | filecheck %s\n", "filecheck reads CHECK, which has no line"),
        (
            "// RUN: pld-opt %s | filecheck %s\n// CHECK: x\n// CHECK-NXT: y\n",
            "line 3: no filecheck reads CHECK-NXT",
        ),
        (
            "// RUN: pld-opt %s | filecheck %s\n// CHECK: x\n// CHECK-NEXT y\n",
            "line 3: CHECK-NEXT without a colon",
        ),
        (
            "// RUN: pld-opt %s | filecheck %s --check-prefixes=CHECK,MORE\n// CHECK: x\n",
            "filecheck reads MORE, which has no line",
        ),
        (
            "// RUN: pld-opt %s | \\\n// RUN: filecheck %s --check-prefix A\n// B: x\n// A: x\n",
            "line 3: no filecheck reads B",
        ),
        ("# RUN: python %s | filecheck %s\n# CHEK: x\n# CHECK: x\n", "line 2: no filecheck"),
    ],
)
def test_a_check_that_nobody_reads_is_found(text: str, problem: str):
    (found,) = problems(text)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "text",
    [
        "// RUN: PLD_ROUNDTRIP\n// RUN: PLD_GENERIC_ROUNDTRIP\n// CHECK-LABEL: x\n",
        "// RUN: not pld-opt %s 2>&1 | filecheck %s\n// CHECK{LITERAL}: [[\n// CHECK-COUNT-2: y\n",
        "// RUN: pld-opt %s --verify\n\n// Prose: this file has no checks.\n",
        "// RUN: pld-opt %s | filecheck %s --check-prefix A-B\n// A-B-SAME: x\n// COM: A: x\n",
    ],
)
def test_checks_that_are_read_are_let_be(text: str):
    assert problems(text) == []


def test_run_lines_split_as_in_a_shell():
    for value in substitutions().values():
        assert shlex.split(value)[-2:] == ["filecheck", "%s"]
