"""Each op, type and attribute that design.md names exists under that name, and says what it is."""

import re

import pytest
from xdsl.ir import Attribute, Operation

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD

OPS = {
    "pl": """
        pl.call pl.submit pl.task_dummy
        pl.tensor.create pl.tensor.slice pl.tensor.assemble pl.tensor.view pl.tensor.reshape
        pl.tensor.transpose pl.tensor.set_validshape pl.tensor.read pl.tensor.write
        pl.tile.load pl.tile.store pl.tile.slice
    """,
    "pld": """
        pld.tensor.alloc_window_buffer pld.tensor.window
        pld.tensor.all_to_all_v pld.tensor.indexed_all_to_all_v pld.tensor.all_to_all
        pld.tensor.allgather pld.tensor.allreduce pld.tensor.reduce_scatter pld.tensor.broadcast
        pld.tensor.barrier
        pld.tensor.put pld.tensor.get pld.tile.put pld.tile.get
        pld.tile.remote_load pld.tile.remote_store
        pld.system.get_comm_ctx pld.system.rank pld.system.nranks pld.system.world_size
        pld.system.notify pld.system.wait
        pld.comm_domain pld.yield
        pld.builtin.all_to_all_v pld.builtin.all_to_all pld.builtin.allgather
        pld.builtin.allreduce pld.builtin.reduce_scatter pld.builtin.broadcast pld.builtin.barrier
    """,
}
CLASSES = [*PL.operations, *PLD.operations]


@pytest.mark.parametrize("dialect", [PL, PLD], ids=lambda dialect: dialect.name)
def test_the_dialect_holds_the_ops_of_the_design(dialect):
    missing = set(OPS[dialect.name].split()) - {op.name for op in dialect.operations}
    assert not missing


def test_the_types_carry_the_names_of_the_design():
    assert {type_.name for type_ in [*PL.attributes, *PLD.attributes]} == {
        "pl.task_id",
        "pl.tile",
        "pld.dist_tensor",
        "pld.comm_ctx",
        "pld.window_buffer",
    }


@pytest.mark.parametrize("op", CLASSES, ids=lambda op: op.name)
def test_an_op_has_a_docstring_with_its_form(op: type[Operation]):
    assert op.__name__.endswith("Op")
    doc = op.__dict__.get("__doc__")
    assert doc, "an inherited docstring describes another op"
    assert re.search(rf"^ +(%\w+(, %\w+)* = )?{re.escape(op.name)}\b", doc, re.MULTILINE)


@pytest.mark.parametrize("type_", [*PL.attributes, *PLD.attributes], ids=lambda type_: type_.name)
def test_a_type_has_a_docstring_with_its_form(type_: type[Attribute]):
    doc = type_.__dict__.get("__doc__")
    assert doc
    assert f"!{type_.name}" in doc
