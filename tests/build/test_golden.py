"""
The sources of three programs, as they were reviewed: tests/build/golden.

    pytest tests/build/test_golden.py --refresh-golden

writes them anew; what changed is then read in git's diff.
"""

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
PROGRAMS = {"exchange": "2026.09", "control_flow": "2026.08", "host_rail": "2026.09"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_golden_files(
    succeed, programs: Path, program: str, request: pytest.FixtureRequest, tmp_path: Path
):
    runtime = PROGRAMS[program]
    built = succeed(programs / f"{program}.mlir", "--runtime", runtime)
    # Kernels have tests of their own.
    files = {p: t for p, t in built.files.items() if "/kernels/" not in p}
    folder = GOLDEN / program
    if request.config.getoption("--refresh-golden"):
        for old in [*folder.rglob("*.golden")]:
            old.unlink()
        for path, text in files.items():
            target = folder / f"{path}.golden"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    golden = {
        path.relative_to(folder).as_posix().removesuffix(".golden"): path.read_text()
        for path in folder.rglob("*.golden")
    }
    assert files == golden
