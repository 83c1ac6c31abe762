"""
A lit test format that runs RUN lines inside the lit worker.

lit's workers are long-lived, so xDSL is imported once a worker instead of once a command: a test
costs some 10 ms where a process for each `pld-opt` and `filecheck` costs half a second.

A file runs in process when all of its RUN lines are pipelines (joined by `&&`, redirected with
`<`, `>`, `2>`, `2>&1`) of the tools in `TOOLS`, each perhaps behind `not`. All other files go to
lit's own shell, whole. To send a file there on purpose write `env pld-opt ...`.

In both, the working directory is the test's folder, `%s` is the test's absolute path (quoted if
need be), and `%{s:basename}` its bare name: `pld-opt %s` reports `<folder>/file.mlir:3:5: error:`,
`pld-opt %{s:basename}` reports `file.mlir:3:5: error:`.
"""

import contextlib
import io
import os
import pathlib
import re
import shlex
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import lit.formats
import lit.ShCommands
import lit.ShUtil
import lit.Test
import lit.TestRunner

SUBSTITUTIONS = (
    ("PLD_ROUNDTRIP", "pld-opt %s | pld-opt | filecheck %s"),
    ("PLD_GENERIC_ROUNDTRIP", "pld-opt %s --print-op-generic | pld-opt | filecheck %s"),
)
"""Whole RUN lines with a name. `tests/test_lit_files.py` expands them too."""

TIME_LIMIT = 60
"""Seconds that one test may take."""

SHOWN_CHARACTERS = 10_000
"""How much of each stream a failure report shows."""


# Tools: what a console script would run, called with the arguments after the name.


def _pld_opt(arguments: Sequence[str]) -> int | None:
    from xdsl_pld.tools.opt import main

    return main(arguments)


def _pld_build(arguments: Sequence[str]) -> int | None:
    from xdsl_pld.tools.build import main

    return main(arguments)


def _pld_run(arguments: Sequence[str]) -> int | None:
    from xdsl_pld.tools.run import main

    return main(arguments)


def _xdsl_opt(arguments: Sequence[str]) -> None:
    from xdsl.xdsl_opt_main import xDSLOptMain

    xDSLOptMain(args=arguments).run()


def _filecheck(arguments: Sequence[str]) -> None:
    from filecheck.main import main

    main(["filecheck", *arguments])


TOOLS: dict[str, Callable[[Sequence[str]], int | None]] = {
    "pld-opt": _pld_opt,
    "pld-build": _pld_build,
    "pld-run": _pld_run,
    "xdsl-opt": _xdsl_opt,
    "filecheck": _filecheck,
}

TRACEBACK_IS_AN_ERROR = {"xdsl-opt"}
"""Where a traceback is the normal form of an error. From the others even `not` refuses it."""

PROCESS_WIDE_FLAGS = ("--disable-verify", "--syntax-highlight")
"""Flags by which xDSL changes classes for the rest of the process: they need one of their own."""


# Running a pipeline.


@dataclass(frozen=True)
class Stage:
    """One command of a pipeline."""

    arguments: Sequence[str]
    redirects: Sequence[tuple[tuple[str, ...] | tuple[str, int], str]]
    expects_failure: bool

    def __str__(self) -> str:
        return shlex.join(["not"] * self.expects_failure + list(self.arguments))


@dataclass(frozen=True)
class Outcome:
    """What a stage left behind."""

    stage: Stage
    exit_code: int
    crashed: bool
    stdout: bytes
    stderr: bytes

    @property
    def failed(self) -> bool:
        if self.crashed and self.stage.arguments[0] not in TRACEBACK_IS_AN_ERROR:
            return True
        return (self.exit_code != 0) != self.stage.expects_failure

    def __str__(self) -> str:
        verdict = "failed" if self.failed else "as expected"
        crash = ", by an exception that nobody caught" if self.crashed else ""
        return (
            f"$ {self.stage}\nexit code {self.exit_code}{crash} ({verdict})\n"
            f"{_shown('stderr', self.stderr)}{_shown('stdout', self.stdout)}"
        )


class TimeLimitExceeded(BaseException):
    """Raised by the alarm; not an `Exception`, so that no tool reports it as its own error."""


def run_pipeline(stages: Sequence[Stage]) -> list[Outcome]:
    """Runs the stages one after the other, each on the output of the one before."""
    outcomes: list[Outcome] = []
    data = b""
    for stage in stages:
        outcomes.append(run_stage(stage, data))
        data = outcomes[-1].stdout
    return outcomes


def run_stage(stage: Stage, stdin: bytes) -> Outcome:
    """Calls the stage's tool with streams, arguments and warning filters of its own."""
    piped, logged = _stream(), _stream()
    name, *arguments = stage.arguments
    crashed = False
    saved = sys.stdin, sys.stdout, sys.stderr, sys.argv, sys.getrecursionlimit()
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        source, out, err = _stream(stdin), piped, logged
        for operator, target in stage.redirects:
            match operator:
                case (">&", 2):
                    err = out
                case (">", 2):
                    err = stack.enter_context(open(target, "w", encoding="utf-8"))
                case (">",):
                    out = stack.enter_context(open(target, "w", encoding="utf-8"))
                case _:
                    source = stack.enter_context(open(target, encoding="utf-8"))
        sys.stdin, sys.stdout, sys.stderr = source, out, err
        sys.argv = [name, *arguments]
        try:
            exit_code = TOOLS[name](arguments) or 0
        except SystemExit as stop:
            exit_code = _exit_code(stop.code)
        except (TimeLimitExceeded, KeyboardInterrupt):
            raise
        except BaseException:
            traceback.print_exc()
            exit_code, crashed = 1, True
        finally:
            out.flush()
            err.flush()
            sys.stdin, sys.stdout, sys.stderr, sys.argv = saved[:4]
            sys.setrecursionlimit(saved[4])
    return Outcome(stage, exit_code, crashed, _written(piped), _written(logged))


def _stream(content: bytes = b"") -> io.TextIOWrapper:
    """A text stream in memory which, like a real one, has a `buffer`."""
    return io.TextIOWrapper(
        io.BytesIO(content),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        write_through=True,
    )


def _written(stream: io.TextIOWrapper) -> bytes:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue()


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _shown(title: str, content: bytes) -> str:
    text = content.decode(errors="backslashreplace")
    if not text.strip():
        return ""
    if len(text) > SHOWN_CHARACTERS:
        text = f"{text[:SHOWN_CHARACTERS]}\n... ({len(text) - SHOWN_CHARACTERS} more characters)"
    return f"--- {title}\n{text.rstrip()}\n"


# Reading a RUN line.


def plan(command: str) -> list[list[Stage]] | None:
    """The pipelines of a command line, or None where it takes a shell to run it."""
    try:
        tree = lit.ShUtil.ShParser(command, False, True).parse()
    except ValueError:
        return None
    pipelines: list[list[Stage]] = []
    while isinstance(tree, lit.ShCommands.Seq):
        if tree.op != "&&":
            return None
        stages = _stages(tree.rhs)
        if stages is None:
            return None
        pipelines.insert(0, stages)
        tree = tree.lhs
    stages = _stages(tree)
    return None if stages is None else [stages, *pipelines]


def _stages(pipeline: Any) -> list[Stage] | None:
    stages = [_stage(command) for command in pipeline.commands]
    return None if None in stages else [stage for stage in stages if stage is not None]


def _stage(command: Any) -> Stage | None:
    arguments = list(command.args)
    expects_failure = False
    while arguments and arguments[0] in ("not", "!"):
        expects_failure = not expects_failure
        del arguments[0]
    if not arguments or not all(isinstance(argument, str) for argument in arguments):
        return None
    if arguments[0] not in TOOLS or any(map(_is_process_wide, arguments)):
        return None
    for operator, target in command.redirects:
        if not isinstance(target, str):
            return None
        if operator not in ((">&", 2), (">", 2), (">",), ("<",)):
            return None
        if operator == (">&", 2) and target != "1":
            return None
    return Stage(arguments, command.redirects, expects_failure)


def _is_process_wide(argument: str) -> bool:
    """Whether argparse takes this for one of the flags: it accepts any prefix of them."""
    return len(argument) > 3 and any(flag.startswith(argument) for flag in PROCESS_WIDE_FLAGS)


# The format.


class InProcessFormat(lit.formats.ShTest):
    """lit's `ShTest`, with a short cut for plain pipelines of known tools."""

    def execute(self, test: Any, litConfig: Any) -> Any:
        substitutions = self._substitutions(test)
        pipelines = self._plan(test, substitutions)
        if pipelines is None or test.config.unsupported or litConfig.noExecute:
            with _time_limit(_kill_children):
                return lit.TestRunner.executeShTest(test, litConfig, False, substitutions)
        # lit's own reading of the file: REQUIRES, UNSUPPORTED, XFAIL, ...
        parsed = lit.TestRunner.parseIntegratedTestScript(test)
        if isinstance(parsed, lit.Test.Result):
            return parsed
        try:
            with contextlib.chdir(os.path.dirname(test.getSourcePath())), _time_limit(_give_up):
                return self._run(pipelines)
        except TimeLimitExceeded:
            commands = "\n".join(line for line, _ in pipelines)
            return lit.Test.Result(lit.Test.TIMEOUT, f"not done in {TIME_LIMIT} s:\n{commands}\n")

    @staticmethod
    def _run(pipelines: Sequence[tuple[str, list[Stage]]]) -> Any:
        for line, stages in pipelines:
            outcomes = run_pipeline(stages)
            if any(outcome.failed for outcome in outcomes):
                report = "\n".join(str(outcome) for outcome in outcomes)
                return lit.Test.Result(lit.Test.FAIL, f"{line}\n\n{report}")
        return lit.Test.Result(lit.Test.PASS)

    @staticmethod
    def _substitutions(test: Any) -> list[tuple[str, str]]:
        """The paths quoted for the shell, behind those substitutions that expand to them."""
        source, temporary = test.getSourcePath(), lit.TestRunner.getTempPaths(test)[1] + ".tmp"
        paths = (("%s", source), ("%S", os.path.dirname(source)), ("%t", temporary))
        return [
            *SUBSTITUTIONS,
            *test.config.substitutions,
            *((name, shlex.quote(path)) for name, path in paths),
        ]

    @staticmethod
    def _plan(
        test: Any, substitutions: list[tuple[str, str]]
    ) -> list[tuple[str, list[Stage]]] | None:
        """Each RUN line's pipelines with the line as a report shows it."""
        try:
            script = lit.TestRunner._parseKeywords(test.getSourcePath())["RUN:"]
        except ValueError:
            return None
        directory, base = lit.TestRunner.getTempPaths(test)
        defaults = lit.TestRunner.getDefaultSubstitutions(test, directory, base)
        features = {feature: True for feature in test.config.available_features}
        pipelines: list[tuple[str, list[Stage]]] = []
        for line in lit.TestRunner.applySubstitutions(
            script, [*substitutions, *defaults], features, test.config.recursiveExpansionLimit
        ):
            place, command = re.fullmatch(lit.TestRunner.kPdbgRegex, line).groups()
            stages = plan(command)
            if stages is None:
                return None
            if directory in command:
                pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
            pipelines.extend((f"{place}: {command.strip()}", one) for one in stages)
        return pipelines


@contextlib.contextmanager
def _time_limit(then: Callable[[], None]) -> Iterator[None]:
    previous = signal.signal(signal.SIGALRM, lambda number, frame: then())
    signal.alarm(TIME_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def _give_up() -> None:
    raise TimeLimitExceeded


def _kill_children() -> None:
    """Ends what lit's shell has started, which then reports the test as failed."""
    children = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if children.exists():
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)
