"""
What a run did: counters per rank, and a timeline.

The counts follow from the program alone; times are this machine's. The timeline is in the Chrome
trace format, one lane a rank and one for the host.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeAlias

from xdsl.ir import Operation

from xdsl_pld.passes.diagnostics import format_location
from xdsl_pld.tools.interpreter.exchange import Call

SpanDetails: TypeAlias = dict[str, Any]


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
    """All spans of a run; lane 0 is the host's, lane r + 1 is rank r's."""

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

    def chrome_trace(self, ranks: int) -> str:
        """The timeline as JSON that Perfetto and chrome://tracing load."""
        names = ["host", *(f"rank {rank}" for rank in range(ranks))]
        events: list[dict[str, Any]] = [
            {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "pld-run"}}
        ]
        for lane, name in enumerate(names):
            common = {"ph": "M", "pid": 0, "tid": lane}
            events.append({**common, "name": "thread_name", "args": {"name": name}})
            events.append({**common, "name": "thread_sort_index", "args": {"sort_index": lane}})
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
