"""`rck boot --plan`: a file says which image goes onto which cores."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Boot = Callable[..., subprocess.CompletedProcess[str]]
Kernel = Callable[[str], Path]
PLAN = """
[[boot]]
cores = "0,47"
kernel = "hello.elf"
append = "c={core} t={tile}"
modules = ["m=/root"]

[[boot]]
cores = "5"
kernel = "hello.elf"
"""


@pytest.fixture
def plan(kernel: Kernel, tmp_path: Path) -> Callable[[str], Path]:
    """A plan beside the files that it names."""
    shutil.copy(kernel("hello"), tmp_path)
    (tmp_path / "m").write_text("text")

    def write(text: str) -> Path:
        (tmp_path / "plan.toml").write_text(text)
        return tmp_path / "plan.toml"

    return write


def test_each_part_has_its_kernel_line_and_modules(
    boot: Boot, kernel: Kernel, plan: Callable[[str], Path]
) -> None:
    command = ("--append", "other", f"{kernel('hello')}:core=7")
    told = boot("--plan", plan(PLAN), *command)
    assert (told.returncode, told.stderr) == (0, "")
    assert sorted(told.stdout.splitlines()) == [
        "[00] /root: text",
        "[00] core 0: c=0 t=0,0",
        "[05] core 5: ",
        "[07] core 7: other",
        "[47] /root: text",
        "[47] core 47: c=47 t=5,3",
    ]


def test_an_option_that_no_kernel_takes(
    boot: Boot, kernel: Kernel, plan: Callable[[str], Path]
) -> None:
    for option, value in (("--append", "other"), ("--module", kernel("hello"))):
        told = boot("--plan", plan(PLAN), option, value)
        assert f"{option}: there is no kernel to take it" in told.stderr
        assert told.returncode == 64


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        (PLAN.replace('"5"', '"5,48"'), "boot 2: cores: '5,48': the chip has cores 0 to 47", 64),
        (PLAN.replace('"5"', '"47"'), "core 47 has two kernels", 64),
        (PLAN.replace('"5"', "5"), "boot[1].cores", 65),
        (PLAN.replace("append", "apend"), "apend", 65),
        (PLAN.replace('["m=', '["n='), "n: No such file", 66),
        ("boot = []", "it has no part", 64),
        ("boot = [", "Invalid value", 65),
    ],
)
def test_plans_that_cannot_be(
    boot: Boot, plan: Callable[[str], Path], text: str, words: str, code: int
) -> None:
    told = boot("--plan", plan(text))
    assert words in told.stderr
    assert told.returncode == code, told.stderr
