"""
All memory that a tensor value may denote: lineage, with every merge taken apart.

Lineage keeps the merged value as the root where control flow merges different ones; whoever must
know which they may be asks here.
"""

from collections.abc import Set as AbstractSet

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from xdsl_pld.passes.analysis.flow import join_of
from xdsl_pld.passes.analysis.lineage import Lineage


class Roots:
    """The roots that values of a module's functions may have; ask before the IR changes."""

    def __init__(self, lineage: Lineage):
        self._lineage = lineage
        self._known: dict[SSAValue, AbstractSet[SSAValue]] = {}
        """By the root that lineage tells."""

    def of(self, function: FuncOp, value: SSAValue) -> AbstractSet[SSAValue]:
        """
        The parameters, windows, created tensors and results of opaque ops whose memory `value`
        may be.
        """
        lineage = self._lineage.of(function)
        start = lineage.origin(value).root
        if start in self._known:
            return self._known[start]
        found: dict[SSAValue, None] = {}
        pending, seen = [start], {start}
        while pending:
            current = pending.pop()
            join = join_of(current)
            if join is None:
                found[current] = None
                continue
            for source in (join.seed, *join.others):
                root = lineage.origin(source).root
                if root not in seen:
                    seen.add(root)
                    pending.append(root)
        self._known[start] = found.keys()
        return found.keys()
