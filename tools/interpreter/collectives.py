"""
The meaning of each collective: one table, by operator.

P ranks; MAX_RECV (cap) = rows of target / P. Where an operator speaks of blocks, the array is cut
into P equal runs of its elements.

| operator             | after it                                                                  |
|----------------------|---------------------------------------------------------------------------|
| all_to_all_v         | rows [s*cap, s*cap + n) of d's target are rows [d*cap, d*cap + n) of s's  |
|                      | input, n = clamp(send_counts[d] of s, 0, cap) = recv_counts[s] of d       |
| indexed_all_to_all_v | the same with row k of destination d being input[index[d*cap + k]]        |
| all_to_all           | block s of d's target is block d of s's input                             |
| allgather            | block s of every target is the whole input of s                           |
| allreduce            | every target is the combination of all, in the order of ranks             |
| reduce_scatter       | block r of r's target is the combination of all blocks r; the rest stays  |
| broadcast            | every target is that of the root                                          |
| barrier              | nothing changes                                                           |

All inputs are those from before the exchange. Ranks combine in their order, in the element type, so
that all hold the same bits. Sources: l2-collectives, Contract and indexed_all_to_all_v; design.md.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.pld.collectives import ranks_of_signal
from xdsl_pld.dialects.values import shown
from xdsl_pld.tools.interpreter.exchange import Call, Engine, Exchange, Operands
from xdsl_pld.tools.interpreter.memory import Array, Domain, allocate_bytes


@dataclass(frozen=True)
class Meaning:
    """What a collective does, and what that costs."""

    run: Callable[[Exchange], None]
    sent: Callable[[Call, Operands, int, int], int]
    """The bytes that a rank of P puts on the wire: payload and counts, signals left out."""
    barriers: int = 2
    """How often the ranks meet: before data moves, and after."""
    blocked: tuple[str, ...] = ()
    """The roles that are cut into P blocks."""


class ReferenceEngine(Engine):
    """Executes exchanges by the statements of this module; windows are plain arrays."""

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> Sequence[Array]:
        return [allocate_bytes(size, fill) for _ in domain.devices]

    def run(self, exchange: Exchange) -> None:
        MEANINGS[exchange.call.operator].run(exchange)


# The all-to-alls


def _capacity(operands: Operands, ranks: int) -> int:
    return operands.arrays["target"].shape[0] // ranks


def rows_sent(operands: Operands, destination: int, ranks: int) -> int:
    """How many rows a rank that brings these operands sends to a destination."""
    count = int(operands.arrays["send_counts"].reshape(-1)[destination])
    return min(max(count, 0), _capacity(operands, ranks))


def _run_all_to_all_v(exchange: Exchange) -> None:
    _exchange_rows(exchange, indexed=False)


def _run_indexed(exchange: Exchange) -> None:
    _exchange_rows(exchange, indexed=True)


def _exchange_rows(exchange: Exchange, indexed: bool) -> None:
    ranks = len(exchange.ranks)
    moved: list[tuple[int, int, Array]] = []
    for source, operands in enumerate(exchange.ranks):
        cap = _capacity(operands, ranks)
        for destination in range(ranks):
            rows = rows_sent(operands, destination, ranks)
            picked: Array = np.arange(destination * cap, destination * cap + rows)
            if indexed:
                picked = operands.arrays["index"].reshape(-1)[picked]
            moved.append((source, destination, operands.arrays["input"][picked]))
    for source, destination, payload in moved:
        arrays = exchange.ranks[destination].arrays
        first = source * _capacity(exchange.ranks[destination], ranks)
        arrays["target"][first : first + len(payload)] = payload
        arrays["recv_counts"].reshape(-1)[source] = len(payload)


def _sent_rows(call: Call, operands: Operands, rank: int, ranks: int) -> int:
    rows = sum(rows_sent(operands, d, ranks) for d in range(ranks) if d != rank)
    target, counts = operands.arrays["target"], operands.arrays["recv_counts"]
    return rows * target.shape[1] * target.itemsize + (ranks - 1) * counts.itemsize


# The collectives of equal shares


def _run_all_to_all(exchange: Exchange) -> None:
    ranks = len(exchange.ranks)
    inputs = [array.reshape(ranks, -1).copy() for array in exchange.of("input")]
    for destination, target in enumerate(exchange.of("target")):
        target.reshape(ranks, -1)[:] = np.stack([blocks[destination] for blocks in inputs])


def _run_allgather(exchange: Exchange) -> None:
    gathered = np.concatenate([array.reshape(-1) for array in exchange.of("input")])
    for target in exchange.of("target"):
        target.reshape(-1)[:] = gathered


_COMBINE: Mapping[str, Callable[[Array, Array], Array]] = {
    "sum": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}


def _combined(exchange: Exchange) -> Array:
    return reduce(_COMBINE[str(exchange.call.options["op"])], exchange.of("target")).copy()


def _run_allreduce(exchange: Exchange) -> None:
    combined = _combined(exchange)
    for target in exchange.of("target"):
        target[...] = combined


def _run_reduce_scatter(exchange: Exchange) -> None:
    ranks = len(exchange.ranks)
    combined = _combined(exchange).reshape(ranks, -1)
    for rank, target in enumerate(exchange.of("target")):
        target.reshape(ranks, -1)[rank] = combined[rank]


def _run_broadcast(exchange: Exchange) -> None:
    targets = exchange.of("target")
    copied = targets[int(exchange.call.options["root"])].copy()
    for target in targets:
        target[...] = copied


def _run_barrier(exchange: Exchange) -> None:
    pass


def _sent_blocks(role: str) -> Callable[[Call, Operands, int, int], int]:
    """A block to each of the others."""

    def sent(call: Call, operands: Operands, rank: int, ranks: int) -> int:
        return operands.arrays[role].nbytes // ranks * (ranks - 1)

    return sent


def _sent_whole(role: str) -> Callable[[Call, Operands, int, int], int]:
    """All of it to each of the others."""

    def sent(call: Call, operands: Operands, rank: int, ranks: int) -> int:
        return operands.arrays[role].nbytes * (ranks - 1)

    return sent


def _sent_allreduce(call: Call, operands: Operands, rank: int, ranks: int) -> int:
    bytes_ = operands.arrays["target"].nbytes * (ranks - 1)
    # A ring passes on each block twice, once to combine and once to spread.
    return 2 * bytes_ // ranks if call.options["mode"] == "ring" else bytes_


def _sent_broadcast(call: Call, operands: Operands, rank: int, ranks: int) -> int:
    is_root = rank == call.options["root"]
    return operands.arrays["target"].nbytes * (ranks - 1) if is_root else 0


def _sent_nothing(call: Call, operands: Operands, rank: int, ranks: int) -> int:
    return 0


MEANINGS: Mapping[str, Meaning] = {
    "all_to_all_v": Meaning(_run_all_to_all_v, _sent_rows),
    "indexed_all_to_all_v": Meaning(_run_indexed, _sent_rows),
    "all_to_all": Meaning(_run_all_to_all, _sent_blocks("input"), blocked=("input", "target")),
    "allgather": Meaning(_run_allgather, _sent_whole("input"), blocked=("target",)),
    "allreduce": Meaning(_run_allreduce, _sent_allreduce),
    "reduce_scatter": Meaning(_run_reduce_scatter, _sent_blocks("target"), blocked=("target",)),
    "broadcast": Meaning(_run_broadcast, _sent_broadcast),
    "barrier": Meaning(_run_barrier, _sent_nothing, barriers=1),
}


def sent(call: Call, operands: Operands, rank: int, ranks: int) -> int:
    """The bytes that a rank puts on the wire in a collective."""
    return MEANINGS[call.operator].sent(call, operands, rank, ranks)


# What a rank's operands must be


def check(call: Call, operands: Operands, rank: int, domain: Domain) -> None:
    """Raises InterpretationError for operands that the collective cannot be executed with."""
    ranks = domain.size
    meaning = MEANINGS.get(call.operator)
    if meaning is None:
        raise InterpretationError(f"pld-run does not know the collective '{call.operator}'")
    for role, window in operands.windows.items():
        if window.domain is not domain:
            raise InterpretationError(
                f"signal and {role} belong to different communication domains, '{domain.name}' and "
                f"'{window.domain.name}'"
            )
    for role, array in operands.arrays.items():
        if not array.flags.c_contiguous:
            raise InterpretationError(
                f"{role} is not contiguous: {shown(array.shape)} with strides "
                f"{list(array.strides)} bytes; it is addressed flat"
            )
    _check_signal(call, operands.arrays.get("signal"), domain)
    for role in meaning.blocked:
        if operands.arrays[role].size % ranks:
            raise InterpretationError(
                f"{role} {shown(operands.arrays[role].shape)} cannot be cut into {ranks} equal "
                "blocks, one a rank"
            )
    _check_sizes(call, operands.arrays, ranks)
    if call.operator == "indexed_all_to_all_v":
        _check_index(operands, rank, ranks)


def _check_signal(call: Call, signal: Array | None, domain: Domain) -> None:
    if signal is None:
        return
    stated = ranks_of_signal(signal.shape, ring=call.options.get("mode") == "ring")
    if stated is not None and stated != domain.size:
        raise InterpretationError(
            f"signal {shown(signal.shape)} states {stated} ranks, domain '{domain.name}' has "
            f"{domain.size}"
        )
    columns = signal.size // signal.shape[0] if signal.ndim and signal.shape[0] else 1
    if columns < call.blocks:
        raise InterpretationError(
            f"signal has {columns} columns, fewer than the {call.blocks} admitted blocks"
        )


def check_signal(call: Call, operands: Operands, rank: int, came: Container[int] = ()) -> None:
    """
    Raises InterpretationError for a signal that is not zero before a collective. Rows of ranks that
    `came` before may hold what they have added for it.
    """
    signal = operands.arrays.get("signal")
    if signal is None:
        return
    signal = signal.copy()  # those who came are at work on it
    for index in np.argwhere(signal):
        cell = tuple(int(i) for i in index)
        if cell[0] in came:
            continue
        raise InterpretationError(
            f"signal cell {list(cell)} of rank {rank} is {int(signal[cell])} before the "
            f"{call.operator}: a collective's signal must be zero, something else counts in it"
        )


def _check_sizes(call: Call, arrays: Mapping[str, Array], ranks: int) -> None:
    if call.operator in ("all_to_all_v", "indexed_all_to_all_v"):
        _check_rows(call, arrays, ranks)
    elif call.operator == "all_to_all":
        _check_elements("target", arrays["target"], arrays["input"].size)
    elif call.operator == "allgather":
        _check_elements("target", arrays["target"], arrays["input"].size * ranks)
    elif call.operator == "broadcast" and not 0 <= int(call.options["root"]) < ranks:
        raise InterpretationError(
            f"root {call.options['root']} is out of range: there are {ranks} ranks"
        )


def _check_elements(role: str, array: Array, expected: int) -> None:
    if array.size != expected:
        raise InterpretationError(
            f"{role} {shown(array.shape)} has {array.size} elements, {expected} are needed"
        )


def _check_rows(call: Call, arrays: Mapping[str, Array], ranks: int) -> None:
    target, rows = arrays["target"], arrays["input"]
    if target.ndim != 2 or rows.ndim != 2 or target.shape[1] != rows.shape[1]:
        raise InterpretationError(
            f"input {shown(rows.shape)} and target {shown(target.shape)} must have one row width"
        )
    if target.shape[0] % ranks:
        raise InterpretationError(
            f"target has {target.shape[0]} rows, no multiple of the {ranks} ranks"
        )
    if call.operator == "all_to_all_v" and rows.shape[0] != target.shape[0]:
        raise InterpretationError(
            f"input has {rows.shape[0]} rows, target {target.shape[0]}: they must be equal"
        )
    for role in ("send_counts", "recv_counts"):
        _check_elements(role, arrays[role], ranks)
    if "index" in arrays:
        _check_elements("index", arrays["index"], target.shape[0])


def _check_index(operands: Operands, rank: int, ranks: int) -> None:
    """Every row that is sent must be one of the input."""
    rows, cap = operands.arrays["input"].shape[0], _capacity(operands, ranks)
    for destination in range(ranks):
        first = destination * cap
        sent = slice(first, first + rows_sent(operands, destination, ranks))
        picked = operands.arrays["index"].reshape(-1)[sent]
        wrong = picked[(picked < 0) | (picked >= rows)]
        if wrong.size:
            raise InterpretationError(
                f"index {int(wrong[0])} of rank {rank} for rank {destination} is no row of input, "
                f"which has {rows}"
            )
