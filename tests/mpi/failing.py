"""
Programs that fail, one after the other in one MPI job: what each rank prints goes to FOLDER/<name>.

    mpirun -n 2 python failing.py FOLDER
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from tests.run.matrix import PASSES, Case
from tests.run.programs import Program
from tests.run.test_errors import BARRIER as BARRIER_OP
from tests.run.test_errors import D_DATA, D_SIGNAL, DATA, SIGNAL, branch
from xdsl_pld.templates.render import Renderer
from xdsl_pld.tools import run

HOST = """\
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 8 : index
  %buffer = pld.tensor.alloc_window_buffer %bytes {name = "signal"} : !pld.window_buffer
  %signal = pld.tensor.window %buffer : !pld.window_buffer -> SIGNAL
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @chip(%signal) device(%r) : (SIGNAL) -> ()
  }
  func.return
}
"""


def only_on_rank_0(body: str, otherwise: str = "") -> str:
    """A pipeline of which rank 0 does something that rank 1 does not."""
    text = f"""\
func.func @chip(%signal: SIGNAL) attributes {{pl.func_type = "orchestration"}} {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c = pld.system.get_comm_ctx %signal : SIGNAL
  %me = pld.system.rank %c : i32
  %first = arith.cmpi eq, %me, %zero : i32
  scf.if %first {{
    {body}
  }} else {{
    {otherwise}
  }}
  func.return
}}
{HOST}"""
    return text.replace("SIGNAL", "!pld.dist_tensor<tensor<2x1xi32>>")


BARRIER = "%g = pld.tensor.barrier %signal : SIGNAL"
LATE = only_on_rank_0(BARRIER)
WAIT = only_on_rank_0('pld.system.wait %signal[%c0, 0] expected(%one) {cmp = "ge"} : SIGNAL, i32')
OUTSIDE = only_on_rank_0(BARRIER, "%x = pl.tensor.read %signal[%c5, 0] : SIGNAL -> i32")
OTHER = Program(
    2,
    {},
    {"data": DATA, "signal": SIGNAL},
    branch(BARRIER_OP, f"%d = pld.tensor.broadcast %data, %signal : {D_DATA}, {D_SIGNAL}"),
).text()
BUSY = only_on_rank_0(
    BARRIER,
    """\
%c1 = arith.constant 1 : index
    %many = arith.constant 1000000000 : index
    scf.for %i = %c0 to %many step %c1 {
      %x = arith.addi %one, %one : i32
    }""",
)
"""Rank 0 waits for rank 1, which computes for long."""

CASE = Case(2, counts=np.ones((1, 2, 2), np.int32))


def broken(*substitutions: tuple[str, str]) -> Callable[[Renderer, str, str], str]:
    rendered = Renderer.kernel

    def kernel(self: Renderer, handle: str, variables: str) -> str:
        text = rendered(self, handle, variables)
        for old, new in substitutions:
            assert old in text
            text = text.replace(old, new)
        return text

    return kernel


Kernel = Callable[[Renderer, str, str], str] | None

FAILING: Mapping[str, tuple[str, Kernel, tuple[str, ...]]] = {
    "late": (LATE, None, ()),
    "busy": (BUSY, None, ("--max-steps", str(10**10))),
    "wait": (WAIT, None, ("--ranks", "2")),
    "outside": (OUTSIDE, None, ()),
    "other": (OTHER, None, ()),
    "bounds": (
        CASE.text(),
        broken(
            (
                "input + destination * capacity * width",
                "input + (destination + 2) * capacity * width",
            )
        ),
        ("-p", PASSES["chip"]),
    ),
    "peer's bounds": (
        CASE.text(),
        broken(("target + me * capacity * width", "target + (me + 2) * capacity * width")),
        ("-p", PASSES["chip"]),
    ),
    "no credit": (
        CASE.text(),
        broken(
            (
                "  enter_exchange(lane);",
                "  if (me == 1) await_peers(lane, 1); else enter_exchange(lane);",
            )
        ),
        ("-p", PASSES["chip"]),
    ),
    "credit left": (
        CASE.text(),
        broken(("TNOTIFY(credit, -2,", "TNOTIFY(credit, -1,")),
        ("-p", PASSES["chip"]),
    ),
    "ranks": (Case(3).text(), None, ()),
    "text": ("func.func @x() {", None, ()),
}


def main(folder: Path) -> None:
    kept, rank = Renderer.kernel, int(os.environ["OMPI_COMM_WORLD_RANK"])
    for name, (text, kernel, options) in FAILING.items():
        program = folder / "program.mlir"
        if rank == 0:
            program.write_text(text)
            np.savez(folder / "in.npz", **CASE.inputs())
        inputs = ("--inputs", str(folder / "in.npz")) if kernel else ()
        Renderer.kernel = kernel or kept  # type: ignore[method-assign]
        told = io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            limit = ("--wait-limit", "1.5")
            status = run.main([str(program), *options, *inputs, *limit, "--engine", "mpi"])
        text = told.getvalue().replace(f"{folder}/", "")
        (folder / f"{name}.{rank}").write_text(f"{status}\n{text}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    sys.exit(1)
