"""What pld-build writes: which files, which text, and what it refuses."""

import difflib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from xdsl_pld.dialects.builtin_kernels import ALL_TO_ALL_V
from xdsl_pld.templates.runtimes import RUNTIME_PROFILES, TARGETS
from xdsl_pld.tools import build as tool
from xdsl_pld.tools import opt

PROGRAM_NAMES = ("control_flow", "exchange", "host_rail", "tasks")
KERNEL = {"f32": "__builtin_all_to_all_v__fp32.cpp", "i8": "__builtin_all_to_all_v__int8.cpp"}


# Files.


def test_the_files_of_a_pipeline(succeed, exchange):
    assert list(succeed(exchange()).files) == [
        "chip/kernel_config.py",
        "chip/kernels/aiv/__builtin_all_to_all_v__fp32.cpp",
        "chip/orchestration/chip.cpp",
    ]


def test_a_kernel_of_the_users_is_listed_with_its_ir(succeed, programs: Path):
    built = succeed(programs / "tasks.mlir")
    assert [p for p in built.files if p.endswith(".mlir")] == [
        "pipeline/kernels/aic/matrix.mlir",
        "pipeline/kernels/aiv/produce.mlir",
        "pipeline/kernels/aiv/vector.mlir",
    ]
    assert "func.func @matrix(" in built.files["pipeline/kernels/aic/matrix.mlir"]


def test_the_ir_of_a_kernel_is_a_module(succeed, programs: Path, tmp_path: Path, capsys):
    succeed(programs / "tasks.mlir")
    kernel = tmp_path / "out" / "pipeline" / "kernels" / "aiv" / "produce.mlir"
    assert opt.main([str(kernel)]) == 0
    assert capsys.readouterr().out.strip() == kernel.read_text().strip()


def loaded(text: str, monkeypatch: pytest.MonkeyPatch) -> dict:
    """A kernel_config.py, as the runtime's loader reads it."""
    interface = ModuleType("simpler.task_interface")
    interface.ArgDirection = SimpleNamespace(IN="IN", OUT="OUT", INOUT="INOUT")
    monkeypatch.setitem(sys.modules, "simpler", ModuleType("simpler"))
    monkeypatch.setitem(sys.modules, "simpler.task_interface", interface)
    config = {"__file__": "/x/kernel_config.py"}
    exec(compile(text, "kernel_config.py", "exec"), config)
    return config


def test_func_ids_are_dense_in_order_of_first_use(succeed, programs: Path, monkeypatch):
    built = succeed(programs / "tasks.mlir")
    config = loaded(built.only("kernel_config.py"), monkeypatch)
    assert [(k["func_id"], k["name"], k["core_type"]) for k in config["KERNELS"]] == [
        (0, "produce", "aiv"),
        (1, "matrix", "aic"),
        (2, "vector", "aiv"),
    ]
    assert config["KERNELS"][0]["signature"] == ["IN", "IN", "OUT"]
    assert config["KERNELS"][1]["source"] == "/x/kernels/aic/matrix.mlir"
    assert config["ORCHESTRATION"]["signature"] == ["IN", "INOUT", "INOUT"]
    source = built.only("pipeline.cpp")
    assert re.findall(r"rt_submit_aiv_task\((\d)", source) == ["0", "2"]
    assert re.findall(r"(aic|aiv0|aiv1)_kernel_id = (\d)", source) == [("aic", "1"), ("aiv0", "2")]


@pytest.mark.parametrize("program", PROGRAM_NAMES)
def test_python_is_formatted(succeed, programs: Path, tmp_path: Path, program: str):
    succeed(programs / f"{program}.mlir")
    ruff = Path(sys.executable).parent / "ruff"
    if not ruff.exists():
        pytest.skip("ruff is not installed")
    done = subprocess.run(
        [ruff, "format", "--isolated", "--no-cache", "--diff", tmp_path / "out"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_output_is_the_same_twice(succeed, programs: Path):
    first = succeed(programs / "control_flow.mlir")
    assert succeed(programs / "control_flow.mlir").files == first.files


# Kernels.


@pytest.mark.parametrize("element", ["f32", "i8"])
@pytest.mark.parametrize("runtime", RUNTIME_PROFILES)
def test_both_rails_have_one_kernel(succeed, exchange, dispatch, element: str, runtime: str):
    chip = succeed(exchange(element=element), "--runtime", runtime)
    host = succeed(dispatch(element), "--runtime", runtime)
    assert chip.only(KERNEL[element]) == host.only(KERNEL[element])
    assert not any("builtin.tensor." in path for path in chip.files)
    folder = f"builtin.tensor.all_to_all_v__{'fp32' if element == 'f32' else 'int8'}"
    assert [p for p in host.files if p.startswith("builtin.")] == [
        f"{folder}/kernel_config.py",
        f"{folder}/kernels/aiv/{KERNEL[element]}",
        f"{folder}/orchestration/entry.cpp",
    ]


def test_element_types_differ_where_dtype_cpp_stands(succeed, exchange):
    f32 = succeed(exchange(element="f32")).only(KERNEL["f32"]).splitlines()
    i8 = succeed(exchange(element="i8")).only(KERNEL["i8"]).splitlines()
    changed = [line for line in difflib.ndiff(f32, i8) if line[0] in "+-"]
    assert changed == ["- using Element = float;", "+ using Element = int8_t;"]


# The orchestration's text.


@pytest.mark.parametrize("target", TARGETS)
def test_one_block_has_no_launch_spec(succeed, exchange, target: str):
    assert "launch_spec" not in succeed(exchange(1), "--target", target).only("chip.cpp")


@pytest.mark.parametrize("target", TARGETS)
def test_eight_blocks_have_one_launch_spec_with_a_sync_start(succeed, exchange, target: str):
    text = succeed(exchange(8), "--target", target).only("chip.cpp")
    set_blocks = TARGETS[target].set_blocks
    assert re.findall(r"launch_spec\.(.*);", text) == [
        f"{set_blocks}(8)",
        "set_require_sync_start(true)",
    ]


@pytest.mark.parametrize("runtime", RUNTIME_PROFILES)
def test_each_tensor_operand_is_checked_before_the_submit(succeed, exchange, runtime: str):
    text = succeed(exchange(), "--runtime", runtime).only("chip.cpp")
    code = RUNTIME_PROFILES[runtime].invalid_args
    submit = text.index("rt_submit_aiv_task(")
    for name, operand in zip(
        ("inp", "data", "signal", "counts", "recv"), ALL_TO_ALL_V.operands, strict=True
    ):
        guard = re.search(
            rf"if \(!{name}\.is_contiguous\) {{\s*rt_report_fatal\({code}, "
            rf'"__builtin_all_to_all_v__fp32: {operand.role} is not contiguous"\);\s*return;',
            text,
        )
        assert guard is not None, name
        assert guard.start() < submit
    assert text.count("is_contiguous") == len(ALL_TO_ALL_V.operands)


def test_the_order_in_a_task(succeed, exchange):
    lines = succeed(exchange()).only("chip.cpp").splitlines()
    task = [line.strip() for line in lines if "task_0" in line]
    assert task == [
        "CoreTaskArgs task_0;",
        "task_0.add_input(inp);",
        "task_0.add_inout(data);",
        "task_0.add_inout(signal);",
        "task_0.add_input(counts);",
        "task_0.add_inout(recv);",
        "task_0.add_scalar(data_ctx);",
        "task_0.add_scalar(signal_ctx);",
        "task_0.add_scalar(recv_ctx);",
        "task_0.launch_spec.set_block_num(4);",
        "task_0.launch_spec.set_require_sync_start(true);",
        "rt_submit_aiv_task(0, task_0);",
    ]


def test_names_are_made_cpp_names(succeed, exchange):
    text = exchange().replace("%inp", "%int").replace("%data,", "%a.b$c,")
    text = text.replace("%data:", "%a.b$c:").replace("%counts", "%orch_args")
    source = succeed(text).only("chip.cpp")
    assert re.findall(r"const Tensor& (\w+) =", source)[:4] == [
        "int_v",
        "a_b_c",
        "signal",
        "orch_args_v",
    ]


# What is refused.

CHIP = """\
func.func @k(%a: {type} {{pl.dir = "inout"}}) attributes {{pl.func_type = "aiv"}} {{ func.return }}
func.func @chip({parameters}) attributes {{pl.func_type = "orchestration"}} {{
{body}
  func.return
}}
"""


def chip(body: str, parameters: str = "%x: tensor<4xf32>", type_: str = "tensor<4xf32>") -> str:
    return CHIP.format(body=body, parameters=parameters, type=type_)


def many(count: int, type_: str = "tensor<4xf32>") -> str:
    return ", ".join(f"%x{i}: {type_}" for i in range(count))


def wide_call(tensors: int, scalars: int) -> str:
    parameters = ", ".join(
        [many(tensors)] + [f"%s{i}: index" for i in range(scalars)] if scalars else [many(tensors)]
    )
    arguments = ", ".join([f"%x{i}" for i in range(tensors)] + [f"%s{i}" for i in range(scalars)])
    types = ", ".join(["tensor<4xf32>"] * tensors + ["index"] * scalars)
    directions = ", ".join(['"input"'] * tensors + ['"scalar"'] * scalars)
    return f"""\
func.func private @k({types}) attributes {{pl.func_type = "aiv"}}
func.func @chip({parameters}) attributes {{pl.func_type = "orchestration"}} {{
  pl.call @k({arguments}) {{arg_directions = [{directions}]}} : ({types}) -> ()
  func.return
}}
"""


CALL = 'pl.call @k(%x){} {{arg_directions = ["inout"]}} : (tensor<4xf32>) -> ()'
REFUSED = [
    (wide_call(33, 0), "3:3", "a task takes at most 32 tensors; this one has 33"),
    (wide_call(1, 17), "3:3", "a task takes at most 16 scalars; this one has 17"),
    (chip("", many(257)), "2:1", "a pipeline takes at most 256 tensors, not 257"),
    (chip("", many(129, "index")), "2:1", "a pipeline takes at most 128 scalars, not 129"),
    (
        chip(f"  %n = arith.constant 32768 : index\n  {CALL.format(' core_num(%n)')}"),
        "4:3",
        "a launch has at most 32767 blocks, this one 32768",
    ),
    (
        chip("", "%x: tensor<1x1x1x1x1x1xf32>"),
        "2:17",
        "a tensor of the runtime has at most 5 dimensions, not 6",
    ),
    (
        chip("  %r = pld.system.rank %c : i32", "%c: !pld.comm_ctx"),
        "3:3",
        "'pld.system.rank' has no form in a chip orchestration",
    ),
    (
        chip("  %r = pld.system.nranks %c : i32", "%c: !pld.comm_ctx"),
        "3:3",
        "'pld.system.nranks' has no form in a chip orchestration",
    ),
    (
        chip(
            "  %b = pl.tensor.assemble %x into %y[0] : tensor<4xf32>, tensor<8xf32>",
            "%x: tensor<4xf32>, %y: tensor<8xf32>",
        ),
        "3:3",
        "'pl.tensor.assemble' has no form in a chip orchestration",
    ),
    (
        chip(
            "  %q = pl.tensor.read %x[0] : tensor<4xf16> -> f16",
            "%x: tensor<4xf16>",
        ),
        "3:3",
        "C++ has no type for one element of type f16",
    ),
    (
        """\
func.func @chip(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pl.func_type = "orchestration"} {
  %e = pl.tensor.create : tensor<4xf32>
  func.return %e : tensor<4xf32>
}
""",
        "3:3",
        "result 0 of the pipeline is a tensor of its own",
    ),
    (
        """\
func.func @chip(%x: tensor<4xf32>, %f: i1) -> tensor<4xf32>
    attributes {pl.func_type = "orchestration"} {
  %r = scf.if %f -> (tensor<4xf32>) {
    %e = pl.tensor.create : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
""",
        "3:3",
        "a tensor that is allocated inside this body leaves it",
    ),
    (
        """\
func.func @s(%x: tensor<4xf32>) attributes {pl.func_type = "spmd"} {
  pl.call @t(%x) {arg_directions = ["input"]} : (tensor<4xf32>) -> ()
  func.return
}
func.func @t(%x: tensor<4xf32>) attributes {pl.func_type = "spmd"} {
  pl.call @s(%x) {arg_directions = ["input"]} : (tensor<4xf32>) -> ()
  func.return
}
func.func @chip(%x: tensor<4xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @s(%x) {arg_directions = ["input"]} : (tensor<4xf32>) -> ()
  func.return
}
""",
        "6:3",
        "wrappers launch each other, 's' -> 't' -> 's': no kernel stands at the end",
    ),
]


@pytest.mark.parametrize(("text", "place", "message"), REFUSED)
def test_what_has_no_form_is_refused_at_its_place(build, text: str, place: str, message: str):
    built = build(text)
    assert built.status == 1
    assert f"program.mlir:{place}: error: {message}" in built.err
    assert built.files == {}


def test_all_that_is_refused_is_reported_at_once(build):
    body = "  %r = pld.system.rank %c : i32\n  %n = pld.system.nranks %c : i32\n"
    body += "  %s = arith.addi %r, %n : i32"
    built = build(chip(body, "%c: !pld.comm_ctx"))
    assert built.err.count("error: ") == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variables": ""}, "variable 'dtype_cpp' is missing"),
        ({"variables": "dtype_cpp="}, "variable 'dtype_cpp' has an empty value"),
        ({"variables": "dtype_cpp=a=b"}, "which is no C++ name or number"),
        ({"variables": "dtype_cpp=float,dtype_cpp=float"}, "variable 'dtype_cpp' is given twice"),
        ({"handle": ":my.own.exchange"}, "template :my.own.exchange is unknown"),
        ({"handle": "/etc/passwd"}, "is no template handle"),
        ({"pipeline": '@"../x"'}, "'../x' cannot name a file"),
        ({"pipeline": '@"a/b"'}, "'a/b' cannot name a file"),
        ({"pipeline": "@con"}, "'con' cannot name a file: some systems keep"),
        ({"pipeline": '@"builtin.tensor.x"'}, "is the name of a folder of the host rail"),
        ({"pipeline": '@"a b"'}, "'a b' cannot name a file"),
        ({"pipeline": '@"a\\0Ab"'}, "cannot name a file"),
        ({"pipeline": f"@{'a' * 201}"}, "a name of 201 characters cannot name a file"),
        ({"kernel": '@"../../etc/x"'}, "'../../etc/x' cannot name a file"),
        ({"kernel": '@".hidden"'}, "'.hidden' cannot name a file"),
    ],
)
def test_templates_and_names_that_are_refused(build, exchange, tmp_path, options, message: str):
    before = build(exchange())
    assert before.status == 0
    built = build(exchange(**options))
    assert built.status == 1
    assert f": error: {message}" in built.err or message in built.err
    assert "Traceback" not in built.err
    assert built.files == before.files
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "program.mlir"]


def test_names_that_differ_in_case_only(build, exchange):
    other = exchange(pipeline="@Chip").split("func.func @__builtin")[0]
    built = build(exchange() + other)
    assert "'Chip' and 'chip' differ in case only" in built.err
    assert built.status == 1


def test_an_indexed_exchange_is_refused_for_the_910b(build, exchange):
    handle = ":pypto.runtime.builtins.collectives.indexed_all_to_all_v"
    built = build(exchange(handle=handle))
    assert "needs URMA queues, which target 910b does not have" in built.err
    assert build(exchange(handle=handle), "--target", "950").status == 0


def test_a_collective_of_the_host_rail_without_a_template(build, dispatch):
    text = re.sub(
        r"pld.builtin.all_to_all_v %send, %data, %signal, .*?\)\n    }",
        'pld.builtin.barrier %signal device(%r) {arg_directions = ["inout"]} '
        ": (!pld.dist_tensor<tensor<2x8xi32>>)\n    }",
        dispatch(),
        flags=re.DOTALL,
    )
    built = build(text)
    assert "'pld.builtin.barrier' has no template" in built.err
    assert built.status == 1


def test_a_module_without_a_pipeline(build):
    built = build("func.func @f() { func.return }\n")
    assert "the module holds nothing to build" in built.err
    assert built.status == 1


# A user's templates.


def test_a_template_of_the_users(succeed, exchange, tmp_path: Path):
    folder = tmp_path / "templates" / "my.own.exchange"
    folder.mkdir(parents=True)
    (folder / "kernel.cpp.j2").write_text("using T = {{ dtype_cpp }};\n")
    built = succeed(
        exchange(handle=":my.own.exchange"), "--template-path", str(tmp_path / "templates")
    )
    assert built.only("fp32.cpp") == "using T = float;\n"


def test_a_template_path_that_is_no_folder(capsys, tmp_path: Path):
    status = tool.main(["x.mlir", "--print", "--template-path", str(tmp_path / "absent")])
    assert status == 2
    assert "argument --template-path" in capsys.readouterr().err


# The output.


def test_the_summary_lists_the_files(succeed, exchange):
    built = succeed(exchange())
    assert "runtime 2026.09, target 910b" in built.out
    for path, text in built.files.items():
        assert re.search(rf"^  {re.escape(path)} +{text.count(chr(10))} lines$", built.out, re.M)


def test_print_writes_no_file(capsys, programs: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tool.main([str(programs / "exchange.mlir"), "--print"]) == 0
    assert "// ===== chip_pipeline/orchestration/chip_pipeline.cpp =====" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_an_earlier_build_is_replaced(succeed, exchange, tmp_path: Path):
    succeed(exchange())
    (tmp_path / "out" / "chip" / "__pycache__").mkdir()
    built = succeed(exchange(pipeline="@other"))
    assert "chip/kernel_config.py" not in built.files
    assert "other/kernel_config.py" in built.files
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "program.mlir"]


def test_a_folder_with_other_files_is_left_alone(build, exchange, tmp_path: Path):
    assert build(exchange()).status == 0
    (tmp_path / "out" / "chip" / "mine.txt").write_text("mine")
    built = build(exchange(8))
    assert built.status == 1
    assert "'chip/mine.txt' in it was not written by pld-build" in built.err
    assert "mine.txt" in str(list(built.files))


@pytest.mark.parametrize("kind", ["file", "missing parent", "foreign"])
def test_an_output_that_cannot_be_written(exchange, tmp_path: Path, capsys, kind: str):
    program = tmp_path / "program.mlir"
    program.write_text(exchange())
    output = tmp_path / "out"
    if kind == "file":
        output.write_text("a file")
    elif kind == "foreign":
        output.mkdir()
        (output / "x").write_text("x")
    else:
        output = tmp_path / "absent" / "out"
    before = sorted(tmp_path.rglob("*"))
    assert tool.main([str(program), "-o", str(output)]) == 1
    assert capsys.readouterr().err.startswith(f"error: cannot write '{output}': ")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("successes", [0, 1])
def test_an_error_while_writing_changes_nothing(
    build, exchange, tmp_path: Path, monkeypatch, successes: int
):
    """The old folder is moved away, then the new one into its place."""
    before = build(exchange())
    rename, calls = Path.rename, []

    def fail(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == successes + 1:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    built = build(exchange(8))
    assert built.status == 1
    assert "No space left on device" in built.err
    assert built.files == before.files
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "program.mlir"]


# Targets of xDSL's driver.


@pytest.mark.parametrize(
    ("target", "ending"),
    [("pld-kernels", "fp32.cpp"), ("pld-orchestration", "chip.cpp"), ("pld-config", "config.py")],
)
def test_targets_print_the_same_texts(succeed, exchange, tmp_path, capsys, target, ending):
    built = succeed(exchange(), "--runtime", "2026.08", "--target", "950")
    program = str(tmp_path / "program.mlir")
    assert opt.main([program, "-t", f'{target}{{runtime="2026.08" target="950"}}']) == 0
    head, text = capsys.readouterr().out.split(" =====\n", 1)
    assert head.endswith(ending)
    assert text == built.only(ending)


def test_a_target_refuses_at_the_place(exchange, tmp_path: Path, capsys):
    program = tmp_path / "program.mlir"
    program.write_text(chip("  %r = pld.system.rank %c : i32", "%c: !pld.comm_ctx"))
    assert opt.main([str(program), "-t", "pld-orchestration"]) == 1
    assert "program.mlir:3:3: error: 'pld.system.rank' has no form" in capsys.readouterr().err
