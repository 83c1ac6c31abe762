"""
A program of P ranks, run on this machine: xDSL's interpreter and numpy give each operation its
meaning, an engine executes the collectives.

    memory       arrays, windows, contexts: what the values of tensor types are
    domains      the domains of windows that no scope gives one yet
    scheduler    one thread a rank, one running at a time; a deadlock is found, not timed out
    machine      the ranks and the host: dispatches, calls, launches, meetings
    exchange     what a collective's ranks bring, and who executes it (`Engine`)
    meetings     how they come together
    collectives  the meaning of each collective, a table: the reference engine
    sim_engine   the engine that runs compiled kernels (tools.mpi has another)
    scalars, math_functions, control, storage    the ops of upstream
    pl_functions, tile_functions, pld_functions  ours
    implementations  all of these functions, for one agent
    operands     what ops bring: index lists, boxes, elements
    blocks       launches of several blocks
    report       counters per rank, and the timeline
    program      what is asked of a program before it runs: its host, ranks, signals
    arrays       inputs, outputs, comparison

Every stage of lowering runs: a managed collective, the builtin kernel's call that it becomes, the
dispatch of the host rail, or notify, wait and put. Sources: design.md, Simulation; l2-collectives;
neighbours; runtime-abi.
"""
