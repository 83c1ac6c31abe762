"""Whatever the text: exit status 0 or 1, each error at a place, and never a traceback."""

import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xdsl_pld.tools import opt

SEEDS = (
    """\
func.func @loop(%n: index, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %r = scf.for %i = %zero to %n step %n iter_args(%s = %x) -> (f32) {
    %t = arith.addf %s, %s : f32
    scf.yield %t : f32
  } {kind = "parallel"}
  func.return %r : f32
}
func.func private @g(tensor<4x?xi32>, memref<2xi8>) -> i1 attributes {a = [1 : i32, "x"]}
""",
    """\
builtin.module @m {
  func.func @while(%a: i32, %c: i1) -> i64 {
    %w = scf.while (%s = %a) : (i32) -> i64 {
      %v = "test.op"(%s) {t = dense<[1, 2]> : tensor<2xi32>} : (i32) -> i64
      scf.condition(%c) %v : i64
    } do {
    ^bb0(%t: i64):
      scf.yield %a : i32
    }
    %i = scf.if %c -> (i64) {
      scf.yield %w : i64
    } else {
      scf.yield %w : i64
    }
    cf.cond_br %c, ^end(%i : i64), ^other
  ^other:
    %r = func.call @while(%a, %c) : (i32, i1) -> i64
    cf.br ^end(%r : i64)
  ^end(%e: i64):
    func.return %e : i64 loc("a.py":1:2)
  }
}
""",
    """\
func.func @chip(%input: tensor<8x64xf32>,
    %target: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"},
    %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32>,
    %received: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"})
    attributes {pl.func_type = "orchestration"} {
  %four = arith.constant 4 : index
  %d = pld.tensor.all_to_all_v %input, %target, %signal, %counts, %received core_num(%four)
    : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>,
      !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %c = pld.system.get_comm_ctx %d : !pld.dist_tensor<tensor<8x64xf32>>
  %r = pld.system.rank %c : i32
  %s = pl.tensor.slice %input[%four, 0] [4, 64] : tensor<8x64xf32> -> tensor<4x64xf32>
  %t = pl.submit @kernel(%s) core_num(%four) : (tensor<4x64xf32>) -> (!pl.task_id)
  pl.call @kernel(%s) {arg_directions = ["input"]} : (tensor<4x64xf32>) -> ()
  func.return
}
func.func private @kernel(tensor<4x64xf32>)
    attributes {pl.func_type = "incore", pl.arg_attrs = [{}]}
""",
)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[%@#!^]?[\w.$]+|->|\s+|.', re.DOTALL)
TOKENS = [TOKEN.findall(seed) for seed in SEEDS]
VOCABULARY = sorted(
    {token for tokens in TOKENS for token in tokens} | {"\x00", "\ud7ff", '"', "//"}
)


@st.composite
def mutants(draw: st.DrawFn) -> str:
    tokens = list(draw(st.sampled_from(TOKENS)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(tokens) - 1))
        kind = draw(st.sampled_from(("delete", "repeat", "replace", "swap")))
        if kind == "delete":
            del tokens[at]
        elif kind == "repeat":
            tokens.insert(at, tokens[at])
        elif kind == "replace":
            tokens[at] = draw(st.sampled_from(VOCABULARY))
        else:
            other = draw(st.integers(0, len(tokens) - 1))
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def check(data: bytes, *argv: str) -> None:
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = opt.main(argv)
    finally:
        sys.stdin = stdin
    text = err.getvalue()
    assert status in (0, 1), text
    assert "Traceback" not in text
    assert "internal error" not in text
    assert bool(text) == (status == 1)
    if status == 1:
        assert out.getvalue() == ""
        assert re.match(r"<stdin>:\d+:\d+: error: \S", text), text


QUICK = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@QUICK
@given(mutants())
def test_mutated_programs(text: str):
    check(text.encode(), "-p", "canonicalize,cse")


@QUICK
@given(st.binary(max_size=60))
def test_arbitrary_bytes(data: bytes):
    check(data)
