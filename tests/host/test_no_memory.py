"""A host that refuses memory: a message, exit code 71, and what was computed if that is possible;
no abort, no traceback."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from guest_programs import ROOT, compile_program

MB = 1_000_000
# A run on 48 cores has enough of 250 MB; Python and the package alone take some 50.
LIMITS = (60, 80, 100, 115, 130, 140, 150, 160, 175)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of address space")


def limit(megabytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))


def test_a_run_without_memory_ends_with_71(run: Callable[..., object]) -> None:
    program = compile_program(ROOT / "examples/hello/hello.c", ["-O1", "-lrcce"])
    codes = set()
    for megabytes in LIMITS:
        done = run(program, "-q", "-n", "48", limit=partial(limit, megabytes))
        codes.add(done.code)
        assert done.code in (0, 71), (megabytes, done.stderr)
        assert "Traceback" not in done.stderr and "a bug" not in done.stderr
        if done.code:
            assert "rck: " in done.stderr and "memory" in done.stderr, (megabytes, done.stderr)
            assert "hint: " in done.stderr
    assert 71 in codes, "no limit was too small"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "-q", "{}"),
        ("run", "-q", "--restore", "{}"),
        ("boot", "-q", "--module", "{}", "{program}"),
        ("compare", "{}", "{}"),
        ("mpirun", "-n", "2", "-hostfile", "{}", "{program}"),
    ],
    ids=" ".join,
)
def test_a_file_without_an_end_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    program = compile_program(ROOT / "examples/hello/hello.c", ["-O1", "-lrcce"])
    given = [word.replace("{program}", str(program)).replace("{}", "/dev/zero") for word in words]
    done = subprocess.run(
        [sys.executable, "-m", "rockcreek", *given],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        preexec_fn=partial(limit, 6000),
    )  # fmt: skip
    assert done.returncode in (64, 65, 66, 78), done.stderr
    assert "rck: " in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("code", [71, 0])
def test_a_library_that_does_not_survive_its_own_end(code: int) -> None:
    """Allocators of libraries may die at it once they were refused memory."""
    text = (
        "import atexit, ctypes; from rockcreek import cli\n"
        "atexit.register(print, 'tidied', flush=True)\n"
        "host = ctypes.CDLL(None)\n"
        "host.__cxa_atexit(ctypes.cast(host.abort, ctypes.c_void_p), None, None)\n"
        f"cli._end({code})\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "tidied\n")
