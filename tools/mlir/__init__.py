"""
The bridge to upstream MLIR: our dialect in its contexts, our passes in its pass managers, its
passes in our pipelines.

    bindings    the one place that touches MLIR's Python bindings, typed
    text        modules as text that both sides read, with names and locations
    dialects    `load_dialects`: dialect pld from IRDL, with the traits that IRDL cannot state
    passes      `add_pass`: our passes in an upstream PassManager
    errors      what went wrong, through MLIR's diagnostic engine
    mlir_opt    upstream passes inside `pld-opt -p`, run by mlir-opt or heir-opt

`xdsl_pld.mlir` is the public face.
"""
