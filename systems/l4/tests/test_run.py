"""`rck run --kernel l4`: what it runs, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rockcreek
from rockcreek.cli.commands import run
from rockcreek.errors import UsageError
from rockcreek.software import kernels

HELLO = """
#include <stdio.h>
int main(int argc, char **argv)
{
    printf("hello from %s, %d, read %d\\n", argv[1], argc, getchar());
    return 0;
}
"""


@pytest.fixture
def hello(guest: Callable[..., Path]) -> Path:
    return guest(HELLO)


def test_48_cores_run_a_program(hello: Path) -> None:
    result = rockcreek.run(hello, ["a b"], n=48, kernel="l4", stdin=b"x", tag="core")
    lines = sorted(result.stdout.decode().splitlines())
    assert lines == [f"[{core:02}] hello from a b, 2, read -1" for core in range(48)]
    assert all(core.exit_code == 0 for core in result.cores)
    assert "[47] l4: posix: there is no standard input: it is empty" in result.stderr.decode()


@pytest.mark.parametrize(
    "options",
    [{"share": "."}, {"strace": True}, {"save": "s.rck"}, {"mounts": {"lib": "."}}],
    ids=lambda options: next(iter(options)),
)
def test_what_only_our_own_kernel_serves(hello: Path, options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="the kernel l4 does not serve it"):
        rockcreek.run(hello, kernel="l4", **options)  # type: ignore[arg-type]
    assert not Path("s.rck").exists()


def test_a_kernel_that_is_not_there(hello: Path) -> None:
    with pytest.raises(UsageError, match="there is no kernel 'l5'"):
        rockcreek.run(hello, kernel="l5")


def test_the_command_knows_the_kernels() -> None:
    assert run.KERNELS == kernels.NAMES
