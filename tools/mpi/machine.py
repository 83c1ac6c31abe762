"""
The machine of one rank: the host body, which every rank runs, and one device, its own.

Reads   what the other ranks tell of their jobs.
Decides nothing that the program does not: all ranks see the same dispatches in the same order, so
        each knows which jobs of others its own have to follow, and who waits for its own.
Changes host tensors. A job may write only its rank's copy, so what it changed is sent to where a
        later job needs it, and to all ranks when the host body itself looks at memory; there it is
        put in place in the order of dispatch. At the end rank 0 gets all.

A job is waited for as on one machine (`Job.after`); that of another rank is over when its news are
here. Whoever waits longer than the limit ends the job.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.machine import HOST, Job, Machine, Settings
from xdsl_pld.tools.interpreter.memory import Array, Domain
from xdsl_pld.tools.interpreter.scheduler import Deadlock, Scheduler, Task, Waiting
from xdsl_pld.tools.mpi.ending import Doing, Ending, JobEnds
from xdsl_pld.tools.mpi.engine import MpiEngine
from xdsl_pld.tools.mpi.exchanges import Exchanges
from xdsl_pld.tools.mpi.mail import Mail
from xdsl_pld.tools.mpi.windows import Windows
from xdsl_pld.tools.mpi.world import World

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent

_NEWS = "news of jobs"


@dataclass(frozen=True)
class Site:
    """What a rank works with."""

    world: World
    mail: Mail
    ending: Ending
    windows: Windows


@dataclass(frozen=True, eq=False)
class Change:
    """What a job changed in one array."""

    values: Array
    where: Array | None
    """Flat indices; None: all of it."""


@dataclass(eq=False)
class _Dispatched:
    """A job since it was dispatched, on whichever rank."""

    job: Job
    device: int
    changes: Sequence[Change | None] | None = None
    """By array, once it is done and known here."""
    applied: bool = False
    told: set[int] = field(default_factory=set[int])
    """The ranks that know."""
    wanted: set[int] = field(default_factory=set[int])
    """The ranks that wait for it."""

    @property
    def arrays(self) -> Sequence[Array]:
        return (*self.job.writes, *self.job.reads)


class TooLate(FindingsError):
    """A rank has waited longer than the limit."""


class _Waits(Scheduler):
    """A scheduler for tasks that may wait for other processes."""

    def __init__(self, outside: Callable[[int], None]):
        """
        `outside` is called with 0 whenever a task gives way, and with 1, 2, ... for as long as none
        can run. It raises to end the run.
        """
        super().__init__(lambda: None)
        self._outside = outside

    def _after(self, task: Task) -> Task | None:
        looks = 0
        self._outside(looks)
        while not self.stopping and not all(each.finished for each in self.tasks):
            if (following := self.next_that_can_run(task)) is not None:
                return following
            looks += 1
            self._outside(looks)
        return None


class MpiMachine(Machine):
    """A module being run by as many processes as there are ranks."""

    def __init__(self, module: ModuleOp, settings: Settings, site: Site):
        super().__init__(module, settings)
        self._site = site
        self.rank = site.world.rank
        self.ops: list[Operation] = list(module.walk())
        self._numbers = {op: number for number, op in enumerate(self.ops)}
        self.scheduler = _Waits(self._outside)
        engine = settings.engine
        assert isinstance(engine, MpiEngine)
        engine.machine = self
        self.meetings = Exchanges(self, engine, settings.poison)
        self._since = monotonic()
        self._dispatched: list[_Dispatched] = []
        """All jobs since the host body waited for all."""
        self._count = 0

    def number_of(self, op: Operation) -> int:
        """The number of an operation, the same on all ranks."""
        return self._numbers[op]

    @property
    def working(self) -> Sequence["Agent"]:
        return [self.devices[self.rank]]

    # Others

    def _outside(self, looks: int) -> None:
        """Takes in what the others tell; rests where there is nothing to do but to wait."""
        news = self._site.mail.pump()
        try:
            self._site.ending.check()
        except JobEnds as end:
            end.doing = self._doing()
            raise
        self._take_news()
        if looks <= 1 or news:
            self._since = monotonic()
            return
        self._site.windows.sync()
        if monotonic() - self._since > self._site.world.wait_limit:
            raise Deadlock(self.scheduler.tasks)
        sleep(0 if looks < 20 else min(50e-6 * (1 + looks // 200), 1e-3))

    def gather(
        self,
        agent: "Agent",
        domain: Domain,
        topic: object,
        body: Any,
        describe: Callable[[list[int]], str],
        op: Operation | None,
    ) -> list[Any]:
        """
        What every rank of a domain says on a topic, by rank in the domain; all must call this.
        `describe` completes "waits for ..." for the ranks, in the domain, that have said nothing.
        """
        mail, others = self._site.mail, [d for d in domain.devices if d != self.rank]
        mail.post(others, topic, body)

        def missing() -> list[int]:
            return [domain.rank_of(d) for d in others if not mail.has(topic, d)]

        agent.wait(Waiting(lambda: not missing(), lambda: describe(missing()), op))
        return [body if d == self.rank else mail.take(topic, d) for d in domain.devices]

    def _doing(self) -> list[Doing]:
        """What this rank is doing: what its agents wait for, if they do."""
        found: list[Doing] = []
        for task in self.scheduler.tasks:
            who = f"{HOST} on rank {self.rank}" if task.name == HOST else task.name
            if task.finished:
                continue
            if (waiting := task.waiting) is not None:
                found.append((f"{who} waits for {waiting.describe()}", waiting.place))
            else:
                agent = self.host if task.name == HOST else self.devices[self.rank]
                found.append((f"{who} is at work", agent.place))
        return found

    def deadlock(self, deadlock: Deadlock, host: FuncOp) -> FindingsError:
        blocked = [thread for thread in deadlock.threads if thread.waits_for is not None]
        # The device knows more of it than the host body, which waits for the device.
        first = next((thread for thread in blocked if thread.name != HOST), blocked[0])
        notes = [
            Note(f"{HOST} on rank {self.rank} waits for {thread.waits_for}", thread.place)
            for thread in blocked
            if thread is not first
        ]
        who = f"{HOST} on rank {self.rank}" if first.name == HOST else first.name
        message = (
            f"{who} has waited for more than {self._site.world.wait_limit:g} s (--wait-limit) for "
            f"{first.waits_for}"
        )
        return TooLate([Finding(first.place or host, message, notes)])

    def all_come(self, domain: Domain, topic: object, what: str) -> None:
        """Returns when the host bodies of all ranks of a domain have come to a point."""

        def describe(missing: list[int]) -> str:
            who = "rank" if len(missing) == 1 else "ranks"
            return f"{who} {', '.join(map(str, missing))} of '{domain.name}' to {what}"

        self.gather(self.host, domain, topic, None, describe, self.host.place)

    # Jobs

    def dispatch(self, device: int, job: Job) -> None:
        job.device = device
        made = _Dispatched(job, device)
        before = [each for each in self._dispatched if job.must_follow(each.job)]
        job.after = [each.job for each in before if each.device != device]
        for each in before:
            if each.device == self.rank and device != self.rank:
                each.wanted.add(device)
                self._tell(each, [device])
        self._count += 1
        self._dispatched.append(made)
        if device == self.rank:
            self.devices[device].queue.append(job)
            self.devices[device].counters.dispatches += 1
        self.scheduler.give_way(self.host.task)

    def perform(self, agent: "Agent", job: Job) -> None:
        mine = next(each for each in self._dispatched if each.job is job)
        self._apply(each for each in self._dispatched if each.job in job.after)
        before = [array.copy() for array in mine.arrays]
        job.run(agent)
        mine.changes = [_change(old, new) for old, new in zip(before, mine.arrays, strict=True)]
        mine.applied = True
        self._tell(mine, sorted(mine.wanted))

    def settle(self, *, at_end: bool = False) -> None:
        """
        The host waits until all that it dispatched is done and its changes are here. At the end
        only rank 0 needs them.
        """
        mine = [each for each in self._dispatched if each.device == self.rank]
        self._wait_for(mine)
        readers = range(1 if at_end else self._site.world.size)
        for each in mine:
            self._tell(each, [rank for rank in readers if rank != self.rank])
        if self.rank in readers:
            self._wait_for(self._dispatched)
            self._apply(self._dispatched)
        self._dispatched.clear()

    def _wait_for(self, jobs: Sequence[_Dispatched]) -> None:
        def describe() -> str:
            late = sorted({each.device for each in jobs if each.changes is None})
            who = "rank" if len(late) == 1 else "ranks"
            return f"what it dispatched to {who} {', '.join(map(str, late))}"

        self.host.wait(
            Waiting(
                lambda: all(each.changes is not None for each in jobs), describe, self.host.place
            )
        )

    def _tell(self, done: _Dispatched, ranks: Iterable[int]) -> None:
        """Tells ranks what a job of ours changed, if it is done and they do not know."""
        if done.changes is None:
            return
        new = [rank for rank in ranks if rank not in done.told]
        done.told.update(new)
        number = self._count - len(self._dispatched) + self._dispatched.index(done)
        self._site.mail.post(new, _NEWS, (number, done.changes))

    def _take_news(self) -> None:
        mail = self._site.mail
        first = self._count - len(self._dispatched)
        for sender in mail.senders(_NEWS):
            # A sender may be ahead: it keeps for itself what has not been dispatched here yet.
            while mail.has(_NEWS, sender):
                number: int = mail.peek(_NEWS, sender)[0]
                if number >= self._count:
                    break
                done = self._dispatched[number - first]
                done.changes = mail.take(_NEWS, sender)[1]
                done.job.done = True

    def _apply(self, jobs: Iterable[_Dispatched]) -> None:
        """Puts the changes of other ranks' jobs in place, in the order of dispatch."""
        for each in jobs:
            if not each.applied and each.changes is not None:
                for array, change in zip(each.arrays, each.changes, strict=True):
                    _put(array, change)
                each.applied = True


def _change(old: Array, new: Array) -> Change | None:
    """What differs, to the bit."""
    flat, before = np.ascontiguousarray(new).reshape(-1), old.reshape(-1)
    bits = f"u{flat.itemsize}"
    differs = flat.view(bits) != before.view(bits)
    if not differs.any():
        return None
    if differs.all():
        return Change(flat.copy(), None)
    where = np.flatnonzero(differs)
    return Change(flat[where], where)


def _put(array: Array, change: Change | None) -> None:
    if change is None:
        return
    if change.where is None:
        array[...] = change.values.reshape(array.shape)
    else:
        array[np.unravel_index(change.where, array.shape)] = change.values
