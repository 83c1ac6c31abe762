"""The accessors of `pl.` and `pld.` attributes, on definitions and on declarations."""

import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.dialects.func import FuncOp

from xdsl_pld.dialects.pl.attributes import (
    ARG_ATTRS,
    DIRECTION,
    Direction,
    FuncType,
    Level,
    Role,
    direction,
    func_type,
    is_builtin_kernel,
    is_chip_orchestration,
    is_host_orchestrator,
    is_launchable,
    is_parallel,
    level,
    param_attrs,
    role,
    set_param_attrs,
)
from xdsl_pld.dialects.pld.signature import CTX_OF, context_parameters


def function(*, name="f", inputs=(), **attributes):
    declared = FuncOp.external(name, inputs, [])
    for key, value in attributes.items():
        declared.attributes[f"pl.{key}"] = StringAttr(value)
    return declared


DERIVED = {
    "opaque": (None, None),
    "orchestration": (Level.CHIP, Role.ORCHESTRATOR),
    "graph": (Level.CHIP, Role.ORCHESTRATOR),
    "incore": (Level.CHIP_DIE, Role.SUB_WORKER),
    "aic": (Level.AIC, Role.SUB_WORKER),
    "aiv": (Level.AIV, Role.SUB_WORKER),
    "group": (Level.CORE_GROUP, Role.SUB_WORKER),
    "spmd": (None, None),
    "inline": (None, None),
}


@pytest.mark.parametrize("kind", DERIVED)
def test_level_and_role_follow_from_the_function_type(kind):
    made = function(func_type=kind)
    assert func_type(made) == kind
    assert (level(made), role(made)) == DERIVED[kind]


def test_the_derived_table_is_complete():
    assert set(DERIVED) == {entry.value for entry in FuncType}


def test_written_level_and_role():
    made = function(level="cluster_1", role="sub_worker")
    assert (func_type(made), level(made), role(made)) == (
        FuncType.OPAQUE,
        Level.CLUSTER_1,
        Role.SUB_WORKER,
    )


@pytest.mark.parametrize(
    ("attributes", "host"),
    [
        ({"level": "host", "role": "orchestrator"}, True),
        ({"func_type": "opaque", "level": "host", "role": "orchestrator"}, True),
        ({"level": "host"}, False),
        ({"role": "orchestrator"}, False),
        ({"func_type": "orchestration"}, False),
        ({}, False),
    ],
)
def test_host_orchestrators(attributes, host):
    assert is_host_orchestrator(function(**attributes)) is host


@pytest.mark.parametrize("kind", DERIVED)
def test_what_a_function_type_may_do(kind):
    made = function(func_type=kind)
    assert is_chip_orchestration(made) is (kind in ("orchestration", "graph"))
    assert is_launchable(made) is (kind in ("incore", "aic", "aiv", "group", "spmd"))
    assert not is_builtin_kernel(made)


def test_a_builtin_kernel():
    assert is_builtin_kernel(function(func_type="aiv", builtin_template_dir=":x"))


DEFINED = """
func.func @f(%a: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"},
    %c: !pld.comm_ctx {pld.ctx_of = 1 : index}) {
  func.return
}"""
DECLARED = """
func.func private @f(tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx)
    attributes {pl.arg_attrs = [{}, {pl.dir = "inout"}, {pld.ctx_of = 1 : index}]}"""


@pytest.mark.parametrize("text", [DEFINED, DECLARED], ids=["defined", "declared"])
def test_parameter_attributes(text, parse, show):
    module = parse(text)
    made = module.body.block.first_op
    assert [direction(made, index) for index in range(3)] == [
        Direction.IN,
        Direction.INOUT,
        Direction.IN,
    ]
    assert context_parameters(made) == {1: 2}
    assert param_attrs(made, 0) == param_attrs(made, 3) == {}

    changed = [dict(param_attrs(made, index)) for index in range(3)]
    changed[0][DIRECTION] = StringAttr("out")
    set_param_attrs(made, changed)
    again = parse(show(module)).body.block.first_op
    assert [direction(again, index) for index in range(3)] == [
        Direction.OUT,
        Direction.INOUT,
        Direction.IN,
    ]
    assert context_parameters(again) == {1: 2}

    set_param_attrs(made, [{}, {}, {}])
    assert ARG_ATTRS not in made.attributes
    assert made.arg_attrs is None
    assert context_parameters(made) == {}


def test_a_function_without_parameter_attributes():
    made = function(inputs=[i32])
    assert direction(made, 0) is Direction.IN
    assert context_parameters(made) == {}
    made.attributes[ARG_ATTRS] = IntegerAttr(1, i32)
    assert param_attrs(made, 0) == {}


def test_the_key_of_contexts():
    assert CTX_OF == "pld.ctx_of"


def test_parallel_loops(parse):
    module = parse("""
    func.func @f(%n: index) {
      scf.for %i = %n to %n step %n {
      } {pl.kind = "parallel"}
      scf.for %i = %n to %n step %n {
      }
      func.return
    }""")
    loops = [op for op in module.walk() if isinstance(op, scf.ForOp)]
    assert [is_parallel(loop) for loop in loops] == [True, False]
