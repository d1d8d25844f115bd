"""`--profile` accounts for every cycle by cause and source line, and changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rockcreek.reading import profile as profiles
from rockcreek.results import cycle_profile, profile_text
from rockcreek.results.result import Result
from rockcreek.running.run_job import Job, execute
from rockcreek.software.image import read

PROGRAM = """
#include "RCCE.h"
static volatile char big[65536] __attribute__((aligned(4096)));
__attribute__((noinline)) static int walk(void)
{
    int sum = 0;
    for (unsigned i = 0; i < sizeof(big); i += 32)
        sum += big[i]; /* DRAM */
    for (int round = 0; round < 20; round++)
        for (unsigned i = 0; i < 32768; i += 32)
            sum += big[i]; /* L2 */
    return sum;
}
__attribute__((noinline)) static int multiply(void)
{
    volatile int seed = 3;
    unsigned x = (unsigned)seed;
    for (int i = 0; i < 20000; i++)
        x = x * 5 + 1; /* pipes */
    return (int)(x & 1);
}
int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int sum = walk() + multiply();
    for (int i = 0; i < 50; i++) {
        RCCE_acquire_lock(0);
        RCCE_release_lock(0);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    RCCE_finalize();
    return sum > 1000;
}
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Result, dict[str, Any]]:
    """Without a profile, with one, and the profile."""
    from guest_programs import compile_program

    folder = tmp_path_factory.mktemp("profile")
    source = folder / "parts.c"
    source.write_text(PROGRAM)
    program = compile_program(source, ["-O1", "-g", "-lrcce"])
    file = folder / "p.json"
    terms: dict[str, Any] = {"n": 3, "chip": "scc"}
    plain = execute(Job(program, **terms)).check()
    profiled = execute(Job(program, profile=file, **terms)).check()
    return plain, profiled, profiles.load(str(file))


def spent(profile: dict[str, Any], function: str) -> Counter[str]:
    """Cycles by cause in a function of the program."""
    causes: Counter[str] = Counter()
    for row in profile["rows"]:
        if profile["places"][row["place"]]["function"] == function:
            causes.update(row["causes"])
    return causes


def test_nothing_else_changes(runs: tuple[Result, Result, dict[str, Any]]) -> None:
    plain, profiled, profile = runs
    bare = [{**result.to_dict(), "host": None} for result in (plain, profiled)]
    assert bare[0] == bare[1]
    assert profile["state_hash"] == plain.state_hash


def test_every_cycle_is_accounted_for(runs: tuple[Result, Result, dict[str, Any]]) -> None:
    _, profiled, profile = runs
    counters = profiled.statistics["cores"]
    for core in profile["cores"]:
        rows = [row for row in profile["rows"] if row["core"] == core["core"]]
        assert sum(sum(row["causes"].values()) for row in rows) == core["cycles"]
        assert sum(core["causes"].values()) == core["cycles"]
        counted = counters[core["core"]]
        assert core["causes"].get("halted", 0) == counted["core"]["halted_cycles"]
        assert core["causes"]["l2"] == counted["cache"]["l2_cycles"]
        waits = set(core["causes"]) - {"compute", "l2", "halted"}
        waited = sum(core["causes"][cause] for cause in waits)
        assert waited == counted["core"]["waiting_cycles"]
        # A cycle lasts 1875 ps at 533 MHz; a core leaves reset some cycles after 0, and stops some
        # after the end of its program.
        end_ps = profiled.cores[core["core"]].end_ps
        assert end_ps is not None
        assert abs(core["cycles"] * 1875 - end_ps) < 200 * 1875


def test_causes_are_where_they_belong(runs: tuple[Result, Result, dict[str, Any]]) -> None:
    profile = runs[2]
    multiply, walk = spent(profile, "multiply"), spent(profile, "walk")
    assert multiply["compute"] > 0.95 * sum(multiply.values())
    assert walk["l2"] > 3 * 20 * 900
    assert walk["dram"] > 3 * 2048 * 50
    everywhere: Counter[str] = Counter()
    for core in profile["cores"][:3]:
        everywhere.update(core["causes"])
    assert everywhere["lock"] > 3 * 50 * 20
    assert everywhere["mpb"] > 3 * 50 * 20
    assert everywhere["nowhere"] == 0
    lines = {place["line"] for place in profile["places"] if place["function"] == "walk"}
    assert PROGRAM.splitlines().index("            sum += big[i]; /* L2 */") + 1 in lines


def test_tables_and_other_formats_have_the_same_sum(
    runs: tuple[Result, Result, dict[str, Any]], tmp_path: Path
) -> None:
    profile = runs[2]
    total = sum(core["cycles"] for core in profile["cores"])
    text = profile_text.describe(profile, 5)
    assert text.startswith(f"{total:,} cycles of ")
    assert f"sum {total:16,} 100.0" in text
    assert "walk (parts.c:" in text
    stacks = profile_text.collapsed(profile).splitlines()
    assert sum(int(line.rpartition(" ")[2]) for line in stacks) == total
    scope = json.loads(json.dumps(profile_text.speedscope(profile)))
    assert sum(sum(one["weights"]) for one in scope["profiles"]) == total
    assert max(n for one in scope["profiles"] for s in one["samples"] for n in s) < len(
        scope["shared"]["frames"]
    )
    one_core = cycle_profile.select(profile, [1])
    assert [core["core"] for core in one_core["cores"]] == [1]
    assert {row["core"] for row in one_core["rows"]} == {1}


def test_a_bar_has_its_length() -> None:
    assert profile_text.bar({"compute": 1, "l2": 1, "dram": 1}) == "#######2222222DDDDDD"
    assert profile_text.bar({"halted": 5}) == "." * 20


def test_what_is_no_profile_is_refused(rck: Callable[..., Any], tmp_path: Path) -> None:
    other = tmp_path / "r.json"
    other.write_text("{}")
    answer = rck("profile", other)
    assert answer.code == 65
    assert "hint: `rck run --profile FILE` writes profiles" in answer.err
    assert rck("profile", tmp_path / "none.json").code == 66


def test_a_profile_reads_the_program_s_segments_once(
    runs: tuple[Result, Result, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them for each of some hundred thousand addresses was most of a profile's time."""
    from elftools.elf.elffile import ELFFile

    image = read(runs[0].host.program)
    read_times = 0
    segments = ELFFile.iter_segments

    def counted(elf: Any, type: Any = None) -> Any:
        nonlocal read_times
        read_times += 1
        return segments(elf, type)

    monkeypatch.setattr(ELFFile, "iter_segments", counted)
    start = image.symbols["main"]
    assert all(image.holds_code(start + n) for n in range(20))
    assert not image.holds_code(0)
    assert read_times == 1
