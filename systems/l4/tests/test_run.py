"""`rck run --kernel l4`: what it runs, what it refuses."""

from __future__ import annotations

import json
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
    read = [ord("x"), *47 * [-1]]
    assert lines == [f"[{core:02}] hello from a b, 2, read {read[core]}" for core in range(48)]
    assert all(core.exit_code == 0 for core in result.cores)


PROCESS = """
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile double mine = 1.5;
static volatile int hits;
static void on(int number) { mine *= number; hits++; }
int main(void)
{
    char line[80] = "";
    double x = 1;
    FILE *file = fopen("/in.txt", "r");
    printf("file: %s", fgets(line, sizeof line, file));
    file = fopen("/lib/more.txt", "r");
    printf("mount: %s", fgets(line, sizeof line, file));
    file = fopen("/out.txt", "w");
    fprintf(file, "%s", "written\\n");
    fclose(file);
    while (fgets(line, sizeof line, stdin))
        printf("input: %s", line);
    signal(SIGALRM, on);
    ualarm(500, 0);
    while (!hits)
        x = x * 1.0000001 + 1e-9;
    printf("%d, %.1f, %d\\n", hits, mine, x > 1 && x < 2);
    return 0;
}
"""


def test_files_input_and_a_signal_amid_floating_point(
    guest: Callable[..., Path], tmp_path: Path
) -> None:
    for name, text in {"share/in.txt": "one\n", "lib/more.txt": "two\n"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    result = rockcreek.run(
        guest(PROCESS),
        kernel="l4",
        stdin=b"a\nb\n",
        share=tmp_path / "share",
        mounts={"lib": str(tmp_path / "lib")},
    )
    told = result.stdout.decode().splitlines()
    expected = ["file: one", "mount: two", "input: a", "input: b", "1, 21.0, 1"]
    assert told == expected, result.stderr.decode()
    assert (tmp_path / "share/out.txt").read_text() == "written\n"


def test_a_profile_names_the_server_for_programs(hello: Path, tmp_path: Path) -> None:
    """The server lies above the program; before, it was nameless code of the kernel."""
    profile = tmp_path / "p.json"
    rockcreek.run(hello, ["a"], kernel="l4", profile=profile)
    places = json.loads(profile.read_text())["places"]
    by_image = {
        image: {place["function"] for place in places if place["image"] == image}
        for image in {place["image"] for place in places}
    }
    assert set(by_image) == {"kernel", "posix.elf", hello.name}
    assert {"syscall", "sys_writev"} <= by_image["posix.elf"]
    assert "main" in by_image[hello.name]
    assert "schedule" in by_image["kernel"]


@pytest.fixture
def registers(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(Path(__file__).parent / "registers.c")


def test_a_program_uses_locks_and_reads_registers(registers: Path) -> None:
    """All by accesses that fault; our own kernel maps the page."""
    told = {kernel: rockcreek.run(registers, kernel=kernel) for kernel in kernels.NAMES}
    assert told["l4"].stdout == told["rck"].stdout != b""
    assert told["l4"].exit_code == 0


@pytest.mark.parametrize(
    "what",
    ["lut", "lut1", "reset", "nmi", "clock", "channel", "gic", "kernel", "apic", "instruction"],
)
def test_a_program_does_not_reach_what_is_others(registers: Path, what: str) -> None:
    result = rockcreek.run(registers, [what], kernel="l4")
    assert result.exit_code == 76
    assert result.stdout == b""
    why = "this instruction cannot" if what == "instruction" else "io does not permit this access"
    assert why in result.stderr.decode()


def test_what_only_our_own_kernel_serves(hello: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "s.rck"
    with pytest.raises(UsageError, match="--save: the kernel l4 does not serve it"):
        rockcreek.run(hello, kernel="l4", save=snapshot)
    assert not snapshot.exists()


def test_a_chip_that_is_not_the_scc(hello: Path) -> None:
    with pytest.raises(UsageError, match="it runs on the SCC's 48 cores, and the chip"):
        rockcreek.run(hello, kernel="l4", chip="scc-128")


def test_a_kernel_that_is_not_there(hello: Path) -> None:
    with pytest.raises(UsageError, match="there is no kernel 'l5'"):
        rockcreek.run(hello, kernel="l5")


def test_the_command_knows_the_kernels() -> None:
    """Linux is the command's alone: there `rck linux run` or `rck smp` starts the program."""
    assert set(run.KERNELS) == {*kernels.NAMES, "linux", "smp"}
