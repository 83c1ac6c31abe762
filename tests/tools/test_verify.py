"""Verdicts of one verification do not reach another."""

import threading

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.irdl import OpDef

from xdsl_pld.tools.verify import Verdicts, verify_findings

DEFINITION = arith.AddiOp.get_irdl_definition()


def module() -> ModuleOp:
    one = arith.ConstantOp.from_int_and_width(1, 32)
    return ModuleOp([one, arith.AddiOp(one, one)])


def test_verdicts_are_remembered():
    verdicts = Verdicts()
    assert not verify_findings(module(), verdicts)
    assert len(verdicts.passed_by(DEFINITION)) == 1
    assert not verify_findings(module(), verdicts)
    assert len(verdicts.passed_by(DEFINITION)) == 1


def test_a_signature_that_failed_fails_again():
    verdicts = Verdicts()
    broken = module()
    add = broken.body.block.last_op
    assert isinstance(add, arith.AddiOp)
    add.properties["unknown"] = i32
    first, second = (verify_findings(broken, verdicts) for _ in range(2))
    assert [f.message for f in first] == [f.message for f in second]
    assert "'unknown' is not defined" in first[0].message


def test_another_thread_verifies_as_ever():
    """Whose scopes overlap, and end in the other order, see only their own verdicts."""
    mine, theirs = Verdicts(), Verdicts()
    function = OpDef.verify
    entered, left = threading.Event(), threading.Event()

    def other() -> None:
        module().verify()
        with theirs.used():
            entered.set()
            left.wait(timeout=10)
            module().verify()

    thread = threading.Thread(target=other)
    with mine.used():
        thread.start()
        entered.wait(timeout=10)
        assert not mine.passed_by(DEFINITION)
        module().verify()
        assert len(mine.passed_by(DEFINITION)) == 1
        assert not theirs.passed_by(DEFINITION)
    left.set()
    thread.join()
    assert len(theirs.passed_by(DEFINITION)) == 1
    assert OpDef.verify is function
    module().verify()
    assert len(mine.passed_by(DEFINITION)) == 1
