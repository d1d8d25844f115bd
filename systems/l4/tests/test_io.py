"""What a task gets of the chip by `io` and `sigma0`; how long the kernel keeps interrupts off."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek import resources

SYSTEM = Path(__file__).parents[1]
BUILT = resources.GUEST / "l4"
# Interrupts are off for less than this in every operation: 0.19 ms.
CYCLES_WITHOUT_INTERRUPTS = 100_000
OPERATIONS = 8


Server = Callable[[str], Path]
Boot = Callable[..., subprocess.CompletedProcess[str]]


def test_a_task_gets_of_io_and_sigma0_what_it_may_have(
    boot: Boot, server: Server, tmp_path: Path
) -> None:
    client = server("tests/io_client.c")
    plan = tmp_path / "plan.txt"
    plan.write_text("task io io.elf devices priority 15\ntask client io_client.elf uses io\n")
    servers = [BUILT / f"{name}.elf" for name in ("sigma0", "root", "io")]
    told = boot(*servers, client, plan)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout == (SYSTEM / "tests/io_client.expected").read_text()


@pytest.mark.parametrize(
    ("listens", "measured"),
    [(0, ["interrupt", "hybrid"]), (1, ["polling"])],
    ids=["sleeps", "looks"],
)
def test_a_gate_of_another_core_is_called(
    boot: Boot, server: Server, tmp_path: Path, listens: int, measured: list[str]
) -> None:
    """The called task computes meanwhile, and sees the badge that it exported."""
    client = server("bench/far.c")
    plan = tmp_path / "plan.txt"
    plan.write_text(
        "task io io.elf devices priority 15\ntask far far.elf uses io\n"
        "task bench far_client.elf uses far\n"
    )
    servers = [BUILT / f"{name}.elf" for name in ("sigma0", "root", "io", "far")]
    told = boot(
        *servers,
        f"{client}=far_client.elf",
        plan,
        cores="0,47",
        append=f"peer=47 listen={listens}",
    )
    assert told.returncode == 0, told.stdout + told.stderr
    lines = [line.removeprefix("[00] bench: ") for line in told.stdout.splitlines()]
    cycles = dict(line.rsplit(" ", 1) for line in lines[: len(measured)])
    assert list(cycles) == measured
    for name, count in cycles.items():
        assert 1_000 < int(count) < 20_000, name
    # A number that nobody exports, a core that does not run, one that is none.
    refused = [*2 * ["label ffe0, error -6"], "a core behind the last: -3"]
    assert lines[len(measured) :] == ([] if listens else refused)


def test_interrupts_are_off_for_a_bounded_time(boot: Boot, server: Server) -> None:
    """A message with pages and the end of a task go on in steps. A range of pages that takes more
    than one step once never ended."""
    told = boot(BUILT / "sigma0.elf", f"{server('bench/latency.c')}=root.elf")
    assert told.returncode == 0, told.stdout + told.stderr
    lines = [line.strip().removeprefix("root: ") for line in told.stdout.splitlines()]
    cycles = {
        name: int(count) for name, count in (line.rsplit(" ", 1) for line in lines if line != "g:")
    }
    assert len(cycles) == OPERATIONS
    for name, measured in cycles.items():
        assert measured < CYCLES_WITHOUT_INTERRUPTS, name
    assert max(cycles.values()) > 1_000
