"""The checker finds each seeded bug at its line, and nothing in the mended programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rockcreek
from guest_programs import compile_program, read_header
from rockcreek.booting.boot_job import BootJob, execute
from rockcreek.checking.kinds.sites import own_frame
from rockcreek.results.result import Result

HERE = Path(__file__).parent


_FINDS = re.compile(r"/\* finds: ([a-z-]+) \*/")
KERNEL = HERE / "bare/bare_metal.c"
BARE = HERE.parents[1] / "experiments/bare"
PROGRAMS = sorted(path for path in HERE.glob("*.c"))


def seeds(source: Path) -> set[tuple[str, int]]:
    """The kind and line of each bug in a program."""
    lines = source.read_text().splitlines()
    found = ((_FINDS.search(line), number) for number, line in enumerate(lines, 1))
    return {(match[1], number) for match, number in found if match is not None}


def run(source: Path, *flags: str, check: tuple[str, ...] = ("coherence", "races")) -> Result:
    header = read_header(source.read_text())
    assert header is not None
    program = compile_program(source, [*header.cc, *flags])
    cores = int(header.options[header.options.index("-n") + 1])
    return rockcreek.run(program, n=cores, check=check, until_ps=10**12)


def lines_of(result: Result, source: Path) -> list[tuple[str, set[int]]]:
    """Of each finding its kind and the lines of the program that it names."""
    assert result.findings is not None
    told = []
    for finding in result.findings["findings"]:
        sites = (finding["victim"], finding["culprit"])
        frames = [own_frame(site) for site in sites if site is not None]
        lines = {f["line"] for f in frames if f and (f["file"] or "").endswith(source.name)}
        told.append((finding["kind"], lines))
    return told


def boot(*flags: str) -> Result:
    """The seeds without an operating system, on two cores."""
    shared = [str(BARE / name) for name in ("start.S", "paging.c", "print.c", "interrupt.c")]
    options = ["-ffreestanding", "-nostdlib", "-mgeneral-regs-only", "-T", str(BARE / "kernel.ld")]
    image = compile_program(KERNEL, ["-O1", *options, *flags, *shared])
    return execute(
        BootJob((str(image),), cores="0,1", check=("coherence", "races"), until_ps=10**10)
    )


@pytest.mark.parametrize("flags", [(), ("-DMENDED",)], ids=["seeds", "mended"])
def test_without_an_operating_system(flags: tuple[str, ...]) -> None:
    told = lines_of(boot(*flags), KERNEL)
    wanted = set() if flags else seeds(KERNEL)
    assert {(kind, line) for kind, lines in told for line in lines} >= wanted
    assert len(told) == len(wanted)


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_each_seed_is_found_at_its_line(source: Path) -> None:
    result = run(source)
    assert result.end == "exited", result.errors
    told = lines_of(result, source)
    wanted = seeds(source)
    missed = [seed for seed in sorted(wanted, key=lambda s: s[1])
              if not any(kind == seed[0] and seed[1] in lines for kind, lines in told)]  # fmt: skip
    besides = [one for one in told
               if not any((one[0], line) in wanted for line in one[1])]  # fmt: skip
    assert (missed, besides) == ([], [])


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_is_found_in_the_mended_program(source: Path) -> None:
    result = run(source, "-DMENDED")
    assert result.findings is not None
    assert (result.end, lines_of(result, source)) == ("exited", [])


def test_there_are_more_than_forty() -> None:
    assert sum(len(seeds(source)) for source in [*PROGRAMS, KERNEL]) >= 57
