"""
What each operation computes, and that pld-run knows them all. Expected values are numpy's, or by
the reference: truncating division, wrapping integers, ties to even.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from xdsl.ir import Operation

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.tools.interpreter.machine import Agent

ROOT = Path(__file__).resolve().parents[2]
Compute = Callable[..., Mapping[str, np.ndarray]]


def kernel_text(program: type, tensors: Mapping[str, str], body: str, launch: str = "") -> str:
    """One rank whose pipeline launches one kernel with `body`; it may write all tensors."""
    parameters = ", ".join(f'%{n}: {t} {{pl.dir = "inout"}}' for n, t in tensors.items())
    names, types = ", ".join(f"%{n}" for n in tensors), ", ".join(tensors.values())
    kernel = (
        f'func.func @kernel({parameters}) attributes {{pl.func_type = "incore"}} {{\n'
        f"{body}\n  func.return\n}}"
    )
    constants = "\n".join(f"  %n{n} = arith.constant {n} : index" for n in (2, 3, 5))
    call = f"{constants}\n  pl.call @kernel({names}) {launch} : ({types}) -> ()"
    return program(1, tensors, {}, call, kernel).text()


@pytest.fixture
def compute(succeed: Callable, program: type) -> Compute:
    """Runs a kernel on one rank and gives the arrays afterwards."""

    def run(
        tensors: Mapping[str, str], body: str, launch: str = "", **inputs: np.ndarray
    ) -> Mapping[str, np.ndarray]:
        stacked = {f"{name}s": array[None] for name, array in inputs.items()}
        text = kernel_text(program, tensors, body, launch)
        outcome = succeed(text, "--ranks", "1", inputs=stacked)
        return {name: outcome.arrays[f"{name}s"][0] for name in tensors}

    return run


@pytest.fixture
def refuse(run_text: Callable, program: type) -> Callable[..., str]:
    """Runs a kernel that must not run, and gives the error."""

    def run(tensors: Mapping[str, str], body: str, launch: str = "", **inputs: np.ndarray) -> str:
        stacked = {f"{name}s": array[None] for name, array in inputs.items()}
        text = kernel_text(program, tensors, body, launch)
        outcome = run_text(text, "--ranks", "1", inputs=stacked)
        assert outcome.status == 1
        assert re.match(r"program\.mlir:\d+:\d+: error: ", outcome.err)
        assert "Traceback" not in outcome.err
        return outcome.err

    return run


# Tiles

ELEMENTS = {
    "f32": np.float32,
    "f16": np.float16,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui32": np.uint32,
}


def numbers(dtype: type, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of which sums and products leave the range of an integer type."""
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=shape).astype(dtype) * dtype(100)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": lambda a, b: np.where(a > b, a, b),
    "min": lambda a, b: np.where(a < b, a, b),
    "div": lambda a, b: a / b,
}


@pytest.mark.parametrize("element", ELEMENTS)
def test_arithmetic_on_tiles(compute: Compute, element: str):
    """Tile with tile, and with one scalar; integers wrap, floats round to the element type."""
    dtype = ELEMENTS[element]
    names = [n for n in OPERATORS if n != "div" or np.dtype(dtype).kind == "f"]
    count = len(names)
    row, all_rows = f"tensor<1x6x{element}>", f"tensor<{count}x6x{element}>"
    tile, scalar = f"!pl.tile<{row}>", element
    body = f"""\
  %a = pl.tile.load %x[0, 0] [1, 6] : {row} -> {tile}
  %b = pl.tile.load %y[0, 0] [1, 6] : {row} -> {tile}
  %s = pl.tensor.read %y[0, 3] : {row} -> {scalar}
"""
    for at, name in enumerate(names):
        body += f"""\
  %t{at} = pl.tile.{name} %a, %b : {tile}, {tile}
  %w{at} = pl.tile.store %t{at} into %tiles[{at}, 0] : {tile}, {all_rows}
  %u{at} = pl.tile.{name} %a, %s : {tile}, {scalar}
  %v{at} = pl.tile.store %u{at} into %scalars[{at}, 0] : {tile}, {all_rows}
"""
    rng = np.random.default_rng(7)
    x, y = (numbers(dtype, rng, (1, 6)) for _ in range(2))
    tensors = {"x": row, "y": row, "tiles": all_rows, "scalars": all_rows}
    zeros = np.zeros((count, 6), dtype)
    got = compute(tensors, body, x=x, y=y, tiles=zeros, scalars=zeros)
    with np.errstate(all="ignore"):
        for at, name in enumerate(names):
            combined = OPERATORS[name]
            assert np.array_equal(got["tiles"][at], combined(x, y)[0]), name
            assert np.array_equal(got["scalars"][at], combined(x, y[0, 3:4])[0]), name


def test_floats_at_the_edge(compute: Compute):
    """As arith.maximumf and minimumf: NaN wins, zeros have an order; x / 0 is infinite."""
    row = "tensor<1x5xf32>"
    tile, rows = f"!pl.tile<{row}>", "tensor<3x5xf32>"
    body = f"""\
  %a = pl.tile.load %x[0, 0] [1, 5] : {row} -> {tile}
  %b = pl.tile.load %y[0, 0] [1, 5] : {row} -> {tile}
  %c = pl.tile.max %a, %b : {tile}, {tile}
  %d = pl.tile.min %a, %b : {tile}, {tile}
  %e = pl.tile.div %a, %b : {tile}, {tile}
  %w0 = pl.tile.store %c into %z[0, 0] : {tile}, {rows}
  %w1 = pl.tile.store %d into %z[1, 0] : {tile}, {rows}
  %w2 = pl.tile.store %e into %z[2, 0] : {tile}, {rows}
"""
    x = np.array([[np.nan, 0.0, -0.0, 1.0, -1.0]], np.float32)
    y = np.array([[1.0, -0.0, 0.0, 0.0, 0.0]], np.float32)
    z = compute({"x": row, "y": row, "z": rows}, body, x=x, y=y, z=np.zeros((3, 5), np.float32))[
        "z"
    ]
    assert np.isnan(z[:2, 0]).all()
    assert not np.signbit(z[0, 1:3]).any()
    assert np.signbit(z[1, 1:3]).all()
    assert z[2, 3] == np.inf
    assert z[2, 4] == -np.inf


CASTS = [
    # Ties to even, and what is too large becomes infinite.
    ("f32", "f16", [1.0, 2049.0, 2051.0, 65520.0, -1e30], [1.0, 2048.0, 2052.0, np.inf, -np.inf]),
    ("f16", "f32", [0.1, -2.5, 65504.0], [np.float32(np.float16(0.1)), -2.5, 65504.0]),
    ("f32", "i32", [3.0, -7.0, 2147483520.0, -2147483648.0], [3, -7, 2147483520, -(2**31)]),
    ("f32", "ui8", [0.0, 255.0], [0, 255]),
    ("i32", "f32", [16777217, 16777219, -5], [16777216.0, 16777220.0, -5.0]),
    ("i32", "i8", [-128, 127, 0], [-128, 127, 0]),
    ("i8", "i64", [-128, 127], [-128, 127]),
    ("ui8", "i8", [0, 127], [0, 127]),
    ("ui8", "i16", [200], [200]),
]


def cast_body(from_: str, to: str, count: int) -> tuple[dict[str, str], str]:
    source, result = f"tensor<1x{count}x{from_}>", f"tensor<1x{count}x{to}>"
    body = f"""\
  %a = pl.tile.load %x[0, 0] [1, {count}] : {source} -> !pl.tile<{source}>
  %b = pl.tile.cast %a : !pl.tile<{source}> -> !pl.tile<{result}>
  %w = pl.tile.store %b into %y[0, 0] : !pl.tile<{result}>, {result}
"""
    return {"x": source, "y": result}, body


@pytest.mark.parametrize(("from_", "to", "given", "expected"), CASTS)
def test_casts_of_tiles(compute: Compute, from_: str, to: str, given: list, expected: list):
    tensors, body = cast_body(from_, to, len(given))
    y = np.zeros((1, len(given)), ELEMENTS[to])
    got = compute(tensors, body, x=np.array([given], ELEMENTS[from_]), y=y)["y"]
    assert got.tolist() == [expected]


@pytest.mark.parametrize(
    ("from_", "to", "given"),
    [
        ("f32", "i32", 2.5),
        ("f32", "i32", 2147483648.0),
        ("f32", "i32", np.nan),
        ("f32", "i64", np.inf),
        ("f16", "ui8", -1.0),
        ("f16", "i8", 128.0),
        ("i32", "i8", 128),
        ("i8", "ui8", -1),
        ("ui8", "i8", 128),
        ("ui32", "i32", 2**31),
    ],
)
def test_a_cast_that_would_have_to_choose_is_refused(
    refuse: Callable[..., str], from_: str, to: str, given: float
):
    tensors, body = cast_body(from_, to, 3)
    x = np.array([[1, given, 1]], ELEMENTS[from_])
    error = refuse(tensors, body, x=x, y=np.zeros((1, 3), ELEMENTS[to]))
    assert "element [0, 1] of the tile is" in error
    assert f"which {to} does not hold" in error
    assert "nothing says whether a cast of tiles rounds, wraps or saturates" in error


def test_shapes_of_tiles(compute: Compute):
    """full, row_sum, reshape, slice; sums are taken from the left, in the element type."""
    body = """\
  %one = arith.constant -3 : i8
  %f = pl.tile.full %one : i8 -> !pl.tile<tensor<2x4xi8>>
  %a = pl.tile.load %x[0, 0] [2, 4] : tensor<2x4xi8> -> !pl.tile<tensor<2x4xi8>>
  %b = pl.tile.add %a, %f : !pl.tile<tensor<2x4xi8>>, !pl.tile<tensor<2x4xi8>>
  %s = pl.tile.row_sum %b : !pl.tile<tensor<2x4xi8>> -> !pl.tile<tensor<2x1xi8>>
  %w = pl.tile.store %s into %sums[0, 0] : !pl.tile<tensor<2x1xi8>>, tensor<2x1xi8>
  %c = pl.tile.slice %b[0, 1] [2, 2] : !pl.tile<tensor<2x4xi8>> -> !pl.tile<tensor<2x2xi8>>
  %r = pl.tile.reshape %c : !pl.tile<tensor<2x2xi8>> -> !pl.tile<tensor<1x4xi8>>
  %v = pl.tile.store %r into %flat[0, 0] : !pl.tile<tensor<1x4xi8>>, tensor<1x4xi8>
  %g = pl.tile.load %y[0, 0] [1, 3] : tensor<1x3xf32> -> !pl.tile<tensor<1x3xf32>>
  %t = pl.tile.row_sum %g : !pl.tile<tensor<1x3xf32>> -> !pl.tile<tensor<1x1xf32>>
  %u = pl.tile.store %t into %y[0, 0] : !pl.tile<tensor<1x1xf32>>, tensor<1x3xf32>
"""
    tensors = {
        **{"x": "tensor<2x4xi8>", "sums": "tensor<2x1xi8>"},
        **{"flat": "tensor<1x4xi8>", "y": "tensor<1x3xf32>"},
    }
    x = np.array([[100, 100, 3, 0], [-128, 1, 2, 3]], np.int8)
    y = np.array([[2.0**24, 1.0, 1.0]], np.float32)
    got = compute(tensors, body, x=x, y=y)
    # 100 - 3 + 100 - 3 + 0 - 3 = 191 = 191 - 256; -128 - 3 = 125 in 8 bits
    assert got["sums"].tolist() == [[-65], [125 - 2 - 1 + 0]]
    assert got["flat"].tolist() == [[97, 0, -2, -1]]
    assert got["y"][0, 0] == 2.0**24  # 2^24 + 1 rounds to 2^24, twice; 2^24 + 2 would not


def test_a_tile_is_a_value(compute: Compute):
    """What is stored later does not change a tile that was loaded before, nor its slice."""
    row = "tensor<1x2xi32>"
    body = f"""\
  %a = pl.tile.load %x[0, 0] [1, 2] : {row} -> !pl.tile<{row}>
  %b = pl.tile.slice %a[0, 0] [1, 2] : !pl.tile<{row}> -> !pl.tile<{row}>
  %c = pl.tile.add %a, %a : !pl.tile<{row}>, !pl.tile<{row}>
  %w = pl.tile.store %c into %x[0, 0] : !pl.tile<{row}>, {row}
  %v = pl.tile.store %b into %y[0, 0] : !pl.tile<{row}>, {row}
"""
    x = np.array([[1, 2]], np.int32)
    got = compute({"x": row, "y": row}, body, x=x, y=x * 0)
    assert got["x"].tolist() == [[2, 4]]
    assert got["y"].tolist() == [[1, 2]]


OPEN = {
    "a quotient of tiles of i32: nothing says how it rounds": (
        "tensor<1x2xi32>",
        "%b = pl.tile.div %a, %a : !pl.tile<tensor<1x2xi32>>, !pl.tile<tensor<1x2xi32>>",
    ),
    "arithmetic on tiles of i1: conditions are no numbers": (
        "tensor<1x2xi1>",
        "%b = pl.tile.sub %a, %a : !pl.tile<tensor<1x2xi1>>, !pl.tile<tensor<1x2xi1>>",
    ),
    "a cast of tiles between i1 and i32: nothing says which number": (
        "tensor<1x2xi1>",
        "%b = pl.tile.cast %a : !pl.tile<tensor<1x2xi1>> -> !pl.tile<tensor<1x2xi32>>",
    ),
}


@pytest.mark.parametrize("message", OPEN)
def test_what_the_reference_leaves_open(refuse: Callable[..., str], message: str):
    type_, line = OPEN[message]
    load = f"  %a = pl.tile.load %x[0, 0] [1, 2] : {type_} -> !pl.tile<{type_}>\n  "
    assert message in refuse({"x": type_}, load + line)


# Scalars

SCALARS = [
    # op, operands, result; 32 bits
    ("arith.addi", [2**31 - 1, 1], -(2**31)),
    ("arith.subi", [-(2**31), 1], 2**31 - 1),
    ("arith.muli", [65536, 65537], 65536),
    ("arith.divsi", [-7, 2], -3),
    ("arith.remsi", [-7, 2], -1),
    ("arith.divsi", [7, -2], -3),
    ("arith.remsi", [7, -2], 1),
    ("arith.divsi", [-(2**31), -1], -(2**31)),
    ("arith.floordivsi", [-7, 2], -4),
    ("arith.ceildivsi", [-7, 2], -3),
    ("arith.ceildivui", [7, 2], 4),
    ("arith.divui", [-1, 2], 2**31 - 1),
    ("arith.remui", [-1, 10], 5),
    ("arith.shli", [3, 31], -(2**31)),
    ("arith.shrsi", [-8, 1], -4),
    ("arith.shrui", [-8, 1], 2**31 - 4),
    ("arith.andi", [-2, 7], 6),
    ("arith.ori", [-8, 5], -3),
    ("arith.xori", [-1, 5], -6),
    ("arith.maxsi", [-1, 1], 1),
    ("arith.minsi", [-1, 1], -1),
    ("arith.maxui", [-1, 1], -1),
    ("arith.minui", [-1, 1], 1),
    ("math.absi", [-5], 5),
    ("math.ctlz", [255], 24),
    ("math.cttz", [40], 3),
    ("math.cttz", [0], 32),
    ("math.ctpop", [-1], 32),
    ("math.ipowi", [3, 21], (3**21 + 2**31) % 2**32 - 2**31),
    ("math.ipowi", [-1, -3], -1),
    ("math.ipowi", [2, -3], 0),
]
FLOATS = [
    ("arith.addf", [16777216.0, 1.0], 16777216.0),
    ("arith.subf", [1.0, 0.25], 0.75),
    ("arith.mulf", [3.0e38, 10.0], np.inf),
    ("arith.divf", [1.0, 3.0], float(np.float32(1) / np.float32(3))),
    ("arith.divf", [-1.0, 0.0], -np.inf),
    ("arith.negf", [2.5], -2.5),
    ("arith.maximumf", [-0.0, 0.0], 0.0),
    ("arith.minimumf", [1.0, -2.0], -2.0),
    ("arith.maxnumf", [1.0, 2.0], 2.0),
    ("arith.minnumf", [1.0, 2.0], 1.0),
    ("math.absf", [-1.5], 1.5),
    ("math.ceil", [-1.5], -1.0),
    ("math.floor", [-1.5], -2.0),
    ("math.trunc", [-1.5], -1.0),
    ("math.roundeven", [2.5], 2.0),
    ("math.round", [2.5], 3.0),
    ("math.round", [-0.49999997], -0.0),
    ("math.sqrt", [2.0], float(np.float32(2.0**0.5))),
    ("math.rsqrt", [4.0], 0.5),
    ("math.exp2", [10.0], 1024.0),
    ("math.exp", [0.0], 1.0),
    ("math.log2", [8.0], 3.0),
    ("math.log", [0.0], -np.inf),
    ("math.powf", [2.0, -2.0], 0.25),
    ("math.copysign", [3.0, -0.0], -3.0),
    ("math.atan2", [0.0, 1.0], 0.0),
    ("math.cbrt", [27.0], 3.0),
]


def test_scalars(compute: Compute):
    """Integers of 32 bits wrap; division truncates; floats round to their type."""
    body = ""
    for name, cases in (("i32", SCALARS), ("f32", FLOATS)):
        for at, (op, operands, _) in enumerate(cases):
            for position, operand in enumerate(operands):
                literal = f"{operand:.9e}" if name == "f32" else str(operand)
                body += f"  %{name}_{at}x{position} = arith.constant {literal} : {name}\n"
            given = ", ".join(f"%{name}_{at}x{p}" for p in range(len(operands)))
            body += f"  %{name}_{at}r = {op} {given} : {name}\n"
            body += (
                f"  %{name}_{at}w = pl.tensor.write %{name}_{at}r into %{name}[{at}] : {name}, "
                f"tensor<{len(cases)}x{name}>\n"
            )
    tensors = {"i32": f"tensor<{len(SCALARS)}xi32>", "f32": f"tensor<{len(FLOATS)}xf32>"}
    got = compute(tensors, body)
    for at, (op, operands, expected) in enumerate(SCALARS):
        assert got["i32"][at] == expected, (op, operands)
    for at, (op, operands, expected) in enumerate(FLOATS):
        found = got["f32"][at]
        assert found == np.float32(expected), (op, operands)
        assert np.signbit(found) == np.signbit(expected), (op, operands)


def test_conversions(compute: Compute):
    body = """\
  %big = arith.constant 4294967303 : i64
  %small = arith.constant -2 : i8
  %half = arith.constant 2.7 : f32
  %true = arith.constant true
  %c0 = arith.trunci %big : i64 to i32
  %c1 = arith.extsi %small : i8 to i32
  %c2 = arith.extui %small : i8 to i32
  %i3 = arith.index_cast %small : i8 to index
  %c3 = arith.index_cast %i3 : index to i32
  %c5 = arith.fptosi %half : f32 to i32
  %one = arith.constant 1.0 : f32
  %c6 = arith.bitcast %one : f32 to i32
  %c7 = arith.select %true, %c0, %c1 : i32
  %low, %high = arith.mulsi_extended %c1, %c0 : i32
  %sum, %carry = arith.addui_extended %c1, %c0 : i32, i1
  %c10 = arith.extui %carry : i1 to i32
  %f = arith.sitofp %c1 : i32 to f32
  %c11 = arith.fptosi %f : f32 to i32
"""
    values = ["c0", "c1", "c2", "c3", "c5", "c6", "c7", "low", "high", "sum", "c10", "c11"]
    for at, value in enumerate(values):
        body += f"\n  %w{at} = pl.tensor.write %{value} into %y[{at}] : i32, tensor<12xi32>"
    one = np.float32(1.0).view(np.int32)
    assert compute({"y": "tensor<12xi32>"}, body)["y"].tolist() == [
        *(7, -2, 254, -2, 2, int(one), 7, -14, -1, 5, 1, -2)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "%v = arith.addi %x, %x : tensor<2xi32>",
        "%v = arith.maxsi %x, %x : tensor<2xi32>",
        "%v = arith.cmpi slt, %x, %x : tensor<2xi32>",
        "%v = math.absi %x : tensor<2xi32>",
    ],
)
def test_scalar_ops_on_tensors(refuse: Callable[..., str], line: str):
    error = refuse({"x": "tensor<2xi32>"}, f"  {line}")
    assert f"pld-run knows {line.split()[2]} on scalars only" in error


# Storage and control flow


def test_arrays(compute: Compute):
    """What `pl.array` becomes, and its neighbours; each iteration's array is a new one."""
    body = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = memref.alloca() : memref<3xi32>
  %h = memref.alloc(%three) : memref<?xi32>
  %k = memref.alloca() : memref<2xi1>
  %t = arith.constant true
  memref.store %t, %k[%one] : memref<2xi1>
  %u = memref.load %k[%one] : memref<2xi1>
  %f = memref.load %k[%zero] : memref<2xi1>
  scf.for %i = %zero to %three step %one {
    %v = pl.tensor.read %x[%i] : tensor<3xi32> -> i32
    %b = memref.alloca() : memref<3xi32>
    %before = memref.load %b[%zero] : memref<3xi32>
    memref.store %v, %b[%zero] : memref<3xi32>
    %s = arith.addi %v, %before : i32
    memref.store %s, %a[%i] : memref<3xi32>
  }
  "memref.copy"(%a, %a) : (memref<3xi32>, memref<3xi32>) -> ()
  %n = memref.dim %h, %zero : memref<?xi32>
  scf.for %i = %zero to %n step %one {
    %v = memref.load %a[%i] : memref<3xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %h[%i] : memref<?xi32>
    %back = memref.load %h[%i] : memref<?xi32>
    %kept = pl.tensor.write %back into %x[%i] : i32, tensor<3xi32>
  }
  memref.dealloc %h : memref<?xi32>
  %which = arith.andi %u, %f : i1
  scf.if %which {
    %kept = pl.tensor.write %n into %y[0] : index, tensor<3xindex>
  }
  scf.if %u {
    %kept = pl.tensor.write %n into %y[1] : index, tensor<3xindex>
  }
"""
    tensors = {"x": "tensor<3xi32>", "y": "tensor<3xindex>"}
    got = compute(tensors, body, x=np.array([5, 6, 7], np.int32), y=np.zeros(3, np.int64))
    assert got["x"].tolist() == [10, 12, 14]
    assert got["y"].tolist() == [0, 3, 0]


def test_an_index_outside_of_an_array(refuse: Callable[..., str]):
    body = """\
  %three = arith.constant 3 : index
  %a = memref.alloca() : memref<3xi32>
  %v = memref.load %a[%three] : memref<3xi32>
"""
    error = refuse({"x": "tensor<3xi32>"}, body)
    assert "offset 3 and size 1 leave the array in dimension 0, whose extent is 3" in error


def test_what_a_program_reads_of_upstream_tensors(compute: Compute):
    body = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %table = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %v0 = tensor.extract %table[%one, %zero] : tensor<2x2xi32>
  %row = tensor.extract_slice %table[%one, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %v1 = tensor.extract %row[%one] : tensor<2xi32>
  %open = tensor.cast %table : tensor<2x2xi32> to tensor<?x2xi32>
  %d = tensor.dim %open, %zero : tensor<?x2xi32>
  %v2 = arith.index_cast %d : index to i32
  %p = pl.tensor.dim %open {axis = 1 : i64} : tensor<?x2xi32>
  %v3 = arith.index_cast %p : index to i32
  %w0 = pl.tensor.write %v0 into %y[0] : i32, tensor<4xi32>
  %w1 = pl.tensor.write %v1 into %y[1] : i32, tensor<4xi32>
  %w2 = pl.tensor.write %v2 into %y[2] : i32, tensor<4xi32>
  %w3 = pl.tensor.write %v3 into %y[3] : i32, tensor<4xi32>
"""
    assert compute({"y": "tensor<4xi32>"}, body)["y"].tolist() == [3, 4, 2, 2]


def test_control_flow(compute: Compute):
    """while counts down, parallel reduces, a region gives a value, blocks branch and switch."""
    body = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %ten = arith.constant 10 : i32
  %unit = arith.constant 1 : i32
  %left, %steps = scf.while (%a = %three, %b = %zero) : (index, index) -> (index, index) {
    %more = arith.cmpi sgt, %a, %zero : index
    scf.condition(%more) %a, %b : index, index
  } do {
  ^bb0(%a: index, %b: index):
    %less = arith.subi %a, %one : index
    %sum = arith.addi %b, %a : index
    scf.yield %less, %sum : index, index
  }
  %w0 = pl.tensor.write %steps into %y[0] : index, tensor<5xindex>
  %total = "scf.parallel"(%zero, %zero, %three, %three, %one, %one, %ten)
      <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
  ^bb0(%i: index, %j: index):
    "scf.reduce"(%unit) ({
    ^bb0(%p: i32, %q: i32):
      %r = arith.addi %p, %q : i32
      "scf.reduce.return"(%r) : (i32) -> ()
    }) : (i32) -> ()
  }) : (index, index, index, index, index, index, i32) -> i32
  %w = arith.index_cast %total : i32 to index
  %w1 = pl.tensor.write %w into %y[1] : index, tensor<5xindex>
  %v = "scf.execute_region"() ({
    cf.br ^bb1(%three : index)
  ^bb1(%c: index):
    %yes = arith.cmpi eq, %c, %three : index
    cf.assert %yes, "three"
    cf.cond_br %yes, ^bb2(%one : index), ^bb3
  ^bb2(%d: index):
    cf.switch %unit : i32, [
      default: ^bb3,
      4: ^bb3,
      1: ^bb4(%d : index)
    ]
  ^bb3:
    scf.yield %zero : index
  ^bb4(%e: index):
    scf.yield %e : index
  }) : () -> index
  %w2 = pl.tensor.write %v into %y[2] : index, tensor<5xindex>
  %s = scf.index_switch %three -> index
  case 2 {
    scf.yield %zero : index
  }
  case 3 {
    scf.yield %three : index
  }
  default {
    scf.yield %one : index
  }
  %w3 = pl.tensor.write %s into %y[3] : index, tensor<5xindex>
"""
    got = compute({"y": "tensor<5xindex>"}, body, y=np.zeros(5, np.int64))
    assert got["y"].tolist() == [6, 19, 1, 3, 0]


def test_a_failed_assertion(refuse: Callable[..., str]):
    body = """\
  %no = arith.constant false
  cf.assert %no, "rows are even"
"""
    assert "assertion failed: rows are even" in refuse({"x": "tensor<1xi32>"}, body)


# Every operation

DATA, CELLS, TILE = "tensor<4x4xf32>", "tensor<2x1xi32>", "!pl.tile<tensor<1x4xf32>>"
D_DATA, D_CELLS = f"!pld.dist_tensor<{DATA}>", f"!pld.dist_tensor<{CELLS}>"
INDEX = "tensor<2x2xi32>"
COLLECTIVES = {
    "all_to_all_v": f"%in, %d, SIGNAL, %counts, %recv : {D_DATA}, {D_DATA}, {D_CELLS}, {D_CELLS}, "
    f"{D_CELLS}",
    "all_to_all": f"%in, %d, SIGNAL : {D_DATA}, {D_DATA}, {D_CELLS}",
    "allgather": f"%part, %d, SIGNAL : {D_DATA.replace('4x4', '2x4')}, {D_DATA}, {D_CELLS}",
    "allreduce": f'%d, SIGNAL {{op = "sum"}} : {D_DATA}, {D_CELLS}',
    "reduce_scatter": f'%d, SIGNAL {{op = "sum"}} : {D_DATA}, {D_CELLS}',
    "broadcast": f"%d, SIGNAL {{root = 0 : i64}} : {D_DATA}, {D_CELLS}",
    "barrier": f"SIGNAL : {D_CELLS}",
}
KERNEL = f"""\
func.func @kernel(%x: {DATA} {{pl.dir = "inout"}}, %d: {D_DATA} {{pl.dir = "inout"}},
    %f: {D_CELLS} {{pl.dir = "inout"}}) -> {DATA} attributes {{pl.func_type = "incore"}} {{
  %unit = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %ctx = pld.system.get_comm_ctx %f : {D_CELLS}
  %me = pld.system.rank %ctx : i32
  %all = pld.system.nranks %ctx : i32
  %next = arith.addi %me, %unit : i32
  %peer = arith.remsi %next, %all : i32
  %a = pl.tile.load %x[0, 0] [1, 4] : {DATA} -> {TILE}
  %b = pl.tile.full %half : f32 -> {TILE}
  %c = pl.tile.add %a, %b : {TILE}, {TILE}
  %e = pl.tile.sub %c, %half : {TILE}, f32
  %g = pl.tile.mul %e, %half : {TILE}, f32
  %h = pl.tile.div %g, %half : {TILE}, f32
  %i = pl.tile.max %h, %b : {TILE}, {TILE}
  %j = pl.tile.min %i, %h : {TILE}, {TILE}
  %k = pl.tile.cast %j : {TILE} -> !pl.tile<tensor<1x4xf16>>
  %s = pl.tile.row_sum %j : {TILE} -> !pl.tile<tensor<1x1xf32>>
  %r = pl.tile.reshape %j : {TILE} -> !pl.tile<tensor<2x2xf32>>
  %l = pl.tile.slice %r[0, 0] [1, 2] : !pl.tile<tensor<2x2xf32>> -> !pl.tile<tensor<1x2xf32>>
  %m = pl.tile.store %l into %x[1, 0] : !pl.tile<tensor<1x2xf32>>, {DATA}
  %n = pl.tile.block_idx : index
  %o = pl.tile.block_num : index
  %p = pl.tensor.dim %d {{axis = 0 : i64}} : {D_DATA}
  pld.tensor.put %x[0, 0] into %d[0, 0] [1, 4] peer(%peer) : {DATA}, {D_DATA}
  pld.tile.put %x[0, 0] into %d[1, 0] [1, 4] peer(%peer) : {DATA}, {D_DATA}
  pld.tile.remote_store %j into %d[2, 0] peer(%peer) : {TILE}, {D_DATA}
  pld.system.notify %f[0, 0] peer(%peer) value(%unit) {{op = "set"}} : {D_CELLS}, i32, i32
  pld.system.wait %f[0, 0] expected(%unit) {{cmp = "ge"}} : {D_CELLS}, i32
  %q = pld.tile.remote_load %d[0, 0] [1, 4] peer(%peer) : {D_DATA} -> {TILE}
  pld.tensor.get %d[0, 0] into %x[2, 0] [1, 4] peer(%peer) : {D_DATA}, {DATA}
  pld.tile.get %d[0, 0] into %x[3, 0] [1, 4] peer(%peer) : {D_DATA}, {DATA}
  func.return %x : {DATA}
}}
"""
CHIP = f"""\
  %c1 = arith.constant 1 : index
  %y, %t = pl.submit @kernel(%x, %d, %f) : ({DATA}, {D_DATA}, {D_CELLS}) -> ({DATA}, !pl.task_id)
  %u = pl.task_dummy deps(%t)
  %new = pl.tensor.create : {DATA}
  %box = pl.tensor.slice %y[0, 0] [2, 4] : {DATA} -> tensor<2x4xf32>
  %asm = pl.tensor.assemble %box into %new[2, 0] : tensor<2x4xf32>, {DATA}
  %flat = pl.tensor.view %asm : {DATA} -> tensor<16xf32>
  %square = pl.tensor.reshape %flat : tensor<16xf32> -> {DATA}
  %valid = pl.tensor.set_validshape %square
    : {DATA} -> tensor<4x4xf32, {{valid_shape = array<i64: 2, 4>}}>
  %turned = pl.tensor.transpose %square {{axes = array<i64: 1, 0>}} : {DATA} -> {DATA}
  %v = pl.tensor.read %turned[0, 0] : {DATA} -> f32
  %w = pl.tensor.write %v into %x[0, 0] : f32, {DATA}
  %z = pld.tensor.indexed_all_to_all_v %x, %d, %s7, %counts, %recv, %index core_num(%c1)
    : {DATA}, {D_DATA}, {D_CELLS}, {D_CELLS}, {D_CELLS}, {INDEX}
"""


DOMAIN = """\
  %v = pld.comm_domain attributes {name = "all", slots = []} -> i32 {
    %seven = arith.constant 7 : i32
    pld.yield %seven : i32
  }
  %w = pl.tensor.write %v into %xs[0, 0, 0] : i32, tensor<2x2x2xi32>
"""


def test_every_op_of_the_dialects_is_executed(
    succeed: Callable, program: Callable, monkeypatch: pytest.MonkeyPatch
):
    """A program with all of them, as written and by the host rail."""
    executed: set[str] = set()
    step = Agent.step

    def record(self: Agent, op: Operation) -> None:
        executed.add(op.name)
        step(self, op)

    monkeypatch.setattr(Agent, "step", record)
    windows = {"d": DATA, "in": DATA, "part": "tensor<2x4xf32>", "f": CELLS}
    windows |= {"counts": CELLS, "recv": CELLS, **{f"s{n}": CELLS for n in range(8)}}
    host = "".join(
        f"  %r{n} = pld.tensor.{name} {operands.replace('SIGNAL', f'%s{n}')}\n"
        for n, (name, operands) in enumerate(COLLECTIVES.items())
    )
    text = program(2, {"x": DATA, "index": INDEX}, windows, CHIP, KERNEL, host).text()
    succeed(text, "--ranks", "2")
    rail = "materialize-comm-domain-scopes,lower-host-tensor-collectives"
    succeed(text, "--ranks", "2", "-p", rail)
    succeed(program(2, {"x": INDEX}, {}, "", host_steps=DOMAIN).text(), "--ranks", "2")
    registered = {op.name for dialect in (PL, PLD) for op in dialect.operations}
    assert registered - executed == set()
