"""Linux programs as tasks of the microkernel, and the plan that says what the root task starts."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from rockcreek import resources

HERE = Path(__file__).parent
BUILT = resources.GUEST / "l4"
PLAN = "task io io.elf devices priority 15\ntask posix posix.elf kernel 10240 uses io\n"


@pytest.fixture(scope="module")
def program(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(HERE / "linux_program.c")


Boot = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def start(boot: Boot, tmp_path: Path) -> Boot:
    """`start(plan, modules..., append="")`: the servers, the plan, and what follows it."""

    def started(
        plan: str, *modules: Path | str, append: str = ""
    ) -> subprocess.CompletedProcess[str]:
        (tmp_path / "plan.txt").write_text(plan)
        servers = [BUILT / f"{name}.elf" for name in ("sigma0", "root", "io", "posix")]
        return boot(*servers, tmp_path / "plan.txt", *modules, append=append)

    return started


@pytest.mark.parametrize(
    ("plan", "line"),
    [
        ("", "plan.txt starts no task: write task NAME MODULE"),
        ("# only a comment\n", "plan.txt starts no task: write task NAME MODULE"),
        ("start posix\n", "plan.txt, line 1: start is no line, or one task too many"),
        ("\ntask a missing.elf\n", "plan.txt, line 2: there is no module missing.elf"),
        ("task a posix.elf\ntask a posix.elf\n", "plan.txt, line 2: a is there twice"),
        ("task a posix.elf priority x\n", "plan.txt, line 1: x is no number"),
        ("task a posix.elf priority 0\n", "plan.txt, line 1: a number is missing, or 0"),
        ("task a posix.elf colour 1\n", "plan.txt, line 1: colour is not known here"),
        ("task a posix.elf uses b\n", "plan.txt, line 1: uses names no task of an earlier line: b"),
        ("task a plan.txt\n", "module plan.txt is not an ELF image"),
        ("task a sigma0.elf kernel 12\n", "task a cannot be made: error -4"),
        ("task a sigma0.elf kernel 14\n", "task a does not fit: 14 KB of kernel memory"),
        ("task abcdefghijkl posix.elf\n", "plan.txt, line 1: a name has 1 to 11 characters"),
    ],
)
def test_a_plan_that_cannot_be_carried_out(start: Boot, plan: str, line: str) -> None:
    told = start(plan)
    assert told.returncode == 1, told.stdout + told.stderr
    assert told.stdout.startswith(f"root: {line}")
    assert len(told.stdout.splitlines()) == 1


def changed(image: bytes, segment: int, field: int, value: int) -> bytes:
    """The ELF image with another word in a program header."""
    (headers,) = struct.unpack_from("<I", image, 28)
    result = bytearray(image)
    struct.pack_into("<I", result, headers + 32 * segment + 4 * field, value)
    return bytes(result)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (0x400000, "has segments that overlap"),
        (0xF0000000, "has a segment where the kernel lies"),
        (0xEFFFF000, "has a segment where the kernel lies"),
    ],
)
def test_an_image_in_a_wrong_place(start: Boot, tmp_path: Path, address: int, why: str) -> None:
    broken = tmp_path / "broken.elf"
    broken.write_bytes(changed((BUILT / "io.elf").read_bytes(), 1, 2, address))
    told = start("task a broken.elf\n", broken)
    assert told.returncode == 1
    assert told.stdout == f"root: module broken.elf {why}\n"


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("*(volatile int *)4096 = 1;", "page fault at 1008"),
        ("*(volatile int *)0xF0000000 = 1;", "page fault at f0000008"),
        ('__asm__("ud2");', "exception 6"),
        ('__asm__("hlt");', "exception 13"),
    ],
)
def test_a_server_that_dies_at_its_start(start: Boot, tmp_path: Path, what: str, why: str) -> None:
    source = tmp_path / "dies.c"
    source.write_text(f"int main(void) {{ {what} return 0; }}\nvoid halt(void) {{}}\n")
    system = HERE.parent
    flags = [
        "-nostdlib",
        "-ffreestanding",
        "-O1",
        "-Wall",
        "-Werror",
        "-T",
        str(system / "lib/program.ld"),
    ]
    built = tmp_path / "dies.elf"
    ready.rck("cc", *flags, str(system / "lib/start.S"), str(source), "-o", str(built), check=True)
    told = start("task dies dies.elf\n", built)
    assert told.returncode == 1
    assert told.stdout.startswith(f"root: task dies died: {why}, EIP 400")


@pytest.fixture
def run(start: Boot, program: Path) -> Boot:
    """`run(arguments...)`: the program."""

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        argv = ",".join([program.name, *arguments])
        return start(PLAN, program, append=f"argv={argv} env=HOME=/root")

    return ran


def test_a_linux_program_runs_unchanged(run: Boot) -> None:
    told = run("one", "two%20words", "a%2Cb%25")
    assert told.returncode == 7, told.stdout + told.stderr
    assert told.stdout.splitlines() == [
        "[one][two words][a,b%] HOME is /root",
        "sum 166500000.000, a new page holds 0",
        "slept 2 ms, year 2010",
        "no file",
    ]
    assert told.stderr.splitlines() == ["this goes to standard error"]


@pytest.mark.parametrize(
    ("how", "fault"),
    [(how, "segmentation fault") for how in ("null", "text", "kernel")]
    + [("divide", "arithmetic fault")],
)
def test_a_program_that_does_what_it_must_not(run: Boot, how: str, fault: str) -> None:
    told = run(how)
    assert told.returncode == 76, told.stdout + told.stderr
    assert f"rck: core 00 (tile 0,0): {fault}" in told.stderr


def test_no_program(start: Boot) -> None:
    """The last module is the program, and a plan is none."""
    told = start(PLAN, append="argv=x")
    assert told.returncode == 76
    assert "kernel panic: plan.txt is not an ELF image" in told.stderr


def test_a_plan_without_io(start: Boot, program: Path) -> None:
    told = start("task posix posix.elf kernel 10240\n", program, append="argv=x")
    assert told.returncode == 1
    assert "does the plan say that this task uses io?" in told.stderr


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    struct timespec some = {0, 2000000};
    volatile double x = atoi(argv[2]);

    for (int n = 0; n < 3; n++) {
        nanosleep(&some, NULL);
        x *= 1.5;
        printf("%s %d %.3f\\n", argv[1], n, x);
        fflush(stdout);
    }
    return atoi(argv[2]);
}
"""
TWO = """task io io.elf devices priority 15
task first posix.elf kernel 6000 uses io runs prog line one
task second posix.elf kernel 6000 uses io runs prog line two
"""


def test_two_programs_run_on_one_core_at_once(
    guest: Callable[..., Path], start: Boot, tmp_path: Path
) -> None:
    """By turns, with x87 registers of their own; the core ends with the last of them."""
    lines = {"one": "argv=prog,a,1", "two": "argv=prog,b,0"}
    for name, text in lines.items():
        (tmp_path / name).write_text(text)
    modules = [f"{guest(PROGRAM)}=prog", *(f"{tmp_path / name}={name}" for name in lines)]
    told = start(TWO, *modules)
    assert told.returncode == 1, told.stderr
    values = {"a": ["1.500", "2.250", "3.375"], "b": ["0.000"] * 3}
    assert told.stdout.splitlines() == [
        f"{who} {n} {values[who][n]}" for n in range(3) for who in "ab"
    ]


@pytest.mark.parametrize(
    ("option", "line"),
    [
        ("runs missing", "plan.txt, line 1: there is no module missing"),
        ("line missing", "plan.txt, line 1: there is no module missing"),
        ("line full", "module full fills its page: add a space"),
    ],
)
def test_a_program_or_line_that_is_not_there(
    start: Boot, tmp_path: Path, option: str, line: str
) -> None:
    (tmp_path / "full").write_text("x" * 4096)
    told = start(f"task posix posix.elf kernel 6000 {option}\n", f"{tmp_path}/full=full")
    assert told.returncode == 1
    assert told.stdout.splitlines() == [f"root: {line}"]


@pytest.fixture(scope="module")
def forks(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(HERE / "fork_many.c")


@pytest.mark.parametrize(
    ("kilobytes", "arguments", "line"),
    [
        # No kernel memory and no frame stays behind: there is room for few children at a time.
        (1600, "100", "100 forks"),
        pytest.param(1600, "300", "300 forks", marks=pytest.mark.slow),
        (4000, "1,20000000", "1 forks"),
        (4000, "1,26000000", "fork 0: Out of memory"),
    ],
)
def test_forks_and_memory(
    start: Boot, forks: Path, kilobytes: int, arguments: str, line: str
) -> None:
    plan = PLAN.replace("10240", str(kilobytes))
    told = start(plan, forks, append=f"argv=prog,{arguments}")
    assert (told.returncode, told.stdout) == (0, f"{line}\n"), told.stderr


def test_two_programs_of_one_core_fork(start: Boot, forks: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text("argv=prog,3")
    lines = (f"{tmp_path / name}={name}" for name in ("one", "two"))
    told = start(TWO, f"{forks}=prog", *lines)
    assert (told.returncode, told.stdout) == (0, "3 forks\n" * 2), told.stderr


TWO_PROGRAMS = """
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    if (argc > 1)
        return printf("%s has a process of its own\\n", argv[0]) < 0;
    fflush(stdout);
    if (fork() == 0)
        return execl("/bin/other", "other", "x", NULL);
    wait(NULL);
    return puts("and ends") < 0;
}
"""


def test_a_child_runs_another_module(
    guest: Callable[..., Path], start: Boot, tmp_path: Path
) -> None:
    program = guest(TWO_PROGRAMS)
    told = start(PLAN, f"{program}=other", f"{program}=prog", append="argv=prog")
    assert (told.returncode, told.stdout) == (0, "other has a process of its own\nand ends\n")


SHARED = """
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (fork() == 0)
        return !(*word = 1);
    wait(NULL);
    return printf("%d\\n", *word) < 0;
}
"""


def test_shared_memory_is_copied_and_named(guest: Callable[..., Path], start: Boot) -> None:
    told = start(PLAN, guest(SHARED), append="argv=prog")
    assert (told.returncode, told.stdout) == (0, "0\n")
    assert "l4: core 0: posix: a child has copies of memory that is mapped as shared" in told.stderr
