"""The hypervisor with its small guest, on booted cores, and what a wrong start brings."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ready
from guest_kernels import elf
from rockcreek import resources

VISOR = resources.GUEST / "rockyvisor/visor.elf"
GUEST = resources.GUEST / "rockyvisor/guest.elf"
CALLING = resources.GUEST / "rockyvisor/calling_guest.elf"
ROUNDS = 10_000  # of LOCK INC, by each processor


def booted(
    *modules: str | Path,
    cores: str = "0",
    append: str = "",
    fault: str | None = None,
    timeout: str = "60s",
) -> subprocess.CompletedProcess[str]:
    """The hypervisor, until its machine has ended."""
    given = [part for module in modules for part in ("--module", str(module))]
    options = ["-q", "--timeout", timeout, "--tag", "none", "--cores", cores, "--append", append]
    options += [] if fault is None else ["--fault", fault]
    return ready.rck("boot", *options, str(VISOR), *given)


def boot(*modules: str | Path, **given: Any) -> tuple[int, list[str]]:
    """Exit code and output on COM1."""
    ended = booted(*modules, **given)
    return ended.returncode, ended.stdout.splitlines()


def counted(lines: list[str], what: str) -> int:
    """A count of the hypervisor's report."""
    (line,) = [line for line in lines if line.endswith(f" {what}")]
    return int(line.split()[1])


def test_the_guest_is_translated_and_each_instruction_accounted_for(tmp_path: Path) -> None:
    """Segments that end below 4 GB, processors that poll words, events that undo what cores did."""
    out = tmp_path / "r.json"
    options = ["-q", "--tag", "none", "--cores", "0,1", "--append", "cores=0,1 -- litmus 2"]
    options += ["--profile-host", "--json", str(out)]
    assert ready.rck("boot", *options, str(VISOR), "--module", str(GUEST)).returncode == 0
    result = json.loads(out.read_text())
    counts = result["host"]["profile"]["instructions"]
    assert min(counts.values()) >= 0, counts
    assert sum(counts.values()) - 2 * counts["again"] == result["instructions"]
    assert counts["skipped"] > 0
    assert counts["translated"] > counts["interpreted"] + counts["stepped"]


@pytest.mark.parametrize(
    ("cores", "of_each", "tables"),
    [
        pytest.param("0", 1, "", id="one processor"),
        pytest.param("0", 4, "tlb ", id="four on one core, an emulated TLB"),
        pytest.param("0,47", 2, "", id="two on each of two distant cores"),
        pytest.param("0-3", 1, "", id="four cores"),
        pytest.param("0,47", 2, "hypercalls", id="a guest that calls its hypervisor"),
        pytest.param("0-7", 1, "tlb", id="eight cores", marks=pytest.mark.slow),
    ],
)
def test_no_addition_by_lock_inc_is_lost(cores: str, of_each: int, tables: str) -> None:
    guest = CALLING if tables == "hypercalls" else GUEST
    code, lines = boot(guest, cores=cores, append=f"{tables} cores={cores} vcpus={of_each}".strip())
    assert code == 0, lines
    processors = of_each * {"0": 1, "0,47": 2, "0-3": 4, "0-7": 8}[cores]
    assert f"{processors} processors, {processors * ROUNDS} additions by LOCK INC" in lines
    assert not [line for line in lines if line.startswith("FAILED")]
    assert len([line for line in lines if line.startswith("ok ")]) == 29
    if of_each == 1:  # lines of different cores stay whole
        others = {f"processor {n} adds, as all others do" for n in range(1, processors)}
        assert others <= set(lines)


@pytest.mark.parametrize(("cores", "ways"), [("0,47", 16), ("0-3", 20)], ids=["two", "four"])
def test_what_processors_see_of_each_other(cores: str, ways: int) -> None:
    """Loads and stores of one page and of two; four processors also as two who only read."""
    code, lines = boot(GUEST, cores=cores, append=f"cores={cores} -- litmus 20")
    assert code == 0, lines
    assert len(lines) == ways
    told = [re.fullmatch(r".+: (\d+) rounds, (\d+) outcomes, (\d+) forbidden", n) for n in lines]
    counts = [tuple(map(int, one.groups())) for one in told if one]
    assert all((rounds, forbidden) == (20, 0) for rounds, _, forbidden in counts), lines
    # Else nobody has met anybody.
    assert sum(outcomes for _, outcomes, _ in counts) >= 2 * ways, lines


def test_only_a_guest_that_may_call_does() -> None:
    """Without the hypervisor's word its calls are interrupts, for which the guest has no gates."""
    code, lines = boot(CALLING)
    assert code == 1
    assert lines[-1].startswith("rockyvisor: the guest cannot take exception 25"), lines


def test_calls_take_less_time_than_traps() -> None:
    cycles = {}
    for guest, word in (GUEST, ""), (CALLING, "hypercalls "):
        code, lines = boot(guest, append=f"{word}-- costs")
        assert code == 0, lines
        found = re.findall(r"^cycles, (CLI|STI|POPF): (\d+)$", "\n".join(lines), re.MULTILINE)
        cycles[guest] = {name: int(count) for name, count in found}
    assert cycles[CALLING].keys() == {"CLI", "STI", "POPF"}
    assert all(cycles[CALLING][name] < count for name, count in cycles[GUEST].items()), cycles


@pytest.mark.parametrize(
    "cores", ["0-3", pytest.param("0-15", marks=pytest.mark.slow)], ids=["four", "sixteen"]
)
def test_a_storm_of_pages(cores: str) -> None:
    """Nobody waits for ever, even where a core gets a mail while it emulates CLI."""
    code, lines = boot(GUEST, cores=cores, append=f"cores={cores} -- storm", timeout="300s")
    assert code == 0, lines
    told = dict(line.split(": ") for line in lines)
    # A core that works on a page keeps it for a while, whoever looks at it.
    assert int(told.pop("cycles of a write while others look")) < 1000
    assert told == {
        "processors whose PUSHF shows TF": "0",
        "additions lost": "0",
        "processors with wrong copies": "0",
        "a register of COM1 that another has written": "165",
    }


@pytest.mark.parametrize(
    ("frames", "rounds"),
    [
        pytest.param(24, 60, id="all flush ahead"),
        pytest.param(1, 8, id="a core waits for all"),
    ],
)
def test_frames_that_many_cores_have_cached_are_used_again(frames: int, rounds: int) -> None:
    """One core writes pages of code, three execute them; nobody sees what lay there before."""
    append = f"report frames={frames} cores=0-3 -- text {rounds}"
    code, lines = boot(GUEST, cores="0-3", append=append)
    assert code == 0, lines
    assert f"pages written and executed: {rounds}" in lines
    assert "times old code or data: 0" in lines
    flushes = [int(line.split()[1]) for line in lines if line.endswith("flushes of L2")]
    assert len(flushes) == 4
    assert min(flushes) > 1


def test_one_lock_and_a_thousand_pages() -> None:
    """No change is lost, and nobody has less than a fifth of what all have (make smp-storm)."""
    code, lines = boot(GUEST, cores="0-3", append="cores=0-3 -- pages 30")
    assert code == 0, lines
    told = {what: int(count) for what, count in (line.split(": ") for line in lines)}
    assert told["changes"] > 100
    assert told["changes of the slowest"] * 5 > told["changes of a processor, mean"]
    assert told["changes lost"] == told["pages seen half changed"] == 0


@pytest.mark.parametrize("when", ["100us", "12ms"], ids=["at once", "as the guest begins"])
def test_a_core_that_stops_before_it_has_started_the_others_ends_the_machine(when: str) -> None:
    """All others sleep; one of them tells it for all."""
    code, lines = boot(GUEST, cores="0-7", append="cores=0-7 -- storm", fault=f"hang:core=0@{when}")
    assert code == 1, lines
    told = "core 0 has stopped: it does not answer core 1, which nobody has started yet"
    lost = r"; with it are lost \d+ of the guest's pages(, from \w{8} on)?"
    assert re.fullmatch(f"rockyvisor: {told}{lost}", *lines)


def test_a_run_ends_whose_processors_all_sleep_for_ever() -> None:
    """No core wakes others to see whether they are there."""
    code, lines = boot(GUEST, cores="0-7", append="cores=0-7 vcpus=2 -- halt")
    assert (code, lines) == (0, [])  # else after 60 s: --timeout


@pytest.mark.parametrize("kind", ["hang", pytest.param("die", marks=pytest.mark.slow)])
def test_a_core_that_stops_ends_the_machine(kind: str) -> None:
    """A line names the core and the instruction; the page for which it waits, or what is lost."""
    told = []
    for when in ("42ms", "44ms", "46ms"):  # in the storm
        fault = f"{kind}:core=1@{when}"
        code, lines = boot(GUEST, cores="0-1", append="cores=0-1 -- storm", fault=fault)
        assert code == 1, lines
        told.append(lines[-1])
    stopped = "rockyvisor: core 1 has stopped: it does not answer core 0"
    at = r"at the guest's instruction \w{8}"
    waits = rf"{stopped}, which waits for the guest's page \w{{8}} {at}"
    lost = rf"{stopped} {at}; with it are lost \d+ of the guest's pages, from \w{{8}} on"
    assert all(re.fullmatch(f"{waits}|{lost}", line) for line in told), told
    assert any(re.fullmatch(waits, line) for line in told), told


@pytest.mark.parametrize(
    "when", [23, *(pytest.param(at, marks=pytest.mark.slow) for at in range(15, 23))]
)
def test_a_core_that_stops_while_the_guest_polls_ends_the_machine(when: int) -> None:
    """The other core has the page that its guest looks at, and asks nobody for anything."""
    fault = f"hang:core=1@{when}ms"
    code, lines = boot(GUEST, cores="0-1", append="cores=0-1 -- storm", fault=fault)
    assert code == 1, lines
    told = "core 1 has stopped: it does not answer core 0"
    assert re.fullmatch(
        f"rockyvisor: {told}(, which waits for the guest's page [0-9A-F]{{8}})?"
        " at the guest's instruction [0-9A-F]{8}"
        r"(; with it are lost \d+ of the guest's pages(, from [0-9A-F]{8} on)?)?",
        lines[-1],
        re.IGNORECASE,
    )


def test_what_it_costs() -> None:
    """The bars: a CLI, and a page that another core has; and pages settle with their cores, or
    become hot."""
    ended = booted(GUEST, cores="0,47", append="report pages cores=0,47 -- costs")
    lines = ended.stdout.splitlines()
    assert ended.returncode == 0, lines
    moved = (
        r"rockyvisor: page [0-9a-f]{8}: \d+ reads, \d+ writes, \d+ K cycles, last at [0-9a-f]{8}"
    )
    assert all(re.fullmatch(moved, line) for line in ended.stderr.splitlines())
    assert ended.stderr.count("rockyvisor: page ") > 10
    measured = [line.rsplit(": ", 1) for line in lines if line.startswith("cycles")]
    cycles = {what: int(count) for what, count in measured}
    settled = [int(line.split()[1]) for line in lines if line.endswith("pages private again")]
    hot = [int(line.split()[1]) for line in lines if line.endswith("writes to hot pages")]
    assert min(sum(settled), sum(hot)) > 0
    assert 20 < cycles["cycles, CLI"] < 200
    assert 1000 < cycles["cycles, write to another's page"] < 6500


def test_a_report_says_what_the_guest_trapped_for() -> None:
    code, lines = boot(GUEST, append="report")
    assert code == 0, lines
    found = [re.fullmatch(r"rockyvisor: (\d+) x (\d+) cycles: (.+)", line) for line in lines]
    causes = {match[3]: int(match[1]) for match in found if match}
    assert min(causes[name] for name in ("IRET", "MOV to CR3", "LGDT")) > 0
    # All but the one that ends the machine.
    short = counted(lines, "of them CLI and STI that needed nothing else")
    assert sum(causes.values()) + short == counted(lines, "traps") - 1


def test_the_bare_chip_loses_additions(tmp_path: Path) -> None:
    source, program = Path(__file__).with_name("bare_lock.c"), str(tmp_path / "bare_lock")
    ready.rck("cc", "-O2", source, "-lrcce", "-o", program, check=True)
    ended = ready.rck("run", "-q", "-n", "4", "--tag", "none", program, check=True)
    assert ROUNDS <= int(ended.stdout) < 4 * ROUNDS


def test_shadows_are_kept_and_an_emulated_tlb_is_not() -> None:
    """Two virtual processors take turns: each turn loads CR3 anew."""
    kept = boot(GUEST, append="report vcpus=2")[1]
    emptied = boot(GUEST, append="report tlb vcpus=2")[1]
    assert counted(kept, "times all shadows emptied") == 0
    assert counted(emptied, "times all shadows emptied") > 2
    assert counted(emptied, "hidden page faults") > counted(kept, "hidden page faults")


@pytest.mark.parametrize(
    ("append", "told"),
    [
        ("vcpus=9", "vcpus= is 1 to 4, of each core"),
        ("memory=900", "memory= is 2 to 48 MB"),
        ("cores=0-99", "cores= names cores that the chip has not"),
        ("cores=5-3", "cores= has a range that ends before it begins"),
        ("nonsense", "the command line is: cores=LIST vcpus=N"),
    ],
)
def test_a_wrong_command_line(append: str, told: str) -> None:
    code, (line,) = boot(GUEST, append=append)
    assert code == 1
    assert line.startswith("rockyvisor: ")
    assert told in line


MULTIBOOT = struct.pack("<III", 0x1BADB002, 0, -0x1BADB002 & 0xFFFFFFFF)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        pytest.param(
            "0f20e0 83c820 0f22e0", "the guest switches PAE on, .* at 0x00100012", id="PAE"
        ),
        pytest.param(
            "0f44c1 f4",
            r"the guest cannot take exception 6 \(a triple fault\) at 0010000c, code 0f44c1f4 0+",
            id="CMOV",
        ),
        pytest.param("a3040000f8", "exception 13 .* code a3040000 f8000000", id="not its memory"),
        pytest.param("a3040000f0", "memory that is not there by .* 0x00100011", id="no memory"),
    ],
)
def test_a_guest_that_does_what_it_cannot(code: str, told: str, tmp_path: Path) -> None:
    """The guest has no tables yet, so any exception is its last."""
    kernel = elf(MULTIBOOT + bytes.fromhex(code) + bytes(8), entry=0x10000C)
    (tmp_path / "kernel").write_bytes(kernel)
    ended, (line,) = boot(tmp_path / "kernel")
    assert ended == 1
    assert re.fullmatch(f"rockyvisor: .*{told}", line), line


def test_a_wrong_guest(tmp_path: Path) -> None:
    assert "no guest: pass its kernel" in boot()[1][0]
    (tmp_path / "text").write_text("no kernel, but long enough to have a header " * 3)
    assert boot(tmp_path / "text")[1] == ["rockyvisor: the first module is not an i386 ELF kernel"]
    (tmp_path / "cut").write_bytes(GUEST.read_bytes()[:3000])
    code, (line,) = boot(tmp_path / "cut")
    assert (code, line) == (1, "rockyvisor: the guest's kernel is cut short")
