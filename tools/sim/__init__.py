"""
The simulator: runs rendered kernels, as real threads, on windows in this process's memory.

    compiler  kernels and the engine as libraries, each text compiled once
    engine    sessions: windows, launches, what was found
    abi       the layouts that Python and C++ share
    include/  what kernels are compiled against, and the engine itself, in C++

`tools.mpi` has another transport for the same sessions.
"""
