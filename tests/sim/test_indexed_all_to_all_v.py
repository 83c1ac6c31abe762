"""The indexed_all_to_all_v kernel in the simulator, against the contract in numpy."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

CAPACITY = 6
WIDTH = 11
SOURCE_ROWS = 9
POISON = 77


def expected(inputs, counts, index, capacity: int):
    """Row k for rank d is input[index[d*capacity + k]]; it lands at row k of the sender's block."""
    ranks = range(len(inputs))
    shape = (len(inputs) * capacity, inputs[0].shape[1])
    targets = [np.full(shape, POISON, inputs[0].dtype) for _ in ranks]
    received = [np.zeros(len(inputs), np.int32) for _ in ranks]
    for source in ranks:
        for target in ranks:
            rows = min(max(counts[source][target], 0), capacity)
            chosen = np.ravel(index[source])[target * capacity : target * capacity + rows]
            targets[target][source * capacity : source * capacity + rows] = inputs[source][chosen]
            received[target][source] = rows
    return targets, received


def payload(ranks: int, dtype: str, salt: int) -> list[np.ndarray]:
    row, column = np.indices((SOURCE_ROWS, WIDTH))
    return [
        ((r * 41 + row * 13 + column + salt * 7) % 111 - 30).astype(dtype) for r in range(ranks)
    ]


def permuted(rng: random.Random, entries: int) -> list[int]:
    return [rng.sample(range(SOURCE_ROWS), SOURCE_ROWS)[0] for _ in range(entries)]


INDEXES = {
    "repeated": lambda rng, entries: [entries % SOURCE_ROWS] * entries,
    "reversed": lambda rng, entries: [SOURCE_ROWS - 1 - k % SOURCE_ROWS for k in range(entries)],
    "permuted": permuted,
}


def rounds_of(make_round, ranks: int, dtype: str, shape: Sequence[int] | None = None):
    rng = random.Random(ranks)
    rounds = []
    for salt, make in enumerate(INDEXES.values()):
        counts = [
            [rng.choice([-2, 0, 1, 3, CAPACITY, 99]) for _ in range(ranks)] for _ in range(ranks)
        ]
        index = [
            np.array(make(rng, ranks * CAPACITY), np.int32).reshape(shape or (-1,))
            for _ in range(ranks)
        ]
        rounds.append(make_round(payload(ranks, dtype, salt), counts, index))
    return rounds


def check(outcome, rounds) -> None:
    assert outcome.report.clean, str(outcome.report)
    for number, data in enumerate(rounds):
        targets, received = expected(data.inputs, data.counts, data.index, CAPACITY)
        for rank in range(len(targets)):
            assert np.array_equal(outcome.counts[number][rank], received[rank]), (number, rank)
            assert outcome.targets[number][rank].tobytes() == targets[rank].tobytes()


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("blocks", [1, 2, 3, 7])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_the_contract_holds(bench, make_round, ranks: int, blocks: int, dtype: str):
    rounds = rounds_of(make_round, ranks, dtype)
    check(bench.run("indexed_all_to_all_v", rounds, capacity=CAPACITY, blocks=blocks), rounds)


def test_an_index_of_two_dimensions(bench, make_round):
    rounds = rounds_of(make_round, 3, "float32", (3, CAPACITY))
    check(bench.run("indexed_all_to_all_v", rounds, capacity=CAPACITY, blocks=2), rounds)


def test_a_remote_row_is_one_transfer(bench, make_round):
    index = [np.arange(2 * CAPACITY, dtype=np.int32) % SOURCE_ROWS for _ in range(2)]
    rounds = [make_round(payload(2, "float32", 0), [[0, 4], [2, 0]], index)]
    outcome = bench.run("indexed_all_to_all_v", rounds, capacity=CAPACITY, blocks=2)
    check(outcome, rounds)
    fetched_counts = 2
    assert [c.transfers for c in outcome.counters] == [4 + fetched_counts, 2 + fetched_counts]


def test_an_index_beyond_the_input_is_found(bench, make_round):
    index = [np.full(2 * CAPACITY, SOURCE_ROWS, np.int32) for _ in range(2)]
    rounds = [make_round(payload(2, "float32", 0), [[1, 1], [1, 1]], index)]
    outcome = bench.run("indexed_all_to_all_v", rounds, capacity=CAPACITY, blocks=2)
    assert "reads 44 bytes at" in str(outcome.report)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("  publish();\n  invalidate(recv_counts", "  invalidate(recv_counts", "UNORDERED"),
        (
            "put_rows(own, to, share_of(to, count * width, block, blocks));",
            "for (uint64_t k = block; k < count; k += blocks)\n"
            "    put_rows(own, to, Range{k * width, k * width + width});",
            "SHARED_LINE",
        ),
        ("  enter_exchange(lane);\n", "  credit_peers(lane);\n", "UNORDERED"),
    ],
)
def test_a_broken_kernel_is_found(bench, make_round, render_kernel, old, new, kind):
    text = render_kernel("indexed_all_to_all_v", "float32")
    assert text.count(old) == 1
    rounds = rounds_of(make_round, 3, "float32")
    outcome = bench.run(
        "indexed_all_to_all_v", rounds, capacity=CAPACITY, blocks=3, text=text.replace(old, new)
    )
    assert kind in {finding.kind.name for finding in outcome.report.findings}, str(outcome.report)
