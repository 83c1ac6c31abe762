"""
`pld-run --engine mpi`: a process a rank, started by mpirun; windows are MPI's.

    launcher    finds mpirun and starts the job; ends it when it is itself ended
    world       this process as a rank of the job: MPI's start, and its errors
    mail        messages between the interpreters of the ranks
    windows     window buffers in MPI windows; how the interpreter reaches a peer's memory
    engine      the engine of one rank: shipped kernels on MPI's windows
    exchanges   the meetings of ranks in collectives, and their execution
    machine     the machine of one rank: its host body, its device, and news of the others' jobs
    ending      how a job ends: all together, with what went wrong told once
    job         what a rank does from its start to its end

Every rank runs the host body, which is deterministic, and the jobs of its own device. Rank 0 reads
the program and the inputs, and gives them to all; it gathers results and prints. Only these modules
import mpi4py; `launcher` does not.
"""
