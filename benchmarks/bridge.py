"""
Both passes in an upstream PassManager: the bridge as it is, and with xDSL's own parser.

    .venv/bin/python benchmarks/bridge.py [--ops 10000] [--rounds 3]

Processor time of a run of the pass manager; the two in turn, the best of all rounds. Needs the
extra `mlir`.
"""

import argparse
import time
from importlib import import_module
from typing import Any

import modules
from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    ModuleOp,
    NoneAttr,
)
from xdsl.parser import Parser

from xdsl_pld.mlir import add_pass, load_dialects, parse_module
from xdsl_pld.tools.mlir import passes
from xdsl_pld.tools.mlir import text as bridge

PASSES = "lower-l2-tensor-collectives,materialize-dist-tensor-ctx"


class StockParser(Parser):
    """xDSL's parser with the locations that MLIR prints."""

    def _parse_location(self) -> LocationAttr:
        if self.parse_optional_keyword("fused"):
            nested = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
            return FusedLoc(ArrayAttr(nested), NoneAttr())
        location = super()._parse_location()
        if isinstance(location, FileLineColLoc) and self.parse_optional_keyword("to"):
            self.parse_optional_integer(False, False)
            self.parse_punctuation(":")
            self.parse_integer(False, False)
        return location


def stock_read(context: Context, text: str, name: str) -> ModuleOp:
    context.get_optional_dialect("pl")
    return StockParser(context, text, name).parse_module(False)


def seconds(text: str, read: Any) -> float:
    ir = import_module("torch_mlir.ir")
    with ir.Context() as context:
        load_dialects(context)
        module = parse_module(text, context)
        manager = import_module("torch_mlir.passmanager").PassManager.parse("builtin.module()")
        add_pass(manager, PASSES)
        passes.read, kept = read, passes.read
        start = time.process_time()
        try:
            manager.run(module.operation)
        finally:
            passes.read = kept
        return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="both passes in an upstream PassManager")
    parser.add_argument("--ops", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    text = modules.pipelines(args.ops)
    ours = stock = float("inf")
    for _ in range(args.rounds):
        ours = min(ours, seconds(text, bridge.read))
        stock = min(stock, seconds(text, stock_read))
    print(f"{args.ops} ops: {ours:.2f} s, with xDSL's parser {stock:.2f} s, {ours / stock:.2f}")


if __name__ == "__main__":
    main()
