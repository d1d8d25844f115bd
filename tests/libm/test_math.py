"""Every function of math.h, in float, double and long double, against the host's.

The list of functions comes from the guest's header: one whose shape the generator does not know
fails here. The program runs on the virtual chip, and on the host's own processor where that runs
i386 programs: the same instructions, by another x87.
"""

from __future__ import annotations

import errno
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from math_compare import judge_all
from math_header import ROOT, functions, macros
from math_program import SHAPES, program

FUNCTIONS = functions()
HERE = Path(__file__).parent

host_has_x87 = pytest.mark.skipif(
    platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc" or not shutil.which("cc"),
    reason="the reference is computed in the host's 80-bit long double",
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("math") / "every_function.c"
    path.write_text(program(FUNCTIONS))
    return path


@pytest.fixture(scope="module")
def reference(source: Path) -> str:
    """What the host's C library says."""
    binary = source.with_suffix(".host")
    flags = ["-O1", "-w", "-fno-builtin", "-frounding-math", "-DREFERENCE"]
    subprocess.run(["cc", *flags, source, "-o", binary, "-lm"], check=True)
    return subprocess.run([binary], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def guest_program(source: Path, compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(source, ["-O2", "-fno-builtin", "-lm"])


def test_every_function_of_the_header_is_tested() -> None:
    unknown = [f"{f.name}: {f.shape}" for f in FUNCTIONS if f.shape not in SHAPES]
    assert not unknown
    assert len(FUNCTIONS) > 200


def test_every_macro_of_the_header_is_tested() -> None:
    text = (HERE / "classify.c").read_text()
    assert [name for name in macros() if f"{name}(" not in text] == []


@host_has_x87
def test_on_the_hosts_processor(guest_program: Path, reference: str) -> None:
    try:
        ran = subprocess.run([guest_program], capture_output=True, text=True, check=True)
    except OSError as error:
        assert error.errno == errno.ENOEXEC
        pytest.skip("this host does not run i386 programs")
    _, wrong = judge_all(FUNCTIONS, ran.stdout, reference)
    assert not wrong, "\n".join(wrong[:50])


@host_has_x87
def test_on_the_chip(
    guest_program: Path,
    reference: str,
    run_guest: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    ran = run_guest(guest_program)
    assert ran.returncode == 0, ran.stderr
    _, wrong = judge_all(FUNCTIONS, ran.stdout, reference)
    assert not wrong, "\n".join(wrong[:50])


def test_tables_are_what_the_script_writes() -> None:
    script = ROOT / "scripts" / "libm_tables.py"
    ran = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
