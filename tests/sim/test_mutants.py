"""
Kernels that are broken on purpose, each in one way: the simulator or the contract finds each.

A test that stays green with a broken kernel checks nothing; the unchanged kernel runs here too.
"""

import time
from dataclasses import dataclass

import numpy as np
import pytest

from xdsl_pld.tools.sim.abi import FindingKind

CAPACITY = 5
WIDTH = 13
RANKS = 3
WRONG_RESULT = "wrong result"

BARRIER_B = """\
  credit_peers(lane);
  await_peers(lane, 2);
"""
COUNT = """\
      if (share == 0) {
        pto::comm::Signal count(on_rank(context, recv_counts + me, destination));
        pto::comm::TNOTIFY(count, static_cast<int32_t>(rows), pto::comm::NotifyOp::Set);
      }
"""
COUNT_AFTERWARDS = """\
  leave_exchange(lane);
  for (uint32_t destination = 0; block == 0 && destination < ranks; ++destination) {
    const uint64_t rows = clamp_rows(load(send_counts + destination), capacity);
    pto::comm::Signal count(on_rank(context, recv_counts + me, destination));
    pto::comm::TNOTIFY(count, static_cast<int32_t>(rows), pto::comm::NotifyOp::Set);
  }
}
"""
DESTINATION = "      const uint32_t destination = (me + step) % ranks;\n"


@dataclass(frozen=True)
class Mutant:
    name: str
    substitutions: tuple[tuple[str, str], ...]
    found_as: FindingKind | str
    blocks: int = 3
    slow: bool = False

    def apply(self, text: str) -> str:
        for old, new in self.substitutions:
            assert text.count(old) == 1, f"{self.name}: {old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        return text


MUTANTS = [
    Mutant(
        "second barrier removed",
        ((BARRIER_B, ""), ("TNOTIFY(credit, -2,", "TNOTIFY(credit, -1,")),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "second barrier announced but not awaited",
        (("  await_peers(lane, 2);\n", ""),),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "first barrier removed",
        (
            ("  credit_peers(lane);\n  await_peers(lane, 1);\n", ""),
            ("await_peers(lane, 2)", "await_peers(lane, 1)"),
            ("TNOTIFY(credit, -2,", "TNOTIFY(credit, -1,"),
            ("enter_exchange(const Lane& lane)", "enter_exchange(const Lane&)"),
        ),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "credits reset instead of subtracted",
        (
            (
                "TNOTIFY(credit, -2, pto::comm::NotifyOp::AtomicAdd)",
                "TNOTIFY(credit, 0, pto::comm::NotifyOp::Set)",
            ),
        ),
        FindingKind.LOST_UPDATE,
    ),
    Mutant(
        "credits never taken off",
        (("TNOTIFY(credit, -2,", "TNOTIFY(credit, 0,"),),
        FindingKind.CREDITS_LEFT,
    ),
    Mutant(
        "fence removed",
        (("  pipe_barrier(PIPE_ALL);\n  dsb(DSB_DDR);\n", "  pipe_barrier(PIPE_ALL);\n"),),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "drain removed",
        (("  pipe_barrier(PIPE_ALL);\n  dsb(DSB_DDR);\n", "  dsb(DSB_DDR);\n"),),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "fence before the transfers",
        (
            ("  publish();\n  credit_peers(lane);\n", "  credit_peers(lane);\n"),
            ("  enter_exchange(lane);\n", "  enter_exchange(lane);\n  publish();\n"),
        ),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "count published after the barrier",
        ((COUNT, ""), ("  leave_exchange(lane);\n}\n", COUNT_AFTERWARDS)),
        FindingKind.UNORDERED,
    ),
    Mutant(
        "count not published", ((COUNT, "      static_cast<void>(recv_counts);\n"),), WRONG_RESULT
    ),
    Mutant(
        "self slot skipped",
        ((DESTINATION, DESTINATION + "      if (destination == me) continue;\n"),),
        WRONG_RESULT,
    ),
    Mutant(
        "split not on 32 bytes",
        (
            (
                "const uint64_t per_line = kWriteLine / sizeof(Element);",
                "const uint64_t per_line = 1;",
            ),
        ),
        FindingKind.SHARED_LINE,
        blocks=9,
    ),
    Mutant(
        "split by the payload, not by the line",
        (("/ sizeof(Element) % per_line;", "* 0;"),),
        FindingKind.SHARED_LINE,
        blocks=9,
    ),
    Mutant(
        "count added, not set",
        (
            (
                "static_cast<int32_t>(rows), pto::comm::NotifyOp::Set",
                "static_cast<int32_t>(rows), pto::comm::NotifyOp::AtomicAdd",
            ),
        ),
        WRONG_RESULT,
    ),
    Mutant(
        "equal instead of at least",
        (("pto::comm::WaitCmp::GE", "pto::comm::WaitCmp::EQ"),),
        FindingKind.DEADLOCK,
        slow=True,
    ),
    Mutant(
        "a block with nothing to move leaves",
        (
            (
                "      const Range mine = share_of(to, rows * width, share, shares);\n",
                "      const Range mine = share_of(to, rows * width, share, shares);\n"
                "      if (mine.first == mine.last) return;\n",
            ),
        ),
        FindingKind.DEADLOCK,
    ),
    Mutant(
        "tile wider than the transfer",
        (("tile.ColMaskInternal = columns;", "tile.ColMaskInternal = kTileColumns;"),),
        FindingKind.BAD_TILE,
    ),
    Mutant(
        "blocks beyond the capacity",
        (("target_tensor->shapes[0] / ranks;", "target_tensor->shapes[0] / ranks + 1;"),),
        FindingKind.OUT_OF_BOUNDS,
    ),
    Mutant(
        "counts not cut",
        (
            (
                "return static_cast<uint64_t>(count) < capacity ? "
                "static_cast<uint64_t>(count) : capacity;",
                "static_cast<void>(capacity); return static_cast<uint64_t>(count);",
            ),
        ),
        FindingKind.OUT_OF_BOUNDS,
    ),
    Mutant(
        "the local window in place of the peer's",
        (
            (
                "to = on_rank(context, target + me * capacity * width, destination);",
                "to = target + me * capacity * width;",
            ),
        ),
        FindingKind.UNORDERED,
    ),
]


def payload(dtype: str, salt: int) -> list[np.ndarray]:
    row, column = np.indices((RANKS * CAPACITY, WIDTH))
    return [(rank * 31 + row * 7 + column + salt * 5).astype(dtype) for rank in range(RANKS)]


def the_rounds(make_round, dtype: str):
    tables = [
        [[2, 0, 5], [1, 5, 3], [4, 9, 0]],
        [[5, 1, 0], [0, 2, 5], [-1, 3, 5]],
        [[0, 4, 1], [5, 0, 0], [2, 5, 7]],
    ]
    return [make_round(payload(dtype, salt), counts) for salt, counts in enumerate(tables)]


def right(outcome, rounds) -> bool:
    for number, data in enumerate(rounds):
        for rank in range(RANKS):
            target = outcome.targets[number][rank]
            for source in range(RANKS):
                rows = min(max(data.counts[source][rank], 0), CAPACITY)
                block = target[source * CAPACITY : (source + 1) * CAPACITY]
                start = rank * CAPACITY
                if outcome.counts[number][rank][source] != rows:
                    return False
                if (block[:rows] != data.inputs[source][start : start + rows]).any():
                    return False
                if (block[rows:] != 77).any():
                    return False
    return True


def run(bench, make_round, text: str, dtype: str, blocks: int, slow: bool):
    def hook(rank: int, block: int) -> None:
        if rank == 1:
            time.sleep(0.0005)

    rounds = the_rounds(make_round, dtype)
    outcome = bench.run(
        "all_to_all_v",
        rounds,
        capacity=CAPACITY,
        blocks=blocks,
        text=text,
        hook=hook if slow else None,
    )
    return outcome, rounds


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_kernel_is_found(bench, make_round, render_kernel, mutant: Mutant, dtype: str):
    text = mutant.apply(render_kernel("all_to_all_v", dtype))
    outcome, rounds = run(bench, make_round, text, dtype, mutant.blocks, mutant.slow)
    if mutant.found_as == WRONG_RESULT:
        assert outcome.report.clean, str(outcome.report)
        assert not right(outcome, rounds)
    else:
        kinds = {finding.kind for finding in outcome.report.findings}
        # A credit that was seen, then reset, is lost in good order: what follows is a deadlock.
        lost = mutant.found_as is FindingKind.LOST_UPDATE and FindingKind.DEADLOCK in kinds
        assert lost or mutant.found_as in kinds, str(outcome.report)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("blocks", [1, 2, 3, 9])
@pytest.mark.parametrize("slow", [False, True])
def test_the_kernel_itself_is_clean(
    bench, make_round, render_kernel, dtype: str, blocks: int, slow: bool
):
    text = render_kernel("all_to_all_v", dtype)
    outcome, rounds = run(bench, make_round, text, dtype, blocks, slow)
    assert outcome.report.clean, str(outcome.report)
    assert right(outcome, rounds)


def test_a_deadlock_report_says_who_waits_for_whom(bench, make_round, render_kernel):
    text = render_kernel("all_to_all_v", "float32")
    lost = "    if (peer == lane.me) continue;\n    pto::comm::Signal credit(on_rank("
    assert text.count(lost) == 1
    text = text.replace(lost, lost.replace("peer == lane.me", "peer == lane.me || lane.me == 2"))
    started = time.monotonic()
    outcome, _ = run(bench, make_round, text, "float32", 1, False)
    assert time.monotonic() - started < 10
    (finding,) = outcome.report.findings
    assert finding.kind is FindingKind.DEADLOCK
    assert {(waiter.rank, waiter.peer) for waiter in outcome.report.waiters} >= {(0, 2), (1, 2)}
    assert (
        "rank 0 block 0 waits for signal[2, 0], a credit of rank 2: expected at least 1, is 0"
        in str(outcome.report)
    )
