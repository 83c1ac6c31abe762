"""
What a run did: counters per rank, and a timeline.

The counts follow from the program alone; times are this machine's. The timeline is in the Chrome
trace format: one lane for the host, one a rank, and one a block where an engine runs blocks.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeAlias

from xdsl.ir import Operation

from xdsl_pld.passes.diagnostics import format_location
from xdsl_pld.tools.interpreter.exchange import Call, Ran

SpanDetails: TypeAlias = dict[str, Any]

BLOCK_LANES = 1 << 16
"""More than a launch has blocks, and a run ranks."""


@dataclass
class Counters:
    """What one rank did."""

    dispatches: int = 0
    """L3 -> L2: pipelines and collectives that the host dispatched to it."""
    tasks: int = 0
    """Kernel tasks that its pipelines submitted, collectives included."""
    wire_bytes: int = 0
    """Payload and counts that it sent to, or fetched from, other ranks; signals left out."""
    signals: int = 0
    """Notifications that it sent by itself (not those inside of collectives)."""
    barriers: int = 0
    """How often it met all other ranks."""
    waited: float = 0.0
    """Seconds that it waited."""

    def sent(self, call: Call, bytes_: int) -> None:
        """Counts a collective."""
        from xdsl_pld.tools.interpreter.collectives import MEANINGS

        self.wire_bytes += bytes_
        self.barriers += MEANINGS[call.operator].barriers


@dataclass(frozen=True)
class Span:
    """Something that a lane did, for the timeline; times in seconds."""

    lane: int
    name: str
    kind: str
    start: float
    end: float
    details: Mapping[str, Any]


@dataclass
class Timeline:
    """
    All spans of a run; lane 0 is the host's, lane r + 1 is rank r's, and lane
    (r + 1) * BLOCK_LANES + b is block b's of a launch there.
    """

    kept: bool
    """Whether anyone wants to see it: spans add up in a long run."""
    begin: float = field(default_factory=perf_counter)
    spans: list[Span] = field(default_factory=list[Span])

    @contextmanager
    def span(self, lane: int, name: str, kind: str, op: Operation) -> Generator[SpanDetails]:
        """Records the time spent inside; what is put into the dictionary goes along."""
        place = format_location(op.location)
        details: SpanDetails = {} if place is None else {"place": place}
        start = perf_counter()
        try:
            yield details
        finally:
            if self.kept:
                self.spans.append(Span(lane, name, kind, start, perf_counter(), details))

    def record(self, device: int, stretches: Sequence[Ran], op: Operation) -> None:
        """Adds what the blocks of a device did."""
        if not self.kept:
            return
        place = format_location(op.location)
        details: SpanDetails = {} if place is None else {"place": place}
        for each in stretches:
            lane = (device + 1) * BLOCK_LANES + each.block
            self.spans.append(Span(lane, each.name, each.kind, each.start, each.end, details))

    def chrome_trace(self, ranks: int) -> str:
        """The timeline as JSON that Perfetto and chrome://tracing load."""
        names = {0: "host", **{rank + 1: f"rank {rank}" for rank in range(ranks)}}
        for lane in sorted({span.lane for span in self.spans if span.lane >= BLOCK_LANES}):
            device, block = divmod(lane, BLOCK_LANES)
            names[lane] = f"rank {device - 1} block {block}"
        events: list[dict[str, Any]] = [
            {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "pld-run"}}
        ]
        for lane, name in names.items():
            common = {"ph": "M", "pid": 0, "tid": lane}
            index = lane if lane >= BLOCK_LANES else lane * BLOCK_LANES - 1
            events.append({**common, "name": "thread_name", "args": {"name": name}})
            events.append({**common, "name": "thread_sort_index", "args": {"sort_index": index}})
        for span in sorted(self.spans, key=lambda span: (span.start, -span.end)):
            events.append(
                {
                    "ph": "X",
                    "name": span.name,
                    "cat": span.kind,
                    "pid": 0,
                    "tid": span.lane,
                    "ts": round((span.start - self.begin) * 1e6, 3),
                    "dur": round((span.end - span.start) * 1e6, 3),
                    "args": dict(span.details),
                }
            )
        return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}, indent=1) + "\n"


_COLUMNS = (
    "rank",
    "dispatches L3->L2",
    "tasks",
    "bytes on the wire",
    "barriers",
    "signals",
    "waited (ms)",
)


def table(counters: Sequence[Counters]) -> str:
    """The counters of all ranks, a line each."""
    rows = [
        (
            str(rank),
            str(c.dispatches),
            str(c.tasks),
            str(c.wire_bytes),
            str(c.barriers),
            str(c.signals),
            f"{c.waited * 1e3:.1f}",
        )
        for rank, c in enumerate(counters)
    ]
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in (_COLUMNS, *rows)
    ]
    return "\n".join(lines) + "\n"
