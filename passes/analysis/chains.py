"""
Chains: the way from a value, through the values that it comes from, to one that breaks a rule.

Each analysis says with a step what a value comes from, or why it breaks the rule itself; the search
is the same. It is linear in the values it visits, whatever is asked and in which order: a query
settles all that it reaches, good or broken, and nothing settled is visited again. Cycles of
loop-carried values are walked once.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import SSAValue

LONGEST_CHAIN = 16
"""A chain of more values is cut short: nobody reads ten thousand notes."""


class Step(NamedTuple):
    """What a value comes from, or why it breaks the rule itself."""

    sources: Iterable[SSAValue] = ()
    broken: str | None = None


@dataclass(frozen=True)
class Violation:
    """Why a value, or one that it comes from, breaks a rule."""

    through: Sequence[SSAValue]
    """The values between the one asked for and the one that breaks it, or the first of them."""
    more: int
    """How many of them are left out."""
    last: SSAValue
    """The value that breaks the rule; the one asked for itself when the chain has no other."""
    reason: str


class ChainSearch:
    """Finds for any value the chain to one that breaks a rule; ask before the IR changes."""

    def __init__(self, step: Callable[[SSAValue], Step]):
        self._step = step
        self._settled: set[SSAValue] = set()
        self._reasons: dict[SSAValue, str] = {}
        """Why a value breaks the rule itself."""
        self._next: dict[SSAValue, SSAValue] = {}
        """The next value on the chain, for those that only reach a broken one."""
        self._ends: dict[SSAValue, tuple[SSAValue, int]] = {}
        """The broken value at the end of the chain, and the steps to it, for both kinds."""

    def violation(self, value: SSAValue) -> Violation | None:
        """The chain from `value` to a value that breaks the rule, None where there is none."""
        if value not in self._settled:
            self._settle(value)
        if value not in self._ends:
            return None
        last, steps = self._ends[value]
        through: list[SSAValue] = []
        at = value
        for _ in range(min(steps - 1, LONGEST_CHAIN)):
            at = self._next[at]
            through.append(at)
        return Violation(through, max(steps - 1, 0) - len(through), last, self._reasons[last])

    def _settle(self, value: SSAValue) -> None:
        reached = [value]
        seen = {value}
        readers: dict[SSAValue, list[SSAValue]] = {}
        broken: deque[SSAValue] = deque()
        for current in reached:  # grows
            step = self._step(current)
            if step.broken is not None:
                self._reasons[current] = step.broken
                self._ends[current] = (current, 0)
                broken.append(current)
                continue
            for source in step.sources:
                if source in self._ends and current not in self._ends:
                    self._link(current, source)
                    broken.append(current)
                readers.setdefault(source, []).append(current)
                if source not in seen and source not in self._settled:
                    seen.add(source)
                    reached.append(source)
        while broken:
            source = broken.popleft()
            for reader in readers.get(source, ()):
                if reader not in self._ends:
                    self._link(reader, source)
                    broken.append(reader)
        self._settled |= seen

    def _link(self, value: SSAValue, source: SSAValue) -> None:
        last, steps = self._ends[source]
        self._next[value] = source
        self._ends[value] = (last, steps + 1)
