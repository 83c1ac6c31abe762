"""
Messages between the interpreters of the ranks.

A message has a topic and a body, anything that can be pickled; arrays go without being copied into
the pickle. Nothing here blocks: what arrives is kept by topic and sender until it is taken, in the
order in which it was sent. `URGENT` messages have a tag of their own, for which a kernel that waits
looks, too: they end the job.
"""

from collections import deque
from collections.abc import Hashable, Iterable
from typing import Any

from mpi4py import MPI
from mpi4py.util import pkl5

_PLAIN = 1
URGENT = 2
"""The tag of messages that end the job."""


class Mail:
    """The letter box of this rank, on a communicator of its own."""

    def __init__(self, comm: MPI.Intracomm):
        self._own = comm.Dup()
        self._comm = pkl5.Intracomm(self._own)
        self._sent: list[pkl5.Request] = []
        self._arrived: dict[tuple[Hashable, int], deque[Any]] = {}

    @property
    def handle(self) -> int:
        """The communicator, for C."""
        return self._own.py2f()

    def post(
        self, to: Iterable[int], topic: Hashable, body: Any = None, *, urgent: bool = False
    ) -> None:
        """Sends a message to ranks of the world; arrays in it must not change any more."""
        for rank in to:
            if rank == self._own.rank:
                self._arrived.setdefault((topic, rank), deque()).append(body)
            else:
                tag = URGENT if urgent else _PLAIN
                self._sent.append(self._comm.isend((topic, body), rank, tag))

    def pump(self) -> bool:
        """Takes in what has arrived and lets MPI make progress; whether there was anything."""
        self._sent = [request for request in self._sent if not request.test()[0]]
        any_arrived = False
        status = MPI.Status()
        while (message := self._comm.improbe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)) is not None:
            topic, body = message.recv()
            self._arrived.setdefault((topic, status.source), deque()).append(body)
            any_arrived = True
        return any_arrived

    @property
    def all_sent(self) -> bool:
        return not self._sent

    def has(self, topic: Hashable, sender: int) -> bool:
        return bool(self._arrived.get((topic, sender)))

    def senders(self, topic: Hashable) -> list[int]:
        """The ranks of which a message is there."""
        return sorted(
            sender for (of, sender), bodies in self._arrived.items() if of == topic and bodies
        )

    def peek(self, topic: Hashable, sender: int) -> Any:
        """The oldest message that is there, which stays."""
        return self._arrived[topic, sender][0]

    def take(self, topic: Hashable, sender: int) -> Any:
        """The oldest message that is there."""
        return self._arrived[topic, sender].popleft()

    def close(self) -> None:
        """All ranks together."""
        self._own.Free()
