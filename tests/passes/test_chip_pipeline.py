"""The chip part of the pipeline: random programs stay valid, and what orders a collective."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.parser import Parser
from xdsl.transforms.canonicalize import CanonicalizePass

from tests.passes.task_programs import Node, bodies, text_of
from xdsl_pld.dialects.builtin_kernels import ALL_TO_ALL_V, INDEXED_ALL_TO_ALL_V, BuiltinKernel
from xdsl_pld.passes.analysis.buffers import Buffers
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.task_graph import task_graph
from xdsl_pld.passes.analysis.wellformed import check_wellformed
from xdsl_pld.passes.derive_call_directions import DeriveCallDirectionsPass
from xdsl_pld.passes.pld_default_pipeline import PldDefaultPipelinePass
from xdsl_pld.passes.properties import violations
from xdsl_pld.universe import UNIVERSE

CTX = Context()
for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
    CTX.register_dialect(name, load)


CHIP_PART = [p for p in PldDefaultPipelinePass().passes() if not isinstance(p, CanonicalizePass)]
"""Upstream's canonicalize may fold a branch away, and with it the reason for an edge."""


def parse(text: str) -> ModuleOp:
    return Parser(CTX, text).parse_module()


@settings(max_examples=20, deadline=None)
@given(bodies())
def test_random_programs_stay_valid_and_a_second_run_changes_nothing(nodes: Sequence[Node]):
    module = parse(text_of(nodes, directed=False))
    once: str | None = None
    for _ in range(2):
        for each in CHIP_PART:
            each.apply(CTX, module)
            module.verify()
            assert not check_wellformed(module)
            for produced in getattr(each, "produces", ()):
                assert not violations(produced, module)
        assert once in (None, str(module))
        once = str(module)


# The synthesized kernels: what stands before and after a collective, one operand at a time.

DIRECTIONS = {
    ALL_TO_ALL_V: {
        "input": "in",
        "target": "inout",
        "signal": "inout",
        "send_counts": "in",
        "recv_counts": "inout",
    },
    INDEXED_ALL_TO_ALL_V: {
        "input": "in",
        "target": "inout",
        "signal": "inout",
        "send_counts": "in",
        "recv_counts": "inout",
        "index": "in",
    },
}


def edges_around(kernel: BuiltinKernel, role: str, neighbour: str) -> set[tuple[int, int]]:
    """The edges of: neighbour(x), the collective with x as one operand, neighbour(x)."""
    function = kernel.function(f32)
    types = [str(type_) for type_ in function.function_type.inputs]
    roles = [operand.role for operand in kernel.operands]
    values = ", ".join(f"%{each}" for each in roles)
    parameters = ", ".join(f"%{each}: {type_}" for each, type_ in zip(roles, types, strict=True))
    at = types[roles.index(role)]
    around = f"pl.call @around(%{role}) : ({at}) -> ()"
    module = parse(f"""
func.func private @around({at})
  attributes {{pl.func_type = "incore", pl.arg_attrs = [{{pl.dir = "{neighbour}"}}]}}
func.func @f({parameters}) attributes {{pl.func_type = "orchestration"}} {{
  {around}
  %r = pl.call @{function.sym_name.data}({values}) : ({", ".join(types)}) -> {types[1]}
  {around}
  func.return
}}""")
    module.body.block.add_op(function)
    module.verify()
    DeriveCallDirectionsPass().apply(CTX, module)
    f = next(each for each in functions(module) if each.sym_name.data == "f")
    graph = task_graph(f, Buffers().of(f))
    return {(edge.before, edge.after) for edge in graph.edges}


@pytest.mark.parametrize("kernel", DIRECTIONS, ids=lambda kernel: kernel.operator)
def test_every_direction_of_a_synthesized_kernel_makes_its_edges(kernel: BuiltinKernel):
    assert {operand.role for operand in kernel.operands} == set(DIRECTIONS[kernel])
    for role, direction in DIRECTIONS[kernel].items():
        both = {(0, 1), (1, 2)}
        assert edges_around(kernel, role, "inout") == both, role
        assert edges_around(kernel, role, "in") == (set() if direction == "in" else both), role


@pytest.mark.parametrize("position", range(5))
def test_input_where_inout_belongs_loses_an_edge(position: int):
    """What the directions are for: with another one the graph is another."""
    role = ALL_TO_ALL_V.operands[position].role
    flipped = {"in": "inout", "inout": "in"}[DIRECTIONS[ALL_TO_ALL_V][role]]
    operands = tuple(
        operand if i != position else operand._replace(direction=type(operand.direction)(flipped))
        for i, operand in enumerate(ALL_TO_ALL_V.operands)
    )
    other = BuiltinKernel("all_to_all_v", operands)
    assert edges_around(other, role, "in") != edges_around(ALL_TO_ALL_V, role, "in")
