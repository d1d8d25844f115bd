"""A trace is what happened, in the format's own classes, and changes nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import perfetto_reader
import rockcreek
from guest_programs import ROOT, compile_program
from perfetto_reader import BEGIN, INSTANT, Trace
from rockcreek.cli import main
from rockcreek.errors import UsageError
from rockcreek.results.result import Result
from rockcreek.tracing import recorder, selection

CORES = 4
STEPS = 5


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(ROOT / "tests/trace/marked_steps.c", ["-O2", "-g", "-lrcce"])


@pytest.fixture(scope="module")
def plain(program: Path) -> Result:
    return rockcreek.run(program, n=CORES, messages=True)


def traced(program: Path, path: Path, *only: str, translate: bool = True) -> tuple[Result, Trace]:
    result = rockcreek.run(
        program, n=CORES, messages=True, trace=path, trace_only=only, translate=translate
    )
    return result, perfetto_reader.read(path)


@pytest.fixture(scope="module")
def whole(program: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Trace]:
    path = tmp_path_factory.mktemp("trace") / "t.pftrace"
    return traced(program, path, "shortest=0ns")


def without_host(result: Result) -> dict[str, object]:
    return {key: value for key, value in result.to_dict().items() if key != "host"}


def test_nothing_changes(plain: Result, whole: tuple[Result, Trace]) -> None:
    assert without_host(whole[0]) == without_host(plain)


def test_there_are_as_many_arrows_as_messages(whole: tuple[Result, Trace]) -> None:
    result, trace = whole
    sent = [flow for event in trace.events() for flow in event.flows]
    received = [flow for event in trace.events() for flow in event.ends]
    assert len(sent) == len(set(sent)) == result.to_dict()["totals"]["messages"] == 2 * STEPS
    assert sorted(sent) == sorted(received)
    ends = {e.name: e.values for e in trace.tracks["tile 1,0/core 02"] if e.flows}
    assert ends == {"RCCE_send": {"bytes": 64, "to": 3}}


@pytest.mark.parametrize("core", range(CORES))
def test_functions_nest_through_recursion_and_longjmp(
    whole: tuple[Result, Trace], core: int
) -> None:
    counted = Counter(name for name, _, _ in whole[1].slices(f"tile {core // 2},0/core {core:02}"))
    assert counted["main"] == 1 and counted["leave"] == 3 * STEPS
    fib = [1, 1]
    while len(fib) < 20:
        fib.append(fib[-1] + fib[-2])
    calls = [2 * n - 1 for n in fib]
    # The compiler may make a loop of one of the two calls.
    assert counted["fib"] > STEPS * calls[12] // 2
    assert counted["RCCE_send" if core % 2 == 0 else "RCCE_recv"] == STEPS


def test_marks_regions_and_values(whole: tuple[Result, Trace]) -> None:
    trace = whole[1]
    core = "tile 0,0/core 01"
    regions = trace.slices(f"{core}/regions")
    assert [name for name, _, _ in regions] == ["step"] * STEPS
    assert [e.number for e in trace.tracks[f"{core}/i"]] == list(range(STEPS))
    done = [e for e in trace.tracks[core] if e.kind == INSTANT]
    assert [e.name for e in done] == ["done"] and done[0].time_ns >= regions[-1][2]


def test_counters_are_there_for_each_kind(whole: tuple[Result, Trace]) -> None:
    result, trace = whole
    assert {e.number for e in trace.tracks["tile 0,0/clock"]} == {533.0}
    groups = Counter(name.split("/")[0] for name in trace.tracks)
    assert groups["mesh links"] > 4 and groups["memory controllers"] >= 1
    assert groups["power"] == 9 and groups["voltage"] == 8
    begins = [event.time_ns for event in trace.tracks["power/cores 4"]]
    assert begins[:3] == [0, 100_000, 200_000] and begins[-1] * 1000 < result.time_ps


def test_interpreted_code_is_traced_alike(
    program: Path, whole: tuple[Result, Trace], tmp_path: Path
) -> None:
    _, interpreted = traced(program, tmp_path / "i.pftrace", "shortest=0ns", translate=False)
    assert interpreted.tracks == whole[1].tracks


def test_filters(program: Path, whole: tuple[Result, Trace], tmp_path: Path) -> None:
    path = tmp_path / "f.pftrace"
    only = ("time=400us..450us", "core=1-2", "kind=functions,marks", "shortest=2us")
    result, trace = traced(program, path, *only)
    assert without_host(result) == without_host(whole[0])
    assert {name.split("/")[1] for name in trace.tracks} == {"core 01", "core 02"}
    core = "tile 0,0/core 01"
    for name, begin, end in trace.slices(core):
        assert 400_000 <= begin <= end <= 450_000
        inside = [s for s in whole[1].slices(core) if s[0] == name and s[1] <= begin <= s[2]]
        assert any(end - begin >= 2000 or last > 450_000 or first < 400_000
                   for _, first, last in inside)  # fmt: skip
    assert trace.slices(core)[-1][1] == 400_000, "what is open when it begins is seen"
    assert not any(event.flows for event in trace.events())
    assert any(event.kind == BEGIN for event in trace.tracks[f"{core}/regions"])


def test_a_file_is_the_same_each_time(program: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a.pftrace", tmp_path / "b.pftrace"]
    for file, threads in zip(files, (1, 2), strict=True):
        rockcreek.run(program, n=CORES, trace=file, threads=threads)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_full_trace_ends(
    program: Path,
    plain: Result,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(recorder, "MOST_BYTES", 2000)
    path = tmp_path / "t.pftrace"
    words = ["--sandbox", "off", "--trace", str(path), "--trace-only", "shortest=0ns"]
    assert main(["run", "-n", str(CORES), *words, str(program)]) == plain.exit_code
    told = capsys.readouterr().err
    assert "trace: it was full at " in told and "--trace-only" in told
    assert path.stat().st_size > 2000
    perfetto_reader.read(path)


MARKS = r"""
#include "rck_mark.h"
#include <stdio.h>
int main(void)
{
    static char names[4200][8];
    for (int n = 0; n < 1100; n++)
        rck_region_begin("deep");
    for (int n = 0; n < 1100; n++)
        rck_region_end("deep");
    for (int n = 0; n < 4200; n++) {
        snprintf(names[n], sizeof names[n], "v%d", n);
        rck_mark_value(names[n], n);
    }
}
"""


def test_marks_have_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "marks.c"
    source.write_text(MARKS)
    built = compile_program(source, ["-O1"])
    path = tmp_path / "t.pftrace"
    words = ["--sandbox", "off", "--trace", str(path), "--trace-only", "kind=marks"]
    assert main(["run", *words, str(built)]) == 0
    assert "trace: 180 marks are not in it" in capsys.readouterr().err
    begun = [event for event in perfetto_reader.read(path).events() if event.kind == BEGIN]
    assert len(begun) == 1024


def test_flame_graph_adds_up(program: Path, plain: Result, tmp_path: Path) -> None:
    path = tmp_path / "flame.txt"
    result = rockcreek.run(program, n=CORES, messages=True, flame=path)
    assert without_host(result) == without_host(plain)
    lines = [line.rsplit(" ", 1) for line in path.read_text().splitlines()]
    for core in range(CORES):
        mine = [(stack.split(";")[1:], int(ns)) for stack, ns in lines
                if stack.startswith(f"core {core:02};")]  # fmt: skip
        assert 0.5 * result.time_ps < 1000 * sum(ns for _, ns in mine) <= result.time_ps
        assert any("main" in stack and stack[-1] == "fib" for stack, _ in mine)


@pytest.mark.parametrize("text", ["x=1", "time=2ms..1ms", "time=1ms", "kind=all", "core=a"])
def test_what_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--trace-only"):
        selection.parse([text])


@pytest.mark.parametrize(("cores", "what"), [("0,99", "no core 99"), ("7", "none of these")])
def test_cores_that_cannot_be_shown_are_refused(cores: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        selection.parse([f"core={cores}"]).check_cores([0, 1], 48)
    selection.parse(["core=0-47"]).check_cores([0, 1], 48)


def test_receives_from_any_source_leave_arrows_right(tmp_path: Path) -> None:
    program = compile_program(ROOT / "tests/trace/any_source.c", ["-O2", "-g", "-lircce", "-lrcce"])
    path = tmp_path / "any.pftrace"
    rockcreek.run(program, n=3, messages=True, trace=path).check()
    trace = perfetto_reader.read(path)
    begun = {flow: event for event in trace.events() for flow in event.flows}
    ended = {flow: event for event in trace.events() for flow in event.ends}
    # Of two UEs four messages each, and one after the multicast, whose receives nothing leads to.
    assert len(begun) == 9 and begun.keys() <= ended.keys()
    multicast = ended.keys() - begun.keys()
    assert [ended[flow].name for flow in multicast] == ["iRCCE_mrecv"] * 2
    assert sorted(event.name for event in ended.values()).count("ircce_take_any") == 2
    last = [flow for flow, event in begun.items() if event.values == {"bytes": 16, "to": 1}]
    assert [ended[flow].values for flow in last] == [{"bytes": 16, "from": 0}]
    # A UE's messages are received in their order, so its arrows never cross.
    for ue in (1, 2):
        mine = sorted(
            (event.values["bytes"], ended[flow].time_ns)
            for flow, event in begun.items()
            if event.values["to"] == 0 and event.values["bytes"] // 100 == ue
        )
        assert [time for _, time in mine] == sorted(time for _, time in mine)
