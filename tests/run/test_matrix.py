"""
The verification matrix (matrix.py) through pld-run's Python API.
"""

from collections.abc import Callable

import pytest

from tests.run.matrix import PASSES, Case


@pytest.mark.parametrize("rail", PASSES)
@pytest.mark.parametrize("passes", [False, True], ids=["as written", "lowered"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_rails(succeed: Callable, rail: str, passes: bool, ranks: int):
    case = Case(ranks, core_num=4 if rail != "incore" else 1)
    options = ["--ranks", str(ranks), "-p", PASSES[rail] if passes else ""]
    case.check(succeed(case.text(rail), *options, inputs=case.inputs()).arrays)
