"""
Orchestrations: a chip pipeline's IR as the C++ that submits its tasks.

    names        IR names as C++ names
    text         statements, and what of them is needed
    expressions  arith
    aliases      which values are one variable
    launches     which kernels a task runs
    task_ids     whose ids are waited for
    body         the state while a pipeline is written
    tensors, control_flow, tasks    the statements
    emit         all of it

Source: runtime-abi, Orchestration.
"""
