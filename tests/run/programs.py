"""
Texts of whole programs for `pld-run`: a host that dispatches one pipeline per device.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


def dist(type_: str) -> str:
    return f"!pld.dist_tensor<{type_}>"


@dataclass(frozen=True)
class Program:
    """
    Texts of whole programs: a host that dispatches one pipeline per device.

    `windows` are the window tensors of the pipeline, `tensors` its plain ones: the host has one of
    each per rank, in the first dimension.
    """

    ranks: int
    tensors: Mapping[str, str]
    windows: Mapping[str, str]
    body: str
    functions: str = ""
    host_steps: str = ""
    """What the host does after its dispatches, the windows being there."""
    domain: str = ""

    def text(self) -> str:
        parameters = [f'%{n}: {t} {{pl.dir = "inout"}}' for n, t in self.tensors.items()]
        parameters += [f'%{n}: {dist(t)} {{pl.dir = "inout"}}' for n, t in self.windows.items()]
        chip = (
            f"func.func @chip({', '.join(parameters)})\n"
            f'    attributes {{pl.func_type = "orchestration"}} {{\n{self.body}\n'
            "  func.return\n}\n"
        )
        return f"{self.functions}\n{chip if self.body else ''}{self._host()}"

    def _host(self) -> str:
        stacked = {
            n: t.replace("tensor<", f"tensor<{self.ranks}x") for n, t in self.tensors.items()
        }
        lines = [
            f"func.func @host({', '.join(f'%{n}s: {t}' for n, t in stacked.items())})",
            '    attributes {pl.level = "host", pl.role = "orchestrator"} {',
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            "  %all = pld.system.world_size : index",
        ]
        for name, type_ in self.windows.items():
            lines += [
                f"  %{name}_bytes = arith.constant {size_of(type_)} : index",
                f"  %{name}_buffer = pld.tensor.alloc_window_buffer %{name}_bytes "
                f'{{name = "{name}"}} : !pld.window_buffer',
                f"  %{name} = pld.tensor.window %{name}_buffer : !pld.window_buffer -> "
                f"{dist(type_)}",
            ]
        if self.body:
            lines.append(self.dispatch("chip", self.tensors, self.windows, {}))
        return "\n".join([*lines, self.host_steps, "  func.return", "}", ""])

    def dispatch(
        self,
        callee: str,
        tensors: Mapping[str, str],
        windows: Mapping[str, str],
        scalars: Mapping[str, str],
    ) -> str:
        """A loop that dispatches a pipeline to every device, with the rank's part of tensors."""
        lines = ["  scf.for %r = %c0 to %all step %c1 {"]
        for name, type_ in tensors.items():
            extents = re.findall(r"(\d+)x", type_)
            stacked = type_.replace("tensor<", f"tensor<{self.ranks}x")
            boxed = type_.replace("tensor<", "tensor<1x")
            zeros = "".join(", 0" for _ in extents)
            lines += [
                f"    %{name}_box = pl.tensor.slice %{name}s[%r{zeros}] [1, {', '.join(extents)}] "
                f": {stacked} -> {boxed}",
                f"    %{name} = pl.tensor.view %{name}_box : {boxed} -> {type_}",
            ]
        names = ", ".join(f"%{n}" for n in (*tensors, *windows, *scalars))
        types = ", ".join([*tensors.values(), *map(dist, windows.values()), *scalars.values()])
        return "\n".join(
            [*lines, f"    pl.call @{callee}({names}) device(%r) : ({types}) -> ()", "  }"]
        )


def size_of(type_: str) -> int:
    """The bytes of a static tensor type."""
    *extents, element = type_.removeprefix("tensor<").removesuffix(">").split("x")
    sizes = {"f32": 4, "i32": 4, "i8": 1, "f16": 2, "i64": 8}
    return int(np.prod([int(e) for e in extents])) * sizes[element]


def exchange(
    ranks: int, cap: int, width: int, steps: int, *, element: str = "f32", core_num: int = 1
) -> str:
    """
    A pipeline of `steps` exchanges on one signal in a loop, each with counts of its own; `got` and
    `recvd` keep what was there after each.
    """
    rows, columns = ranks * cap, max(core_num, 1)
    data = f"tensor<{rows}x{width}x{element}>"
    signal, counts = f"tensor<{ranks}x{columns}xi32>", f"tensor<{ranks}x1xi32>"
    all_counts = f"tensor<{steps}x{ranks}x1xi32>"
    all_data = f"tensor<{steps}x{rows}x{width}x{element}>"
    boxed = f"tensor<1x{ranks}x1xi32>"
    body = f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {core_num} : index
  %steps = arith.constant {steps} : index
  scf.for %s = %c0 to %steps step %c1 {{
    %box = pl.tensor.slice %counts[%s, 0, 0] [1, {ranks}, 1] : {all_counts} -> {boxed}
    %now = pl.tensor.view %box : {boxed} -> {counts}
    %d = pld.tensor.all_to_all_v %inp, %data, %signal, %now, %recv core_num(%n)
      : {data}, {dist(data)}, {dist(signal)}, {counts}, {dist(counts)}
    %g = pl.tensor.assemble %d into %got[%s, 0, 0] : {dist(data)}, {all_data}
    %h = pl.tensor.assemble %recv into %recvd[%s, 0, 0] : {dist(counts)}, {all_counts}
  }}"""
    return Program(
        ranks,
        {"inp": data, "counts": all_counts, "got": all_data, "recvd": all_counts},
        {"data": data, "signal": signal, "recv": counts},
        body,
    ).text()
