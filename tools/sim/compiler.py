"""
Compiles kernels and the engine with the system's C++ compiler, each text once.

What was compiled is kept in a cache folder, under a hash of all that went into it: text, headers,
flags, the compiler's version. A kernel's library is linked to the engine's by path, so all kernels
of one engine share its sessions.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None

INCLUDE = Path(__file__).parent / "include"
ENGINE_SOURCE = INCLUDE / "pld_sim" / "engine.cpp"
MPI_SOURCE = INCLUDE / "pld_sim" / "mpi_transport.cpp"

FLAGS = ("-std=c++17", "-Wall", "-Wextra", "-Wno-attributes", "-Werror")
"""What every emitted source compiles with; the runtime's kernel_entry draws that one warning."""

_LIBRARY_FLAGS = (*FLAGS, "-O2", "-fPIC", "-shared", "-pthread")
_COMPILERS = ("c++", "g++", "clang++")
_MPI_COMPILERS = ("mpicxx", "mpic++", "mpiCC")
_NO_MPI_BINDINGS = ("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX")
"""MPI's old C++ bindings, which warn and are not used."""
_LONGEST_OUTPUT = 4000

RUNTIME_MACROS = {"2026.08": "202608", "2026.09": "202609"}
TARGET_MACROS = {"910b": "910", "950": "950"}


class CompilerError(Exception):
    """There is no compiler, or it refused a source."""


def profile_macros(runtime: str, target: str) -> tuple[str, ...]:
    """The flags that choose the runtime's names and the card's functions in the headers."""
    return (
        f"-DPLD_SIM_RUNTIME={RUNTIME_MACROS[runtime]}",
        f"-DPLD_SIM_TARGET={TARGET_MACROS[target]}",
    )


def find_compiler() -> str:
    """The compiler that the variable CXX names, else the first of the usual ones."""
    named = os.environ.get("CXX")
    for candidate in (named,) if named else _COMPILERS:
        if found := shutil.which(candidate):
            return found
    wanted = named or ", ".join(_COMPILERS)
    raise CompilerError(
        f"no C++ compiler found (looked for {wanted}): install g++ or clang, or set CXX; "
        "the simulator compiles each kernel's source"
    )


def find_mpi_compiler() -> str:
    """The compiler that knows where MPI's headers are."""
    for candidate in _MPI_COMPILERS:
        if found := shutil.which(candidate):
            return found
    raise CompilerError(
        f"no MPI compiler found (looked for {', '.join(_MPI_COMPILERS)}): install the development "
        "package of your MPI, libopenmpi-dev or libmpich-dev on Debian"
    )


def default_cache() -> Path:
    """XDSL_PLD_CACHE, else our folder among the user's caches."""
    if given := os.environ.get("XDSL_PLD_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "xdsl-pld"


@dataclass(frozen=True)
class Compiler:
    """A compiler and the folder of what it made."""

    command: str = field(default_factory=find_compiler)
    cache: Path = field(default_factory=default_cache)
    time_limit: float = 120

    @cached_property
    def version(self) -> str:
        return self._run([self.command, "--version"])

    @cached_property
    def headers(self) -> bytes:
        """A hash of all headers and of the engine."""
        content = hashlib.sha256()
        for file in sorted(path for path in INCLUDE.rglob("*") if path.is_file()):
            content.update(f"{file.relative_to(INCLUDE).as_posix()}\0".encode())
            content.update(file.read_bytes())
        return content.digest()

    def engine(self) -> Path:
        """The library of the engine."""
        return self._library(ENGINE_SOURCE.read_text(encoding="utf-8"), "engine", ())

    def kernel(self, text: str, runtime: str = "2026.09", target: str = "910b") -> Path:
        """The library of a rendered kernel."""
        flags = profile_macros(runtime, target)
        return self._library(text, "kernel", flags, link=(str(self.engine()),))

    def orchestration(self, text: str, runtime: str = "2026.09", target: str = "910b") -> Path:
        """The library of an emitted orchestration."""
        return self._library(text, "orchestration", profile_macros(runtime, target))

    def mpi_transport(self, mpi: str) -> Path:
        """
        The library that carries a session's copies and signals by the MPI whose version text is
        `mpi`. This compiler is MPI's.
        """
        text = "".join(f"// {line}\n" for line in mpi.splitlines())
        text += MPI_SOURCE.read_text(encoding="utf-8")
        return self._library(text, "mpi", _NO_MPI_BINDINGS)

    def _library(
        self, text: str, stem: str, flags: Sequence[str], link: Sequence[str] = ()
    ) -> Path:
        command = [self.command, *_LIBRARY_FLAGS, *flags, f"-I{INCLUDE}"]
        key = hashlib.sha256(self.headers)
        for part in (self.version, *command, *link, text):
            key.update(part.encode() + b"\0")
        library = self.cache.absolute() / f"{stem}-{key.hexdigest()[:32]}.so"
        if library.is_file():
            return library
        try:
            self.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(library.with_suffix(".lock")):
                if not library.is_file():
                    self._make(command, text, link, library)
        except OSError as error:
            raise CompilerError(
                f"cannot write compiled kernels to {self.cache}: {error.strerror}; "
                "set XDSL_PLD_CACHE to another folder"
            ) from error
        return library

    def _make(self, command: Sequence[str], text: str, link: Sequence[str], library: Path) -> None:
        """Compiles beside the library's place and renames: nobody sees half of it."""
        stem = library.name.partition("-")[0]
        with tempfile.TemporaryDirectory(dir=self.cache, prefix=f"{stem}-") as folder:
            source, made = Path(folder) / f"{stem}.cpp", Path(folder) / library.name
            source.write_text(text, encoding="utf-8")
            self._run([*command, str(source), *link, "-o", str(made)])
            made.replace(library)

    def _run(self, command: Sequence[str]) -> str:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self.time_limit,
            )
        except subprocess.TimeoutExpired as error:
            raise CompilerError(f"{self.command} took longer than {self.time_limit:g} s") from error
        if done.returncode != 0:
            output = (done.stderr or done.stdout).strip()[:_LONGEST_OUTPUT]
            raise CompilerError(f"{self.command} failed with status {done.returncode}:\n{output}")
        return done.stdout


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """
    Lets one process of a host compile while the others that want the same wait for it, where the
    file system has locks; the ranks of a job all come at once.
    """
    if fcntl is None:
        yield
        return
    with path.open("w") as file:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    path.unlink(missing_ok=True)


def load_library(path: Path) -> ctypes.CDLL:
    """Loads a library whose symbols no other library sees."""
    try:
        return ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise CompilerError(f"cannot load {path}: {error}") from error
