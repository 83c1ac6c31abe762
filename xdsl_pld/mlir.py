"""
xdsl-pld inside upstream MLIR, through MLIR's Python bindings (`pip install 'xdsl-pld[mlir]'`).

    from torch_mlir import ir
    from torch_mlir.passmanager import PassManager
    from xdsl_pld.mlir import add_pass, load_dialects, parse_module, print_module

    with ir.Context() as context:
        load_dialects(context)
        module = parse_module(text, context, "in.mlir")
        pass_manager = PassManager.parse("builtin.module(canonicalize,cse)")
        add_pass(pass_manager, "lower-l2-tensor-collectives")
        pass_manager.add("canonicalize")
        pass_manager.run(module.operation)
        print(print_module(module.operation))
"""

from xdsl_pld.tools.mlir.dialects import load_dialects
from xdsl_pld.tools.mlir.modules import parse_module, print_module
from xdsl_pld.tools.mlir.passes import add_pass

__all__ = ["add_pass", "load_dialects", "parse_module", "print_module"]
