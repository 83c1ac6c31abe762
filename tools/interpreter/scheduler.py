"""
Threads that run one at a time.

xDSL's interpreter is a recursion of plain functions, so a rank that waits in the middle of a kernel
needs a stack of its own: one thread a rank. But only the thread that holds the baton runs. It gives
it away when it waits, or now and then while it computes; who is next follows from the program
alone. So runs repeat exactly, memory needs no locks, and a deadlock is known the moment it arises:
nobody who waits has what it waits for, and nothing that was started outside, as a kernel's launch
is, will still end. No time limit is involved.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation


class Stopped(BaseException):
    """Raised in a thread when the run ends because of another one."""


class Blocked(NamedTuple):
    """A thread in a deadlock: what it waits for, None where it has finished."""

    name: str
    waits_for: str | None
    place: Operation | None


class Deadlock(Exception):
    """All threads that have not finished wait for what will not happen."""

    def __init__(self, tasks: Sequence["Task"]):
        super().__init__("deadlock")
        self.threads = [
            Blocked(task.name, task.waiting.describe(), task.waiting.place)
            if task.waiting is not None
            else Blocked(task.name, None, None)
            for task in tasks
        ]


@dataclass(frozen=True)
class Waiting:
    """What a thread waits for."""

    condition: Callable[[], bool]
    describe: Callable[[], str]
    """Completes the sentence "rank 0 waits for ..."."""
    place: Operation | None = None
    outside: bool = False
    """Whether it may come about without any other thread here."""


class Task:
    """One thread and what it waits for."""

    def __init__(self, name: str, body: Callable[[], None]):
        self.name = name
        self.body = body
        self.waiting: Waiting | None = None
        self.finished = False
        self.baton = threading.Semaphore(0)
        self.thread: threading.Thread | None = None

    @property
    def can_run(self) -> bool:
        return not self.finished and (self.waiting is None or self.waiting.condition())

    @property
    def waits_outside(self) -> bool:
        return not self.finished and self.waiting is not None and self.waiting.outside


class Scheduler:
    """Runs tasks to their ends, one at a time."""

    def __init__(self, idle: Callable[[], None]) -> None:
        """`idle` waits a while for what comes from outside."""
        self.tasks: list[Task] = []
        self._idle = idle
        self.stopping = False
        self._running = False
        self._failure: BaseException | None = None
        self._over = threading.Semaphore(0)

    def add(self, name: str, body: Callable[[], None]) -> Task:
        """Adds a task, before the run or during it; called by the task that runs."""
        task = Task(name, body)
        self.tasks.append(task)
        if self._running:
            self._begin(task)
        return task

    def remove(self, task: Task) -> None:
        """Forgets a task that has finished, in a long run one of many."""
        assert task.finished
        assert task.thread is not None
        task.thread.join()
        self.tasks.remove(task)

    def run(self) -> None:
        """Runs all tasks; raises what the first that failed raised, or Deadlock."""
        for task in self.tasks:
            self._begin(task)
        self._running = True
        try:
            self.tasks[0].baton.release()
            self._over.acquire()
        finally:  # also after an interrupt from the keyboard
            self._stop()
            for task in self.tasks:
                assert task.thread is not None
                task.thread.join()
        if self._failure is not None:
            raise self._failure

    def _begin(self, task: Task) -> None:
        task.thread = threading.Thread(target=self._thread, args=(task,), name=task.name)
        task.thread.start()

    def wait(self, task: Task, waiting: Waiting) -> None:
        """Returns when the condition holds; called by the task itself."""
        if waiting.condition():
            return
        task.waiting = waiting
        self.give_way(task)
        task.waiting = None

    def give_way(self, task: Task) -> None:
        """Lets the others run first; called by the task itself."""
        if self.stopping:
            raise Stopped
        following = self._after(task)
        if self.stopping:
            raise Stopped
        if following is None:
            raise Deadlock(self.tasks)
        if following is task:
            return
        following.baton.release()
        task.baton.acquire()
        if self.stopping:
            raise Stopped

    def _after(self, task: Task) -> Task | None:
        """
        The next task that can run, in their order from `task` on, which comes last; None when
        none ever will.
        """
        while not self.stopping:
            if (following := self.next_that_can_run(task)) is not None:
                return following
            if not any(t.waits_outside for t in self.tasks):
                return None
            self._idle()
        return None

    def next_that_can_run(self, task: Task) -> Task | None:
        start = self.tasks.index(task) + 1
        return next((t for t in self.tasks[start:] + self.tasks[:start] if t.can_run), None)

    def _thread(self, task: Task) -> None:
        task.baton.acquire()
        try:
            try:
                if not self.stopping:
                    with np.errstate(all="ignore"):
                        task.body()
            finally:
                task.finished = True
            following = self._after(task)
            if self.stopping:
                return
            if following is not None:
                following.baton.release()
                return
            if not all(t.finished for t in self.tasks):
                raise Deadlock(self.tasks)
        except Stopped:
            return
        except BaseException as error:
            self._failure = self._failure or error
        self._over.release()

    def _stop(self) -> None:
        self.stopping = True
        for task in self.tasks:
            task.baton.release()
