"""The microkernel on booted cores: messages, hostile children, cycles, and bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from rockcreek import resources

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import random_invokes  # noqa: E402 (beside this file)

SYSTEM = Path(__file__).parents[1]
SIGMA0 = resources.GUEST / "l4/sigma0.elf"
CYCLES_CALL_AND_REPLY = 600  # the bar of this system's README


Server = Callable[[str], Path]
Boot = Callable[..., subprocess.CompletedProcess[str]]


def lines(told: subprocess.CompletedProcess[str]) -> list[str]:
    assert told.returncode == 0, told.stdout + told.stderr
    return [line.removeprefix("root: ") for line in told.stdout.splitlines()]


@pytest.mark.parametrize("name", ["ipc", "ring3", "processor", "rights", "shares", "random"])
def test_a_root_task_prints_what_is_expected(boot: Boot, server: Server, name: str) -> None:
    expected = (SYSTEM / f"tests/{name}.expected").read_text().splitlines()
    assert lines(boot(SIGMA0, f"{server(f'tests/{name}.c')}=root.elf")) == expected


def test_random_invocations_go_on_where_they_were(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches, page = tmp_path / "batches.jsonl", tmp_path / "page.md"
    line = ["random_invokes.py", "--children", "3", "--invocations", "1", "--out", str(batches)]
    monkeypatch.setattr(random_invokes, "rck", ready.rck)
    monkeypatch.setattr(random_invokes, "build", lambda _: server("tests/random.c"))
    for more in ([], ["--report", str(page)]):
        monkeypatch.setattr(sys, "argv", [*line, *more])
        assert random_invokes.main() == 0
        # What comes after the first time runs nothing.
        monkeypatch.setattr(random_invokes, "TOLD", re.compile("another text"))
    (record,) = map(json.loads, batches.read_text().splitlines())
    assert f"{record['invocations']:,} random invocations by 3 tasks" in page.read_text()
    monkeypatch.setattr(sys, "argv", [*line, "--anew"])
    assert random_invokes.main() == 1
    assert not batches.exists()


def test_a_child_may_print_by_a_log_of_its_own_and_the_kernel_nothing() -> None:
    last = "root: 5 invocations, the kernel stands\n"
    assert random_invokes.TOLD.fullmatch(f"\t\ufffd\n\0{last}")
    assert not random_invokes.TOLD.fullmatch(f"\tl4: an exception of the kernel\n{last}")


def test_every_core_has_its_own_kernel(boot: Boot, server: Server) -> None:
    told = boot(SIGMA0, f"{server('tests/two_tasks.c')}=root.elf", cores="0,47")
    assert told.returncode == 0, told.stderr
    for core in (0, 47):
        own = [line for line in told.stdout.splitlines() if line.startswith(f"[{core:02}] ")]
        assert f"[{core:02}] root: core {core}, ring 3, 2 modules" in own
        assert f"[{core:02}] root: it holds 42" in own


def test_a_call_and_its_reply_are_short(boot: Boot, server: Server) -> None:
    """The short way is taken: the long one costs more than the bar."""
    told = lines(boot(SIGMA0, f"{server('bench/bench.c')}=root.elf"))
    cycles = {name: int(count) for name, count in (line.rsplit(" ", 1) for line in told)}
    assert len(cycles) == 7
    assert 200 < cycles["call and reply, 0 words"] < CYCLES_CALL_AND_REPLY
    for name, measured in cycles.items():
        assert 100 < measured < 20_000, name


@pytest.fixture
def refused(boot: Boot) -> Callable[..., str]:
    """The one line with which a boot ends: `refused(modules..., append="", chip="scc")`."""

    def told(*modules: str | Path, **options: str) -> str:
        ended = boot(*modules, **options)
        assert ended.returncode == 1, ended.stdout + ended.stderr
        (line,) = ended.stdout.splitlines()
        return line

    return told


Refused = Callable[..., str]


def test_another_chip(refused: Refused) -> None:
    line = refused(SIGMA0, chip="scc-128")
    assert "this kernel knows the SCC's 48 cores, and this is another chip" in line


def test_a_clock_that_is_unknown(refused: Refused, tmp_path: Path) -> None:
    """The register of the fast clock has a value that no chip has."""
    (tmp_path / "chip.toml").write_text(
        'base = "scc"\nname = "odd"\n[clocks]\n'
        'fast = { value = 8000, unit = "MHz", source = ["test"] }\n'
    )
    chip = str(tmp_path / "chip.toml")
    unknown = "l4: the core's clock is unknown: say mhz= on the command line"
    assert refused(SIGMA0, chip=chip) == unknown
    assert refused(SIGMA0, chip=chip, append="mhz=533") == "l4: there is no module root.elf"


def test_without_modules(refused: Refused) -> None:
    assert refused().startswith("l4: no modules: pass sigma0.elf and a root task")


def test_without_a_root_task(refused: Refused) -> None:
    assert refused(SIGMA0) == "l4: there is no module root.elf"


def test_two_root_tasks(refused: Refused, server: Server) -> None:
    program = f"{server('tests/two_tasks.c')}=root.elf"
    assert "two modules have the name" in refused(SIGMA0, program, program)


def test_a_root_task_that_is_no_image(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "root.elf").write_text("no image, but long enough to have a header " * 3)
    assert refused(SIGMA0, tmp_path / "root.elf") == "l4: module root.elf is not an ELF image"


def test_an_image_by_another_linker_script(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "root.c").write_text("int big[100]; void _start(void) { for (;;) ; }\n")
    program = tmp_path / "root.elf"
    flags = ["-nostdlib", "-ffreestanding", "-static", "-o", str(program)]
    ready.rck("cc", *flags, tmp_path / "root.c", check=True)
    assert "was not linked by the script of this system" in refused(SIGMA0, program)


def test_an_image_that_is_cut_short(refused: Refused, server: Server, tmp_path: Path) -> None:
    (tmp_path / "root.elf").write_bytes(server("tests/two_tasks.c").read_bytes()[:9000])
    assert refused(SIGMA0, tmp_path / "root.elf") == "l4: module root.elf is cut short"


def test_too_little_kernel_memory(refused: Refused, server: Server) -> None:
    program = f"{server('tests/two_tasks.c')}=root.elf"
    assert "kernel memory" in refused(SIGMA0, program, append="kmem=40")
    assert "kmem=KILOBYTES" in refused(SIGMA0, program, append="kmem=8")
