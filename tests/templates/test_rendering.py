"""Rendering is strict, and the text of a kernel depends on the element type's name alone."""

import difflib
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from xdsl_pld.dialects.builtin_kernels import (
    ALL_TO_ALL_V,
    INDEXED_ALL_TO_ALL_V,
    TEMPLATE_PREFIX,
)
from xdsl_pld.templates.errors import TemplateError
from xdsl_pld.templates.registry import TemplateFolder, TemplateRegistry
from xdsl_pld.templates.render import Renderer, make_environment
from xdsl_pld.templates.runtimes import RUNTIME_PROFILES, TARGETS
from xdsl_pld.templates.wellformed import check_rendered

OPERATORS = ("all_to_all_v", "indexed_all_to_all_v")
RUNTIMES = tuple(RUNTIME_PROFILES)
HANDLE = TEMPLATE_PREFIX + "all_to_all_v"


def kernel(operator: str, dtype: str, runtime: str = "2026.09") -> str:
    renderer = Renderer(runtime=RUNTIME_PROFILES[runtime])
    return renderer.kernel(TEMPLATE_PREFIX + operator, f"dtype_cpp={dtype}")


def code_of(text: str) -> str:
    """The text without comments and string literals."""
    return re.sub(r'//[^\n]*|"[^"\n]*"', "", text)


# What is refused.


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ("", "variable 'dtype_cpp' is missing"),
        ("dtype_cpp=", "variable 'dtype_cpp' has an empty value"),
        ("dtype_cpp", "variable 'dtype_cpp' is given without '=' and a value"),
        ("dtype_cpp=a=b", "variable 'dtype_cpp' has the value 'a=b'"),
        ("a=b=c", "variable 'a' has the value 'b=c'"),
        ("dtype_cpp=float,dtype_cpp=float", "variable 'dtype_cpp' is given twice"),
        ("dtype_cpp=float,ranks=4", "variable 'ranks' is unknown; the template takes: dtype_cpp"),
        ("dtype_cpp=float,tensor_type=X", "variable 'tensor_type' is unknown"),
        ("dtype_cpp=float,", "'' is not of the form key=value"),
        (",dtype_cpp=float", "'' is not of the form key=value"),
        ("=float", "'=float' is not of the form key=value"),
        ("dtype cpp=float", "'dtype cpp=float' is not of the form key=value"),
        (" dtype_cpp=float", "' dtype_cpp=float' is not of the form key=value"),
        ("dtype_cpp=float; evil()", "which is no C++ name or number"),
        ("dtype_cpp=float\nx", "which is no C++ name or number"),
        ("dtype_cpp={{ x }}", "which is no C++ name or number"),
    ],
)
@pytest.mark.parametrize("operator", OPERATORS)
def test_a_variable_that_does_not_fit(operator: str, variables: str, message: str):
    handle = TEMPLATE_PREFIX + operator
    with pytest.raises(TemplateError) as caught:
        Renderer().kernel(handle, variables)
    assert message in str(caught.value)
    assert f"template {handle}: " in str(caught.value)


@pytest.mark.parametrize(
    "handle",
    [
        TEMPLATE_PREFIX + "reduce",
        TEMPLATE_PREFIX + "shared",
        TEMPLATE_PREFIX + "all_to_all_v.kernel",
        ":all_to_all_v",
        ":somebody.else.all_to_all_v",
    ],
)
def test_a_template_that_is_not_there(handle: str):
    with pytest.raises(TemplateError, match="is unknown") as caught:
        Renderer().kernel(handle, "dtype_cpp=float")
    assert handle in str(caught.value)


@pytest.mark.parametrize(
    "handle",
    ["", ":", "all_to_all_v", "/etc", ":../x", ":a/b", ":a..b", ":.a", ":a.", ":a b", ":a\n", ":é"],
)
def test_a_handle_that_is_none(handle: str):
    with pytest.raises(TemplateError, match="is no template handle"):
        Renderer().kernel(handle, "dtype_cpp=float")


def test_the_host_rail_of_a_kernel_that_has_none():
    with pytest.raises(TemplateError, match=r"has no entry\.cpp\.j2: it is not for the host rail"):
        Renderer().host_entry(TEMPLATE_PREFIX + "indexed_all_to_all_v", INDEXED_ALL_TO_ALL_V)


# A user's own templates.


def add_template(base: Path, name: str, text: str, file: str = "kernel.cpp.j2") -> Renderer:
    (base / name).mkdir(parents=True, exist_ok=True)
    (base / name / file).write_text(text)
    return Renderer(registry=TemplateRegistry([base]))


def test_a_users_template_is_found(tmp_path: Path):
    renderer = add_template(tmp_path, "my.ops.swap", "using T = {{ dtype }}; int n = {{ n }};\n")
    assert renderer.kernel(":my.ops.swap", "dtype=int8_t,n=-3") == "using T = int8_t; int n = -3;\n"
    with pytest.raises(TemplateError, match="variable 'n' is missing"):
        renderer.kernel(":my.ops.swap", "dtype=int8_t")
    assert renderer.kernel(HANDLE, "dtype_cpp=float") == kernel("all_to_all_v", "float")


def test_a_users_template_may_use_the_shared_parts(tmp_path: Path):
    renderer = add_template(tmp_path, "my.ops.swap", '{% include "exchange.cpp.j2" %}\n')
    assert "using Element = half;" in renderer.kernel(":my.ops.swap", "dtype_cpp=half")
    with pytest.raises(TemplateError, match="variable 'dtype_cpp' is missing"):
        renderer.kernel(":my.ops.swap", "")


def test_a_users_template_does_not_replace_ours(tmp_path: Path):
    renderer = add_template(tmp_path, HANDLE.removeprefix(":"), "int x;\n")
    with pytest.raises(TemplateError, match="is given more than once"):
        renderer.kernel(HANDLE, "dtype_cpp=float")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n{{ b \n", "line 2: unexpected end of template"),
        ("{% if x %}\n", "Unexpected end of template"),
        ('{% include "absent.j2" %}\n', "part 'absent.j2' is not there"),
        ("void f() {\n  g(;\n}\n", "line 3 has a '}' that closes nothing"),
        ("void f() {\n// }\n", "line 1 has a '{' that is never closed"),
    ],
)
def test_a_bad_template_shows_where(tmp_path: Path, text: str, message: str):
    renderer = add_template(tmp_path, "my.ops.bad", text)
    with pytest.raises(TemplateError) as caught:
        renderer.kernel(":my.ops.bad", "")
    assert message in str(caught.value)
    assert "template :my.ops.bad/kernel.cpp.j2: " in str(caught.value)


def test_text_that_is_not_well_formed_is_shown_with_its_lines():
    with pytest.raises(TemplateError) as caught:
        check_rendered("def f():\n  return (\n", "x/kernel_config.py.j2")
    assert "template x/kernel_config.py.j2: line 2 is no Python" in str(caught.value)
    assert "\n1 | def f():\n2 |   return (" in str(caught.value)


@pytest.mark.parametrize("file", ["kernel.cpp.j2", "entry.cpp.j2", "kernel_config.py.j2"])
def test_each_template_of_ours_refuses_a_missing_value(file: str):
    environment = make_environment(TemplateRegistry().resolve(HANDLE))
    with pytest.raises(UndefinedError):
        environment.get_template(file).render()


def test_angle_brackets_are_not_escaped(tmp_path: Path):
    (tmp_path / "kernel.cpp.j2").write_text("{{ x }}")
    environment = make_environment(TemplateFolder(":x", tmp_path))
    assert environment.get_template("kernel.cpp.j2").render(x="a<b>&") == "a<b>&"


# What is rendered.


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("operator", OPERATORS)
def test_rendered_twice_the_same_bytes(operator: str, runtime: str):
    assert kernel(operator, "float", runtime) == kernel(operator, "float", runtime)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("operator", OPERATORS)
def test_i8_differs_from_f32_where_dtype_cpp_stands(operator: str, runtime: str):
    f32, i8 = (kernel(operator, dtype, runtime) for dtype in ("float", "int8_t"))
    assert f32.replace("using Element = float;", "using Element = int8_t;") == i8
    changed = [line for line in difflib.ndiff(f32.splitlines(), i8.splitlines()) if line[0] in "+-"]
    assert changed == ["- using Element = float;", "+ using Element = int8_t;"]
    assert "float" not in i8


@pytest.mark.parametrize("operator", OPERATORS)
def test_runtimes_differ_in_the_descriptors_name(operator: str):
    older, newer = (kernel(operator, "float", runtime) for runtime in RUNTIMES)
    assert older.replace("using Descriptor = ChipTensor;", "using Descriptor = Tensor;") == newer
    assert "using Descriptor = ChipTensor;" in older
    assert "ChipTensor" not in newer


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_the_card_does_not_change_the_kernel(operator: str, target: str):
    handle = TEMPLATE_PREFIX + operator
    rendered = Renderer(target=TARGETS[target]).kernel(handle, "dtype_cpp=float")
    assert rendered == kernel(operator, "float")


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_rank_and_no_shape_stands_in_the_text(operator: str):
    """Every number that the code has is one of the protocol's or of the memory's."""
    numbers = set(re.findall(r"(?<![\w.])-?(?:0x)?\d+", code_of(kernel(operator, "float"))))
    argument_slots = {str(slot) for slot in range(7)}
    assert numbers <= {"-1", "1", "2", "-2", "0", "0x0", "32", "64", "256"} | argument_slots


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_text_is_plain_and_includes_what_the_runtime_lists(operator: str):
    text = kernel(operator, "float")
    assert re.findall(r"#include (.*)", text) == [
        "<cstdint>",
        "<pto/pto-inst.hpp>",
        '"platform_comm/comm_context.h"',
        '"pto/comm/comm_types.hpp"',
        '"pto/comm/pto_comm_inst.hpp"',
        '"tensor.h"',
        '"intrinsic.h"',
    ]
    code = code_of(text)
    assert not re.findall(r"\b(?:std::|new|delete|throw|try|malloc)\b", code)
    assert text.isascii()
    assert text.endswith("}\n")
    assert code.count("TPUT(") == 1
    assert code.count("void kernel_entry(__gm__ int64_t* args)") == 1
    for macro in ("__gm__", "__aicore__", "AICORE"):
        assert f"#ifndef {macro}\n#define {macro}" in text


@pytest.mark.parametrize("operator", OPERATORS)
def test_loads_of_counts_pass_an_invalidate(operator: str):
    """What x86 hides and no clock sees, since a load is no operation of the engine."""
    body = code_of(kernel(operator, "float")).split("void kernel_entry", 1)[1]
    assert body.index("enter_exchange(lane)") < body.index("invalidate(send_counts")
    assert body.index("invalidate(send_counts") < body.index("load(send_counts")


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_payload_is_published_between_transfers_and_the_second_barrier(operator: str):
    code = code_of(kernel(operator, "float"))
    leave = code.split("inline void leave_exchange", 1)[1].split("\n}", 1)[0]
    calls = re.findall(r"\b(publish|credit_peers|await_peers|TNOTIFY)\(", leave)
    assert calls == ["publish", "credit_peers", "await_peers", "TNOTIFY", "publish"]
    publish = code.split("inline void publish", 1)[1].split("\n}", 1)[0]
    assert publish.index("pipe_barrier(PIPE_ALL)") < publish.index("dsb(DSB_DDR)")


def test_a_rendered_configuration_is_formatted_and_says_what_the_runtime_reads(tmp_path: Path):
    text = Renderer().host_config(HANDLE, ALL_TO_ALL_V, "__builtin_all_to_all_v__fp32")
    assert max(len(line) for line in text.splitlines()) <= 100
    direction = type("D", (), {"IN": "in", "OUT": "out", "INOUT": "inout"})
    source = text.replace("from simpler.task_interface import ArgDirection as _D\n", "")
    values: dict = {"_D": direction, "__file__": str(tmp_path / "kernel_config.py")}
    exec(compile(source, "kernel_config.py", "exec"), values)
    (one,) = values["KERNELS"]
    assert one["signature"] == ["in", "inout", "inout", "in", "inout"]
    assert one["func_id"] == 0
    assert one["source"] == str(tmp_path / "kernels/aiv/__builtin_all_to_all_v__fp32.cpp")
    assert values["ORCHESTRATION"]["signature"] == [*one["signature"], "inout"]
    assert values["ORCHESTRATION"]["function_name"] == "aicpu_orchestration_entry"
    assert values["RUNTIME_CONFIG"] == {
        "runtime": "tensormap_and_ringbuffer",
        "aicpu_thread_num": 0,
    }
