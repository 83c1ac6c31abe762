"""A sample of exchanges under ThreadSanitizer, which knows no protocol, only accesses."""

import subprocess
from pathlib import Path

import pytest

from xdsl_pld.tools.sim.compiler import ENGINE_SOURCE, FLAGS, INCLUDE

MAIN = Path(__file__).with_name("thread_sanitizer.cpp")
SANITIZE = ("-fsanitize=thread", "-O1", "-g", "-pthread")


def build_and_run(
    command: str, folder: Path, sources: list[Path]
) -> subprocess.CompletedProcess[str]:
    program = folder / "program"
    built = subprocess.run(
        [command, *FLAGS, *SANITIZE, f"-I{INCLUDE}", *sources, "-o", program],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert built.returncode == 0, built.stderr
    return subprocess.run([program], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def sanitize(compiler, tmp_path_factory: pytest.TempPathFactory):
    """Builds a kernel's text with the engine and runs it; left out where the sanitizer is not."""
    folder = tmp_path_factory.mktemp("sanitizer")
    probe = folder / "probe.cpp"
    probe.write_text("int main() { return 0; }\n")
    try:
        probed = build_and_run(compiler.command, folder, [probe])
    except AssertionError as error:
        pytest.skip(f"no ThreadSanitizer: {error}")
    if probed.returncode != 0:
        pytest.skip(f"ThreadSanitizer does not run here: {probed.stderr}")

    engine = folder / "engine.o"
    subprocess.run(
        [compiler.command, *FLAGS, *SANITIZE, f"-I{INCLUDE}", "-c", ENGINE_SOURCE, "-o", engine],
        check=True,
        timeout=120,
    )

    def run(text: str) -> subprocess.CompletedProcess[str]:
        kernel = folder / "kernel.cpp"
        kernel.write_text(text)
        return build_and_run(compiler.command, folder, [kernel, MAIN, engine])

    return run


def test_the_kernel_has_no_data_race(sanitize, render_kernel):
    done = sanitize(render_kernel("all_to_all_v", "float32"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "0 wrong, 0 findings\n"


def test_the_sanitizer_sees_a_missing_barrier(sanitize, render_kernel):
    text = render_kernel("all_to_all_v", "float32")
    barrier = "  credit_peers(lane);\n  await_peers(lane, 2);\n"
    assert text.count(barrier) == 1
    text = text.replace(barrier, "").replace("TNOTIFY(credit, -2,", "TNOTIFY(credit, -1,")
    done = sanitize(text)
    assert done.returncode != 0
    assert "data race" in done.stderr
