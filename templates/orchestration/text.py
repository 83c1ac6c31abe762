"""
C++ statements as a tree, so that what nothing reads can be left out before it becomes text.

The compilers that read emitted sources treat an unused variable as an error, and whether one is
used shows only when all is emitted: a view may end in an argument that needs only its source.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_WORD = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*')
_INDENT = "  "


@dataclass
class Line:
    """
    A statement; `sets` is the variable that it defines or assigns, and all that it does, unless
    there is `bare`: the statement for its effect alone.
    """

    text: str
    sets: str | None = None
    bare: str | None = None

    def reads(self) -> Counter[str]:
        words = _words(self.text)
        if self.sets is not None:
            del words[self.sets]
        return words


@dataclass
class Arm:
    """One body of a nest and what stands before its brace."""

    head: str
    body: list["Line | Nest"] = field(default_factory=list["Line | Nest"])


@dataclass
class Nest:
    """A loop, a branch with its alternatives, or a scope; left out where all bodies are empty."""

    arms: list[Arm]
    condition: str | None = None
    """Of a branch with two arms: an empty first one is left out by turning it round."""

    def trim(self) -> None:
        if self.condition is None or len(self.arms) < 2:
            return
        first, second = self.arms
        if not second.body:
            self.arms = [first]
        elif not first.body:
            self.arms = [Arm(f"if (!{self.condition})", second.body)]


Node = Line | Nest


class Text:
    """Statements in order; `nest` opens a body into which the next ones go."""

    def __init__(self):
        self.root: list[Node] = []
        self._open: list[list[Node]] = [self.root]

    def add(self, text: str, sets: str | None = None, bare: str | None = None) -> None:
        self._open[-1].append(Line(text, sets, bare))

    @contextmanager
    def within(self, body: list[Node]) -> Generator[None]:
        self._open.append(body)
        try:
            yield
        finally:
            self._open.pop()

    def nest(self, *heads: str, condition: str | None = None) -> list[list[Node]]:
        """Adds a nest with a body for each head, and returns the bodies."""
        nest = Nest([Arm(head) for head in heads], condition)
        self._open[-1].append(nest)
        return [arm.body for arm in nest.arms]

    def render(self, depth: int) -> str:
        """The text of what is needed."""
        _prune(self.root)
        return "".join(f"{line}\n" for line in _lines(self.root, depth))


def _words(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text) if word[0] != '"')


def _walk(nodes: Iterable[Node]) -> Iterator[tuple[Line | None, str]]:
    for node in nodes:
        if isinstance(node, Line):
            yield node, node.text
        else:
            for arm in node.arms:
                yield None, arm.head
                yield from _walk(arm.body)


def _prune(root: list[Node]) -> None:
    """Drops lines that set a variable which nothing reads, and bodies left without a statement."""
    while _drop(root, _unread(root)):
        pass  # a body that went may have been the only one to read a variable


def _unread(root: list[Node]) -> set[int]:
    """The lines whose only effect is a variable that no line with another effect needs."""
    reads: Counter[str] = Counter()
    setters: dict[str, list[Line]] = {}
    for line, text in _walk(root):
        reads.update(_words(text) if line is None else line.reads())
        if line is not None and line.sets is not None:
            setters.setdefault(line.sets, []).append(line)
    unread: set[int] = set()
    pending = [name for name in setters if reads[name] == 0]
    while pending:
        for line in setters[pending.pop()]:
            if line.bare is not None:
                line.text, line.sets, line.bare = line.bare, None, None
                continue
            unread.add(id(line))
            for word, times in line.reads().items():
                reads[word] -= times
                if reads[word] == 0 and word in setters:
                    pending.append(word)
    return unread


def _drop(nodes: list[Node], dropped: set[int]) -> bool:
    """Drops these lines; whether a nest or an arm of one went with them."""
    kept: list[Node] = []
    nest_went = False
    for node in nodes:
        if isinstance(node, Line):
            if id(node) not in dropped:
                kept.append(node)
            continue
        for arm in node.arms:
            nest_went |= _drop(arm.body, dropped)
        node.trim()
        if any(arm.body for arm in node.arms):
            kept.append(node)
        else:
            nest_went = True
    nodes[:] = kept
    return nest_went


def _lines(nodes: Iterable[Node], depth: int) -> Iterator[str]:
    indent = _INDENT * depth
    for node in nodes:
        if isinstance(node, Line):
            yield f"{indent}{node.text}"
            continue
        for number, arm in enumerate(node.arms):
            yield f"{indent}{'} ' if number else ''}{arm.head} {{"
            yield from _lines(arm.body, depth + 1)
        yield f"{indent}}}"
