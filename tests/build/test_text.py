"""The parts that C++ text is made of: statements that are needed, names, expressions."""

import pytest

from xdsl_pld.templates.orchestration.names import Names, identifier, quoted
from xdsl_pld.templates.orchestration.text import Text


def rendered(text: Text) -> list[str]:
    return text.render(0).splitlines()


def test_what_nothing_reads_is_left_out():
    text = Text()
    text.add("const int a = 1;", "a")
    text.add("const int b = a;", "b")
    text.add("const int c = 2;", "c")
    text.add("use(c);")
    assert rendered(text) == ["const int c = 2;", "use(c);"]


def test_an_effect_stays_when_its_result_is_not_read():
    text = Text()
    text.add("const Out out = submit(task);", "out", "submit(task);")
    text.add("const Id id = out.id();", "id")
    assert rendered(text) == ["submit(task);"]


def test_an_effect_keeps_its_result_where_it_is_read():
    text = Text()
    text.add("const Out out = submit(task);", "out", "submit(task);")
    text.add("use(out.id());")
    assert rendered(text) == ["const Out out = submit(task);", "use(out.id());"]


def test_a_name_in_a_string_is_not_read():
    text = Text()
    text.add("const int a = 1;", "a")
    text.add('report("a %s");')
    assert rendered(text) == ['report("a %s");']


def test_empty_bodies_go_and_what_only_they_read():
    text = Text()
    text.add("const bool go = true;", "go")
    first, second = text.nest("if (go)", "else", condition="go")
    with text.within(first):
        text.add("const int a = 1;", "a")
    with text.within(second):
        text.add("int b = 1;", "b")
    assert rendered(text) == []


def test_an_empty_first_arm_is_turned_round():
    text = Text()
    _, second = text.nest("if (go)", "else", condition="go")
    with text.within(second):
        text.add("use();")
    assert rendered(text) == ["if (!go) {", "  use();", "}"]


@pytest.mark.parametrize(
    ("name", "mangled"),
    [
        ("data", "data"),
        ("a.b$c-d", "a_b_c_d"),
        ("0", "v0"),
        ("__x__y_", "x_y"),
        ("class", "class_v"),
        ("Tensor", "Tensor_v"),
        ("rt_submit_aiv_task", "rt_submit_aiv_task_v"),
        ("PIPE_ALL", "PIPE_ALL_v"),
        ("caf\u00e9", "caf"),
        ("\u00e9", "value"),
        ("_", "value"),
    ],
)
def test_identifiers(name: str, mangled: str):
    assert identifier(name) == mangled


def test_no_name_is_given_twice():
    names = Names()
    wanted = ["a", "a", "a_2", "a.", "a$2", "a"]
    assert [names.fresh(name) for name in wanted] == ["a", "a_2", "a_2_2", "a_3", "a_2_3", "a_4"]


def test_a_message_is_a_format_for_itself():
    assert quoted('50% "x" \\ \n') == '"50%% \\"x\\" \\\\ ?"'
