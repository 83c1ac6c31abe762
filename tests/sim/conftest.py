"""A bench for exchange kernels: stages, launches and collects rounds on one session."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from xdsl_pld.dialects.builtin_kernels import TEMPLATE_PREFIX
from xdsl_pld.templates.render import Renderer
from xdsl_pld.templates.runtimes import RUNTIME_PROFILES
from xdsl_pld.tools.sim.compiler import Compiler, CompilerError
from xdsl_pld.tools.sim.engine import Counters, Engine, Hook, Report, Session

DTYPE_CPP = {"float32": "float", "int8": "int8_t"}
POISON = 77
COUNT_POISON = -99


@dataclass
class Round:
    """What each rank sends: payload, counts by destination; the indexed kernel's index."""

    inputs: Sequence[np.ndarray]
    counts: Sequence[Sequence[int]]
    index: Sequence[np.ndarray] | None = None


@dataclass
class Outcome:
    """By round and rank: the target and the counts that were received."""

    targets: list[list[np.ndarray]]
    counts: list[list[np.ndarray]]
    report: Report = field(default=None)

    @property
    def counters(self) -> Sequence[Counters]:
        return self.report.counters


def render(operator: str, dtype: str, runtime: str = "2026.09") -> str:
    renderer = Renderer(runtime=RUNTIME_PROFILES[runtime])
    return renderer.kernel(TEMPLATE_PREFIX + operator, f"dtype_cpp={DTYPE_CPP[dtype]}")


@dataclass
class Bench:
    """Runs rounds of an exchange; all that varies is given to `run`."""

    engine: Engine

    def run(
        self,
        operator: str,
        rounds: Sequence[Round],
        *,
        capacity: int,
        blocks: int,
        text: str | None = None,
        runtime: str = "2026.09",
        check_order: bool = True,
        wait_limit: float = 20.0,
        hook: Hook | None = None,
        signal_columns: int | None = None,
        keep: bool = True,
    ) -> Outcome:
        first = rounds[0]
        ranks, width, dtype = len(first.inputs), first.inputs[0].shape[1], first.inputs[0].dtype
        entry = self.engine.load_kernel(text or render(operator, dtype.name, runtime), runtime)
        rows, columns = ranks * capacity, signal_columns or blocks
        indexed = operator == "indexed_all_to_all_v"
        outcome = Outcome([[] for _ in rounds], [[] for _ in rounds])
        for per_rank in (*outcome.targets, *outcome.counts):
            per_rank.extend([None] * ranks)
        with Session(
            self.engine,
            ranks,
            window_bytes=rows * width * dtype.itemsize + ranks * columns * 4 + (16 << 10),
            max_blocks=blocks,
            check_order=check_order,
            wait_limit=wait_limit,
            hook=hook,
        ) as session:
            targets = session.window("target", (rows, width), dtype)
            signals = session.window("signal", (ranks, columns), np.int32, credits=True)
            zeros = np.zeros((ranks, 1), np.int32)
            local = [
                session.local(r, "recv_counts" if indexed else "send_counts", zeros)
                for r in range(ranks)
            ]
            shared = session.window(
                "send_counts" if indexed else "recv_counts", (ranks, 1), np.int32
            )
            send, received = (shared, local) if indexed else (local, shared)
            inputs = [session.local(r, "input", first.inputs[r]) for r in range(ranks)]
            index = [session.local(r, "index", first.index[r]) for r in range(ranks * indexed)]

            def pipeline(rank: int) -> None:
                more = [index[rank]] if indexed else []
                tensors = [
                    inputs[rank],
                    targets[rank],
                    signals[rank],
                    send[rank],
                    received[rank],
                    *more,
                ]
                staged = [inputs[rank], targets[rank], send[rank], received[rank], *more]
                for number, data in enumerate(rounds):
                    inputs[rank][...] = data.inputs[rank]
                    targets[rank][...] = POISON
                    send[rank][:, 0] = data.counts[rank]
                    received[rank][...] = COUNT_POISON
                    if indexed:
                        index[rank][...] = data.index[rank]
                    session.host_wrote(rank, *staged)
                    context = session.context(rank)
                    if not session.launch(rank, entry, tensors, [context] * 3, blocks=blocks):
                        return
                    session.host_reads(rank, targets[rank], received[rank])
                    if keep or number == len(rounds) - 1:
                        outcome.targets[number][rank] = targets[rank].copy()
                        outcome.counts[number][rank] = received[rank][:, 0].copy()

            session.run_ranks(pipeline)
            outcome.report = session.report()
        return outcome


@pytest.fixture(scope="session")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    try:
        return Compiler(cache=tmp_path_factory.mktemp("compiled"))
    except CompilerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def engine(compiler: Compiler) -> Engine:
    return Engine(compiler)


@pytest.fixture(scope="session")
def bench(engine: Engine) -> Bench:
    return Bench(engine)


@pytest.fixture(scope="session")
def make_round() -> type[Round]:
    return Round


@pytest.fixture(scope="session")
def render_kernel() -> Callable[..., str]:
    return render
