"""
The blocks of a region in control-flow order, whatever operations branch between them.
"""

from collections.abc import Sequence

from xdsl.ir import Block, Region


def successors(block: Block) -> Sequence[Block]:
    """The blocks of the same region that the block's terminator may branch to."""
    last = block.last_op
    if last is None:
        return ()
    return [successor for successor in last.successors if successor.parent is block.parent]


def postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`, each after its successors; no recursion."""
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        block, rest = stack[-1]
        following = next((successor for successor in rest if successor not in seen), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(successors(following))))
    return order


def definitions_first(region: Region) -> Sequence[Block]:
    """All blocks of a region, each after those that dominate it; unreachable ones at the end."""
    if len(region.blocks) < 2:
        return region.blocks
    reached = postorder(region.blocks[0])[::-1]
    known = set(reached)
    return [*reached, *(block for block in region.blocks if block not in known)]
