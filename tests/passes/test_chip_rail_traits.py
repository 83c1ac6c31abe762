"""A new op takes part in the chip rail by its traits alone; upstream's are not loaded."""

import subprocess
import sys

from xdsl.context import Context
from xdsl.dialects import func, test
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, f32, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import IsTerminator, SymbolTable

from xdsl_pld.dialects.pld.collectives import AllToAllVOp
from xdsl_pld.dialects.traits import PackedRoot, ViewOf, WritesBack, never_packed
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.analysis.chains import LONGEST_CHAIN, ChainSearch, Step
from xdsl_pld.passes.analysis.contiguity import Contiguity
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.writability import Writability
from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass

T = TensorType(f32, [8, 64])


@irdl_op_definition
class RootOp(IRDLOperation):
    name = "new.root"
    result = result_def(T)
    traits = traits_def(PackedRoot())


@irdl_op_definition
class ScopeOp(IRDLOperation):
    name = "new.scope"
    body = region_def("single_block")
    traits = traits_def(SymbolTable())


@irdl_op_definition
class EndOp(IRDLOperation):
    name = "new.end"
    traits = traits_def(IsTerminator())


class _OneToOne(IRDLOperation):
    source = operand_def(T)
    result = result_def(T)

    def __init__(self, source: SSAValue):
        super().__init__(operands=[source], result_types=[T])


@irdl_op_definition
class PackedViewOp(_OneToOne):
    name = "new.view"
    traits = traits_def(ViewOf("source"))


@irdl_op_definition
class BrokenViewOp(_OneToOne):
    name = "new.broken"
    traits = traits_def(ViewOf("source", never_packed))


@irdl_op_definition
class FillOp(_OneToOne):
    name = "new.fill"
    traits = traits_def(WritesBack("source"))


@irdl_op_definition
class UndeclaredOp(_OneToOne):
    name = "new.undeclared"


def module_of(*ops: Operation) -> ModuleOp:
    function = FuncOp("f", ([], []))
    function.body.block.add_ops([*ops, func.ReturnOp()])
    return ModuleOp([function])


def test_a_kernel_stands_before_the_terminator_of_its_scope():
    counts = TensorType(i32, [2, 1])
    types = [T, *map(DistributedTensorType, (T, TensorType(i32, [2, 4]), counts, counts))]
    function = FuncOp("f", (types, []))
    function.attributes["pl.func_type"] = StringAttr("orchestration")
    function.body.block.add_ops([AllToAllVOp(*function.args), func.ReturnOp()])
    scope = ScopeOp(regions=[Region(Block([function, EndOp()]))])
    module = ModuleOp([scope])
    LowerL2TensorCollectivesPass().apply(Context(), module)
    module.verify()
    assert [op.name for op in scope.body.block.ops] == ["func.func", "func.func", "new.end"]


def test_contiguity_asks_traits():
    root = RootOp(result_types=[T])
    good = FillOp(PackedViewOp(root.result).result)
    bad = FillOp(BrokenViewOp(root.result).result)
    unknown = FillOp(UndeclaredOp(root.result).result)
    contiguity = Contiguity(Lineage())
    assert contiguity.violation(good.result) is None
    violation = contiguity.violation(bad.result)
    assert violation is not None
    assert (violation.last, violation.reason) == (bad.source, "a broken reorders the dimensions")
    violation = contiguity.violation(unknown.result)
    assert violation is not None
    assert violation.reason == "new.undeclared is not known to make a packed tensor"


def test_writability_asks_traits():
    from xdsl.dialects import tensor

    empty = tensor.EmptyOp([], T)
    filled = FillOp(PackedViewOp(empty.tensor).result)
    violation = Writability(Lineage()).violation(filled.result)
    assert violation is not None
    assert violation.last is empty.tensor
    assert violation.through == [filled.source]
    assert Writability(Lineage()).violation(RootOp(result_types=[T]).result) is None


def test_a_search_settles_what_it_reaches():
    """Good and bad, in whatever order is asked, each value is stepped through once."""
    values = test.TestOp(result_types=[T] * 6).results
    sources = {0: (1, 2), 1: (3,), 2: (0, 4), 3: (3,), 4: (), 5: (1, 0)}
    stepped: list[int] = []

    def step(value: SSAValue) -> Step:
        number = values.index(value)
        stepped.append(number)
        return Step([values[n] for n in sources[number]], "bad" if number == 4 else None)

    search = ChainSearch(step)
    first = search.violation(values[0])
    assert first is not None
    assert (first.through, first.last, first.more) == ([values[2]], values[4], 0)
    assert search.violation(values[3]) is None
    assert search.violation(values[1]) is None
    fifth = search.violation(values[5])
    assert fifth is not None
    assert fifth.through == [values[0], values[2]]
    alone = search.violation(values[4])
    assert alone is not None
    assert (alone.through, alone.more, alone.last, alone.reason) == ([], 0, values[4], "bad")
    assert sorted(stepped) == [0, 1, 2, 3, 4, 5]


def test_the_pass_does_not_load_upstream_tensor():
    script = (
        "import sys, xdsl_pld.passes.lower_l2_tensor_collectives;"
        "sys.exit('xdsl.dialects.tensor' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_first_of_several_broken_sources_is_shown():
    values = test.TestOp(result_types=[T] * 4).results
    sources = {0: (2, 3), 1: (2, 3, 1), 2: (), 3: ()}

    def step(value: SSAValue) -> Step:
        number = values.index(value)
        return Step([values[n] for n in sources[number]], f"{number}" if number > 1 else None)

    search = ChainSearch(step)
    for number in (0, 1):  # the second finds both settled
        violation = search.violation(values[number])
        assert violation is not None
        assert violation.reason == "2"


def test_what_is_found_goes_on_to_later_readers():
    values = test.TestOp(result_types=[T] * 4).results

    def step(value: SSAValue) -> Step:
        following = values[values.index(value) + 1 :][:1]
        return Step(following, None if following else "bad")

    search = ChainSearch(step)
    assert search.violation(values[2]) is not None
    violation = search.violation(values[0])
    assert violation is not None
    assert violation.through == [values[1], values[2]]


def test_a_chain_is_cut_behind_its_first_values():
    values = test.TestOp(result_types=[T] * (LONGEST_CHAIN + 4)).results

    def step(value: SSAValue) -> Step:
        following = values[values.index(value) + 1 :][:1]
        return Step(following, None if following else "bad")

    search = ChainSearch(step)
    for start, more in ((0, 2), (1, 1), (2, 0), (3, 0)):
        violation = search.violation(values[start])
        assert violation is not None
        assert violation.more == more
        assert violation.last is values[-1]
        shown = values[start + 1 : start + 1 + LONGEST_CHAIN]
        assert [*violation.through] == [*shown[: len(values) - start - 2]]
