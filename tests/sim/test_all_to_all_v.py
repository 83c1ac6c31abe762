"""The all_to_all_v kernel in the simulator, against a statement of the contract in numpy."""

import mmap
import random
import time
from collections.abc import Sequence

import numpy as np
import pytest

from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.tools.sim import engine as engine_module
from xdsl_pld.tools.sim.engine import Session

CAPACITY = 5
WIDTH = 13
POISON = 77

RANKS = (1, 2, 3, 4)
CORE_NUMS = (1, 2, 4, 7)
DTYPES = ("float32", "int8")

# What rank r sends to rank d.
COUNTS = {
    "zero": lambda r, d: 0,
    "one": lambda r, d: 1,
    "capacity": lambda r, d: CAPACITY,
    "over": lambda r, d: CAPACITY + 1 + r,
    "negative": lambda r, d: -1 - d,
    "mixed": lambda r, d: (-3, 0, 1, CAPACITY, CAPACITY + 9, 2**31 - 1, -(2**31))[(3 * r + d) % 7],
    "by rank": lambda r, d: (r + 1) * (d + 1) % (CAPACITY + 1),
    "random": lambda r, d: random.Random(r * 100 + d).randint(-2, CAPACITY + 2),
}


def expected(inputs: Sequence[np.ndarray], counts: Sequence[Sequence[int]], capacity: int):
    """The contract: block d of each rank's input, cut to its count, lands in block r at rank d."""
    ranks = range(len(inputs))
    targets = [np.full_like(inputs[0], POISON) for _ in ranks]
    received = [np.zeros(len(inputs), np.int32) for _ in ranks]
    for source in ranks:
        for target in ranks:
            rows = min(max(counts[source][target], 0), capacity)
            sent = inputs[source][target * capacity : target * capacity + rows]
            targets[target][source * capacity : source * capacity + rows] = sent
            received[target][source] = rows
    return targets, received


def payload(ranks: int, dtype: str, salt: int = 0, capacity: int = CAPACITY, width: int = WIDTH):
    """Values that tell rank, row and column."""
    row, column = np.indices((ranks * capacity, width))
    return [
        ((rank * 101 + row * 17 + column * 3 + salt * 29) % 113 - 40).astype(dtype)
        for rank in range(ranks)
    ]


def rounds_of(make_round, ranks: int, dtype: str):
    return [
        make_round(
            payload(ranks, dtype, salt), [[f(r, d) for d in range(ranks)] for r in range(ranks)]
        )
        for salt, f in enumerate(COUNTS.values())
    ]


def check(outcome, rounds, capacity: int = CAPACITY) -> None:
    assert outcome.report.clean, str(outcome.report)
    for number, data in enumerate(rounds):
        targets, received = expected(data.inputs, data.counts, capacity)
        for rank in range(len(targets)):
            assert np.array_equal(outcome.counts[number][rank], received[rank]), (number, rank)
            assert outcome.targets[number][rank].tobytes() == targets[rank].tobytes(), (
                number,
                rank,
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("core_num", CORE_NUMS)
@pytest.mark.parametrize("ranks", RANKS)
def test_the_contract_holds(bench, make_round, ranks: int, core_num: int, dtype: str):
    """All count patterns back to back on one signal, targets and counts poisoned before each."""
    rounds = rounds_of(make_round, ranks, dtype)
    blocks = admitted_blocks(core_num, ranks)
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=blocks), rounds)


@pytest.mark.parametrize("blocks", [5, 9])
def test_a_width_that_no_pass_admits_still_ends(bench, make_round, blocks: int):
    rounds = rounds_of(make_round, 4, "float32")
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=blocks), rounds)


@pytest.mark.parametrize("pair", [("zero", "capacity"), ("capacity", "one"), ("mixed", "by rank")])
def test_two_exchanges_on_one_signal(bench, make_round, pair: tuple[str, str]):
    rounds = [
        make_round(
            payload(3, "float32", salt), [[COUNTS[name](r, d) for d in range(3)] for r in range(3)]
        )
        for salt, name in enumerate(pair)
    ]
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=3), rounds)


def test_a_thousand_exchanges(bench, make_round):
    rng = random.Random(7)
    rounds = [
        make_round(
            payload(3, "float32", number, 2, 3),
            [[rng.randint(-1, 3) for _ in range(3)] for _ in range(3)],
        )
        for number in range(1000)
    ]
    outcome = bench.run("all_to_all_v", rounds, capacity=2, blocks=2)
    check(outcome, rounds, 2)
    assert [counters.launches for counters in outcome.counters] == [1000] * 3
    assert [counters.barriers for counters in outcome.counters] == [2000] * 3


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_result_does_not_depend_on_core_num(bench, make_round, dtype: str):
    rounds = [make_round(payload(2, dtype, 3, 9, 37), [[9, 4], [7, 9]])]
    results = set()
    for core_num in (1, 2, 3, 4, 6, 8, 12, 16):
        blocks = admitted_blocks(core_num, 2)
        outcome = bench.run("all_to_all_v", rounds, capacity=9, blocks=blocks)
        check(outcome, rounds, 9)
        results.add(b"".join(target.tobytes() for target in outcome.targets[0]))
    assert len(results) == 1


@pytest.mark.parametrize("slow", [0, 2])
def test_one_slow_rank(bench, make_round, slow: int):
    def hook(rank: int, block: int) -> None:
        if rank == slow:
            time.sleep(0.0002)

    rounds = rounds_of(make_round, 3, "int8")
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=2, hook=hook), rounds)


def test_more_signal_columns_than_blocks(bench, make_round):
    rounds = rounds_of(make_round, 2, "float32")
    outcome = bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=2, signal_columns=7)
    check(outcome, rounds)


def test_the_older_runtime_gives_the_same(bench, make_round):
    rounds = rounds_of(make_round, 2, "float32")
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=2, runtime="2026.08"), rounds)


def test_only_valid_rows_cross_the_wire_one_transfer_a_share(bench, make_round):
    counts = [[2, 3, 0], [1, 1, 1], [0, 5, 4]]
    rounds = [make_round(payload(3, "float32"), counts)]
    outcome = bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=3)
    row = WIDTH * 4
    for rank, counters in enumerate(outcome.counters):
        sent = [n for d, n in enumerate(counts[rank]) if d != rank]
        assert counters.wire_bytes == sum(sent) * row
        assert counters.local_bytes == counts[rank][rank] * row
        assert counters.transfers == sum(n > 0 for n in counts[rank])


@pytest.mark.parametrize("seed", range(3))
def test_whatever_the_schedule(bench, make_round, seed: int):
    rng = random.Random(seed)

    def hook(rank: int, block: int) -> None:
        time.sleep(rng.choice([0, 0, 0, 1e-5, 2e-4]))

    rounds = rounds_of(make_round, 3, "float32")[seed::2]
    check(bench.run("all_to_all_v", rounds, capacity=CAPACITY, blocks=6, hook=hook), rounds)


def test_blocks_beyond_four_gigabytes(engine, render_kernel, monkeypatch: pytest.MonkeyPatch):
    """A block of more than 2^32 bytes, mostly never touched: element counts are 64-bit."""

    def reserve(size: int) -> np.ndarray:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
        try:
            return np.frombuffer(mmap.mmap(-1, size, flags=flags), np.uint8)
        except OSError as error:
            pytest.skip(f"no address space for the windows: {error}")

    capacity, width = 2**28 + 1, 16
    rows = 2 * capacity
    with monkeypatch.context() as patch:
        patch.setattr(engine_module, "_aligned", reserve)
        session = Session(engine, 2, window_bytes=2 * rows * width + 65536, max_blocks=2)
    with session:
        inputs = session.window("input", (rows, width), np.int8)
        targets = session.window("target", (rows, width), np.int8)
        signals = session.window("signal", (2, 2), np.int32, credits=True)
        send = session.window("send_counts", (2, 1), np.int32)
        received = session.window("recv_counts", (2, 1), np.int32)
        for rank in range(2):
            send[rank][:, 0] = 2, 3
            for block in range(2):
                inputs[rank][block * capacity :][:3] = [
                    [rank * 40 + block * 20 + k] for k in range(3)
                ]
        entry = engine.load_kernel(render_kernel("all_to_all_v", "int8"))

        def pipeline(rank: int) -> None:
            tensors = [each[rank] for each in (inputs, targets, signals, send, received)]
            session.launch(rank, entry, tensors, [session.context(rank)], blocks=2)

        session.run_ranks(pipeline)
        assert session.report().clean, str(session.report())
        for rank in range(2):
            for source in range(2):
                landed = targets[rank][source * capacity :][:4, -1].tolist()
                sent = [source * 40 + rank * 20 + k for k in range(2 + rank)]
                assert landed == sent + [0] * (4 - len(sent))
