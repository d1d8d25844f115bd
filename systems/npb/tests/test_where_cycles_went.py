"""Where LU's cycles went: every cycle of every core, by core, by cause and by line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import rockcreek
from guest_programs import ROOT, compile_program

LU = ROOT / "systems/npb/programs"
CORES = 16
# Of 50: each takes 20 s of processor time under a profile.
ITERATIONS = "1"


@pytest.mark.slow
def test_rows_add_up_to_the_runs_cycles(tmp_path: Path) -> None:
    parts = [str(LU / "lu" / f"{name}.c") for name in ("grid", "rhs", "start", "sweep")]
    lu = compile_program(LU / "lu/lu.c", ["-O3", "-g", f"-I{LU}", *parts, "-lnpb", "-lrcce"])
    plain = rockcreek.run(lu, ["S", ITERATIONS], n=CORES)
    path = tmp_path / "p.json"
    result = rockcreek.run(lu, ["S", ITERATIONS], n=CORES, profile=path)
    assert result.state_hash == plain.state_hash and result.statistics == plain.statistics
    profile = json.loads(path.read_text())
    counted = {core: result.statistics["cores"][core]["cycles"] for core in range(CORES)}
    by_core: Counter[int] = Counter()
    by_line: Counter[int] = Counter()
    for row in profile["rows"]:
        spent = sum(row["causes"].values())
        by_core[row["core"]] += spent
        by_line[row["place"]] += spent
    assert by_core == counted
    assert {one["core"]: sum(one["causes"].values()) for one in profile["cores"]} == counted
    assert by_line.total() == sum(counted.values())
    # The lines of the solver are among those with most cycles.
    hottest = [profile["places"][place] for place, _ in by_line.most_common(10)]
    assert any(place["file"] and "/lu/" in place["file"] for place in hottest)
    print(f"{by_line.total():,} cycles of {CORES} cores in {len(by_line)} lines")
