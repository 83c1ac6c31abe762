"""
A folder of files that appears at once, or not at all.

The files are written beside their place and renamed into it. A folder that stands there already is
replaced only if it is empty or holds nothing but what an earlier run has written: a list of that is
kept in the folder.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from xdsl_pld.tools.opt import FileError

MANIFEST = ".pld-build"
_HEAD = "# What pld-build has written here; it replaces the folder if it holds nothing else.\n"
_NOT_OURS = "__pycache__"
"""Python makes such folders where modules are imported."""


def check_folder(folder: Path) -> None:
    """Finds an impossible output before the work rather than after it; raises FileError."""
    parent = Path(os.path.realpath(folder)).parent
    if not parent.is_dir():
        raise FileError("write", str(folder), FileNotFoundError(0, f"No such directory: {parent}"))
    if not os.access(parent, os.W_OK | os.X_OK):
        raise FileError("write", str(folder), PermissionError(0, "Permission denied"))
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir():
        raise FileError("write", str(folder), NotADirectoryError(0, "Not a directory"))
    try:
        foreign = _foreign(folder)
    except OSError as error:
        raise FileError("read", str(folder), error) from error
    if foreign is not None:
        raise FileError(
            "write",
            str(folder),
            FileExistsError(
                0, f"'{foreign}' in it was not written by pld-build: choose another folder"
            ),
        )


def _foreign(folder: Path) -> str | None:
    """A file in the folder that no earlier run has written, None where there is none."""
    manifest = folder / MANIFEST
    lines = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    known = {MANIFEST, *lines[1:]}
    return next((path for path in _files(folder) if path not in known), None)


def _files(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if name != _NOT_OURS)
        for name in sorted(files):
            yield (Path(place) / name).relative_to(folder).as_posix()
        for name in folders:
            if (Path(place) / name).is_symlink():
                yield (Path(place) / name).relative_to(folder).as_posix()


def _raise(error: OSError) -> None:
    raise error


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Writes all files, or changes nothing; raises FileError."""
    check_folder(folder)
    place = Path(os.path.realpath(folder))
    made = place.with_name(f"{place.name}.{os.getpid()}.tmp")
    replaced = place.with_name(f"{place.name}.{os.getpid()}.old")
    try:
        try:
            made.mkdir()
            for path, text in {**files, MANIFEST: _HEAD + "".join(f"{p}\n" for p in files)}.items():
                target = made / path
                target.parent.mkdir(parents=True, exist_ok=True)
                with open(target, "x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
            if place.exists():
                place.rename(replaced)
            try:
                made.rename(place)
            except BaseException:
                if replaced.exists():
                    replaced.rename(place)
                raise
        finally:
            if made.exists():
                shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise FileError("write", str(folder), error) from error
    with suppress(OSError):
        if replaced.exists():
            shutil.rmtree(replaced)
