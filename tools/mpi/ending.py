"""
How a job ends: all ranks together, with what went wrong told once.

Rank 0 decides. A rank on which something goes wrong tells rank 0, which asks all ranks to stop;
each answers with what it was waiting for. Rank 0 tells one error (and, where a wait took too long,
who waited for what), and sends the exit status, with which all end. Where ranks do not answer, the
job is aborted: no process stays behind.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic, sleep
from typing import TypeAlias

from xdsl.ir import Operation

from xdsl_pld.tools.diagnostics import Diagnostic, Remark
from xdsl_pld.tools.mpi.mail import Mail
from xdsl_pld.tools.mpi.world import World

GRACE = 3.0
"""Seconds that a rank has to hear that the job ends."""
_FAILED, _STOP, _STOPPED, _GOODBYE = "failed", "stop", "stopped", "goodbye"


Doing: TypeAlias = tuple[str, Operation | None]
"""What a rank is doing, in words, and where."""


class JobEnds(BaseException):
    """Raised in a rank when the job ends because of another one."""

    def __init__(self, doing: Sequence["Doing"] = ()):
        super().__init__("the job ends")
        self.doing = list(doing)
        """What the rank was doing, unless its program has finished."""


@dataclass(frozen=True)
class Failure:
    """What a rank tells of its error."""

    diagnostics: Sequence[Diagnostic]
    waited: bool = False
    """Whether it is a wait that took too long: then others may know more."""


class Ending:
    """The end of the job, as one rank sees it."""

    def __init__(self, world: World, mail: Mail, tell: Callable[[Diagnostic], None]):
        """`tell` prints."""
        self._world = world
        self._mail = mail
        self._tell_one = tell

    @property
    def others(self) -> list[int]:
        return [rank for rank in range(self._world.size) if rank != self._world.rank]

    def check(self) -> None:
        """Raises JobEnds when the job ends."""
        if self._mail.senders(_FAILED) or self._mail.has(_STOP, 0):
            raise JobEnds

    def succeed(self, status: int) -> None:
        """Rank 0: all went well, and the exit status is this."""
        self._mail.post(self.others, _GOODBYE, status)
        self._until(lambda: self._mail.all_sent, GRACE)

    def wait(self) -> int:
        """Another rank: the exit status, as soon as rank 0 knows it. Raises JobEnds."""
        while not self._mail.has(_GOODBYE, 0):
            self.check()
            self._look()
        return self._mail.take(_GOODBYE, 0)

    def fail(self, failure: Failure) -> int:
        """Something went wrong here. Returns the exit status when all ranks have heard of it."""
        if self._world.rank == 0:
            self._mail.post([0], _FAILED, failure)
            return self._conclude([])
        self._mail.post([0], _FAILED, failure, urgent=True)
        return self._leave(failure)

    def stop(self, waits: Sequence[Remark]) -> int:
        """Something went wrong elsewhere; `waits` are what was waited for here."""
        if self._world.rank == 0:
            return self._conclude(waits)
        self._until(lambda: self._mail.has(_STOP, 0), GRACE)
        self._mail.post([0], _STOPPED, list(waits))
        return self._leave(None)

    def _leave(self, failure: Failure | None) -> int:
        if not self._until(lambda: self._mail.has(_GOODBYE, 0), 4 * GRACE):
            if failure is not None:
                self._tell(failure, [])
            self._abort()
        return self._mail.take(_GOODBYE, 0)

    def _conclude(self, waits: Sequence[Remark]) -> int:
        """Rank 0: stops all, tells what went wrong, and ends the job."""
        self._mail.post(self.others, _STOP, urgent=True)
        all_answered = self._until(lambda: not self._silent(), GRACE)
        silent = [Remark(f"rank {rank} does not answer") for rank in self._silent()]
        failure, notes = self._first_failure(waits)
        self._tell(failure, [*notes, *silent])
        self._mail.post(self.others, _GOODBYE, 1)
        if not self._until(lambda: self._mail.all_sent, GRACE) or not all_answered:
            self._abort()
        return 1

    def _silent(self) -> list[int]:
        answered = {*self._mail.senders(_FAILED), *self._mail.senders(_STOPPED)}
        return [rank for rank in self.others if rank not in answered]

    def _first_failure(self, waits: Sequence[Remark]) -> tuple[Failure, list[Remark]]:
        """The error to tell, no wait if there is another, and what the others waited for."""
        failures = {
            rank: failure
            for rank in self._mail.senders(_FAILED)
            if isinstance(failure := self._mail.take(_FAILED, rank), Failure)
        }
        first = min(failures, key=lambda rank: (failures[rank].waited, rank))
        notes = list(waits)
        for rank in range(self._world.size):
            if rank in failures and rank != first:
                for diagnostic in failures[rank].diagnostics:
                    notes += [diagnostic.error, *diagnostic.notes]
            elif self._mail.has(_STOPPED, rank):
                notes += self._mail.take(_STOPPED, rank)
        return failures[first], notes if failures[first].waited else []

    def _tell(self, failure: Failure, notes: Sequence[Remark]) -> None:
        *others, last = failure.diagnostics
        for diagnostic in others:
            self._tell_one(diagnostic)
        self._tell_one(Diagnostic(last.error, (*last.notes, *notes)))

    def _until(self, condition: Callable[[], bool], limit: float) -> bool:
        end = monotonic() + limit
        while not condition():
            if monotonic() > end:
                return False
            self._look()
        return True

    def _look(self) -> None:
        if not self._mail.pump():
            sleep(0.001)

    def _abort(self) -> None:
        """Ends all processes of the job, this one too."""
        sys.stdout.flush()
        sys.stderr.flush()
        self._world.comm.Abort(1)
