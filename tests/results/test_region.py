"""The region of interest: its ends are those of the program, and its numbers are about it alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from guest_programs import compile_program
from rockcreek.errors import InputError
from rockcreek.results import messages, rows, summary
from rockcreek.results.result import Result

HERE = Path(__file__).parent
FLAGS = ["-O1", "-lrcce"]


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(HERE / "long_start.c", FLAGS)


@pytest.fixture(scope="module")
def runs(program: Path) -> dict[int, Result]:
    return {n: rockcreek.run(program, n=n, power=True) for n in (1, 2, 4)}


def own_seconds(result: Result) -> float:
    return float(result.stdout.split(b"]")[-1].decode())


def roi_of(result: Result) -> dict[str, Any]:
    assert result.roi is not None
    return result.roi


def test_the_region_takes_as_long_as_the_program_says(runs: dict[int, Result]) -> None:
    for result in runs.values():
        seconds = roi_of(result)["time_ps"] * 1e-12
        # Around the timer's two calls are a message of text and a barrier.
        assert own_seconds(result) < seconds < own_seconds(result) * 1.1
        assert result.time_ps * 1e-12 > seconds + 0.002


def test_the_speed_up_is_that_of_the_program(runs: dict[int, Result]) -> None:
    row = {n: rows.of_run(result.to_dict()) for n, result in runs.items()}
    for n in (2, 4):
        own = own_seconds(runs[1]) / own_seconds(runs[n])
        assert row[1]["roi_time_s"] / row[n]["roi_time_s"] == pytest.approx(own, rel=0.06)
        assert row[1]["time_s"] / row[n]["time_s"] < 1 + (own - 1) / 2


def test_the_counts_are_of_the_region(runs: dict[int, Result]) -> None:
    roi = roi_of(runs[2])
    assert roi["name"] == "RCCE_init to RCCE_finalize"
    assert [core["core"] for core in roi["cores"]] == [0, 1]
    for core in roi["cores"]:
        assert roi["begin_ps"] <= core["begin_ps"] < core["end_ps"] <= roi["end_ps"]
        # The loop has 5 to 8 instructions a round; start and end are outside.
        assert 480_000 * 3 < core["counters"]["core"]["instructions"] < 480_000 * 9
        assert core["cycles"] > core["counters"]["core"]["instructions"] / 2
    assert roi["instructions"] == sum(
        core["counters"]["core"]["instructions"] for core in roi["cores"]
    )
    assert 0 < roi["energy"]["total_fj"] < runs[2].to_dict()["energy"]["total_fj"] / 2
    line = summary.summarize(runs[2]).splitlines()[0]
    assert line.startswith("rck: RCCE_init to RCCE_finalize: ")


def test_nothing_else_changes_and_skipping_does_not_matter(program: Path) -> None:
    one = rockcreek.run(program, n=2).to_dict()
    named = rockcreek.run(program, n=2, roi="half").to_dict()
    slow = rockcreek.run(program, n=2, skip=False, translate=False).to_dict()
    assert one["roi"] == slow["roi"]
    for document in (one, named):
        del document["roi"], document["host"]
    assert one == named


def test_a_region_by_name_is_from_its_first_begin_to_its_last_end(program: Path) -> None:
    half = roi_of(rockcreek.run(program, n=1, roi="half"))
    marks = roi_of(rockcreek.run(program, n=1, roi="marks"))
    whole = roi_of(rockcreek.run(program, n=1))
    assert half["name"] == "half" and marks["name"] == "first to last mark"
    assert (half["begin_ps"], half["end_ps"]) == (marks["begin_ps"], marks["end_ps"])
    assert whole["begin_ps"] < half["begin_ps"] < half["end_ps"] < whole["end_ps"]


def test_a_profile_keeps_the_region_apart(program: Path, tmp_path: Path) -> None:
    for roi in (None, "half"):
        file = tmp_path / f"{roi}.json"
        result = rockcreek.run(program, n=2, roi=roi, profile=file)
        document = json.loads(file.read_text())
        region = document["roi"]
        assert region["name"] == roi_of(result)["name"]
        assert [(core["core"], core["cycles"]) for core in region["cores"]] == [
            (core["core"], core["cycles"]) for core in roi_of(result)["cores"]
        ]
        assert sum(sum(row["causes"].values()) for row in region["rows"]) == sum(
            core["cycles"] for core in region["cores"]
        )
        whole = sum(core["cycles"] for core in document["cores"])
        assert sum(core["cycles"] for core in region["cores"]) < whole / 2
        line = [sys.executable, "-m", "rockcreek", "profile", str(file)]
        shown = subprocess.run(line, capture_output=True, text=True, check=True).stdout
        assert shown.startswith(f"{region['name']}: ")
        shown = subprocess.run(
            [*line, "--whole"], capture_output=True, text=True, check=True
        ).stdout
        assert shown.startswith(f"{whole:,} cycles of 2 cores")


def test_messages_of_the_region_come_first(tmp_path: Path) -> None:
    built = compile_program(HERE / "rounds.c", FLAGS)
    plain = rockcreek.run(built, n=2, messages=True).messages
    assert plain is not None and "roi" not in plain
    seen = rockcreek.run(built, n=2, messages=True, roi="rounds").messages
    assert seen is not None
    region = seen.pop("roi")
    assert seen == plain
    assert region["name"] == "rounds"
    pairs = [{"source": 0, "target": 1, "messages": 3, "bytes": 192}]
    assert region["messages"] == pairs and plain["messages"][0]["messages"] == 5
    told = messages.tell({**seen, "roi": region}).splitlines()
    assert told[0] == "rck: messages, puts and gets by entry point, rounds:"
    assert "rck: messages, puts and gets by entry point, the whole run:" in told


def test_mpi_begins_where_mpi_init_returns() -> None:
    """Without MPI: a program with functions of these names."""
    built = compile_program(HERE / "like_mpi.c", ["-O1"])
    region = roi_of(rockcreek.run(built))
    assert region["name"] == "MPI_Init to MPI_Finalize"
    own = region["cores"][0]["counters"]["core"]["instructions"]
    assert 20_000 < own < 100_000


def test_a_region_that_is_not_there(program: Path, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    line = [sys.executable, "-m", "rockcreek", "run", "-q", "--roi", "whole", "--json", str(file)]
    done = subprocess.run([*line, str(program)], capture_output=True, text=True, check=True)
    assert "no core began this region; regions of this run: half" in done.stderr
    assert "roi" not in json.loads(file.read_text())


def test_a_program_without_marks(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text("int main(void) { return 0; }\n")
    built = compile_program(source, [])
    assert roi_of(rockcreek.run(built))["name"] == "main to exit"
    with pytest.raises(InputError, match="has no marks"):
        rockcreek.run(built, roi="half")
