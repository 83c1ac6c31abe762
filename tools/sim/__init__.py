"""The simulator: runs rendered kernels, as real threads, on windows in this process's memory."""
