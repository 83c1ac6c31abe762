"""
What a value depends on that may differ from rank to rank.

A dependence is either known to be one, with its cause, or it is on what a caller passes: the value
of a parameter, or the content of a tensor parameter. A caller resolves the latter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from xdsl_pld.passes.diagnostics import Note, Place

_LONGEST_CHAIN = 16
"""A chain of more causes is cut short: nobody reads ten thousand notes."""


class Aspect(Enum):
    """What of a parameter a dependence is on."""

    VALUE = "value"
    """A scalar, or the place of a tensor."""
    CONTENT = "content"
    """The elements of a tensor, as they are when the function is called."""


class Symbol(NamedTuple):
    """A dependence that a caller resolves."""

    aspect: Aspect
    parameter: int


@dataclass(frozen=True, eq=False)
class Cause:
    """Why a value differs from rank to rank."""

    text: str
    place: Place
    because: "Cause | None" = None

    def notes(self) -> Iterator[Note]:
        """From the value to what makes it differ."""
        chain: list[Cause] = []
        at: Cause | None = self
        while at is not None:
            chain.append(at)
            at = at.because
        shown = chain if len(chain) <= _LONGEST_CHAIN else chain[: _LONGEST_CHAIN - 1]
        for cause in shown:
            yield Note(cause.text, cause.place)
        if len(shown) < len(chain):
            yield Note(f"through {len(chain) - len(shown) - 1} more values")
            yield Note(chain[-1].text, chain[-1].place)


_NO_SYMBOLS: Mapping[Symbol, Cause | None] = {}


@dataclass(frozen=True, eq=False)
class Dependence:
    """What a value depends on."""

    cause: Cause | None = None
    symbols: Mapping[Symbol, Cause | None] = field(default_factory=lambda: _NO_SYMBOLS)
    """Each with the way from the value to the parameter."""

    def __bool__(self) -> bool:
        return self.cause is not None or bool(self.symbols)

    def __or__(self, other: "Dependence") -> "Dependence":
        """What depends on both; what was known first stays."""
        if not other:
            return self
        if not self:
            return other
        return Dependence(self.cause or other.cause, {**other.symbols, **self.symbols})

    def through(self, text: str, place: Place) -> "Dependence":
        """The same, the cause lying one step further back."""
        if not self:
            return self
        cause = None if self.cause is None else Cause(text, place, self.cause)
        return Dependence(
            cause, {symbol: Cause(text, place, way) for symbol, way in self.symbols.items()}
        )

    def grown(self, before: "Dependence") -> bool:
        """Whether there is more in it than before."""
        return (self.cause is not None) > (before.cause is not None) or not (
            self.symbols.keys() <= before.symbols.keys()
        )


UNIFORM = Dependence()
"""The same on every rank, as far as can be seen."""


def because(text: str, place: Place) -> Dependence:
    """A dependence that begins here."""
    return Dependence(Cause(text, place))


def on(*symbols: Symbol) -> Dependence:
    """A dependence on what callers pass."""
    return Dependence(None, dict.fromkeys(symbols))
