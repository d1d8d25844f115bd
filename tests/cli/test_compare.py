"""`rck compare`: which differences matter between two runs."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from rockcreek.results import comparison
from rockcreek.results.result import SCHEMA_NAME, SCHEMA_VERSION

CORES = 8


def counters(core: int) -> dict[str, Any]:
    work = {"instructions": 1000 + core, "waiting_cycles": 400, "dtlb_misses": 1}
    work |= {"halted_cycles": 0}
    return {
        "cycles": 2000,
        "core": {**work, "x87_instructions": 0},
        "cache": {
            "l1d_fills_from_l2": 10,
            "l1d_fills_from_memory": 20,
            "l2_fills": 20,
            "reads_from_bus": 0,
            "uncached_fetches": 0,
        },
        "stalls": {"memory_ps": 5, "mpb_ps": 0, "crb_ps": 0, "system_ps": 0},
    }


@pytest.fixture
def run() -> dict[str, Any]:
    return {
        "schema": {"name": SCHEMA_NAME, "version": SCHEMA_VERSION},
        "end": "exited",
        "exit_code": 0,
        "program": {"name": "stencil", "sha256": "a", "arguments": []},
        "chip": {
            "name": "scc",
            "sha256": "b",
            "clocks": "533/800/800",
            "jitter": None,
            "columns": 4,
            "rows": 1,
        },
        "partial": False,
        "errors": [],
        "marks": [],
        "state_hash": "c",
        "cores": [
            {
                "core": core,
                "rank": core,
                "tile": {"x": core // 2, "y": 0},
                "reason": "exit",
                "exit_code": 0,
                "end_ps": 5,
                "waits": [],
            }
            for core in range(CORES)
        ],
        "time_ps": 10**9,
        "instructions": 8028,
        "totals": {
            "messages": 0,
            "l1i_misses": 7,
            "l1d_misses": 240,
            "l2_misses": 160,
            "mesh_packets": 99,
        },
        "statistics": {
            "cores": [counters(core) for core in range(CORES)],
            "mesh": {
                "flits": 120,
                "waited_ps": 0,
                "link_flits": [dict.fromkeys(("east", "west", "north", "south"), 9)] * 4,
            },
            "memory": [{"reads": 160, "writes": 4}],
        },
        "host": {"wall_s": 1},
    }


def test_measures_come_by_the_size_of_their_change(run: dict[str, Any]) -> None:
    other = copy.deepcopy(run)
    other["time_ps"] = 2 * 10**9
    other["totals"]["l2_misses"] = 80
    other["statistics"]["mesh"]["waited_ps"] = 10**9
    other["chip"]["clocks"] = "800/800/800"
    found = comparison.compare(run, other)
    assert found.setup == [("clocks", "533/800/800", "800/800/800")]
    told = [(one.name, one.change) for one in found.measures]
    assert told == [("waited for links", None), ("time", 1.0), ("L2 misses", -0.5)]
    assert "L1D misses" in found.same and found.outliers == []
    lines = list(comparison.tell(found))
    assert lines[2].split() == ["waited", "for", "links,", "ms", "0", "1", "new"]
    assert lines[3].endswith("x 2.0") and lines[4].endswith("-50.0 %")


def test_a_core_that_changed_alone_stands_out(run: dict[str, Any]) -> None:
    other = copy.deepcopy(run)
    for core in range(CORES):
        other["statistics"]["cores"][core]["core"]["waiting_cycles"] = 404 + core % 2
    other["statistics"]["cores"][5]["core"]["waiting_cycles"] = 600
    (found,) = comparison.compare(run, other).outliers
    assert (found.core, found.measure.name, found.measure.change) == (5, "cycles waited", 0.5)
    assert 0.009 < found.others < 0.013


def test_energy_is_compared_if_both_have_it(run: dict[str, Any]) -> None:
    energy = {"total_fj": 10**12, "mean_uw": 30 * 10**6, "peak_uw": 40 * 10**6, "edp_pj_s": 10**6}
    one, other = {**run, "energy": energy}, {**run, "energy": {**energy, "mean_uw": 33 * 10**6}}
    (found,) = comparison.compare(one, other).measures
    assert (found.name, found.unit, found.a, found.b) == ("mean power", "W", 30.0, 33.0)
    assert comparison.compare(run, other).measures == []


def test_the_command(rck: Any, run: dict[str, Any], tmp_path: Path) -> None:
    other = copy.deepcopy(run)
    other["instructions"] += 8028
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    a.write_text(json.dumps(run))
    b.write_text(json.dumps(other))
    assert (rck("compare", a, a).code, rck("compare", a, a).out) == (0, "")
    answer = rck("compare", a, b)
    assert answer.code == 1 and answer.out.splitlines()[1].split()[-2:] == ["x", "2.0"]
    assert rck("compare", "--places", a, b).out == "instructions: 8028 / 16056\n"
    document = json.loads(rck("compare", "--json", a, b).out)
    assert document["schema"]["name"] == "rockcreek-comparison" and not document["equal"]
    assert document["measures"][0]["name"] == "instructions"
    assert json.loads(rck("compare", "--json", a, a).out)["equal"] is True
    assert rck("compare", "--json", "--log", a, a).code == 64


def test_where_they_part_if_no_measure_differs(
    rck: Any, run: dict[str, Any], tmp_path: Path
) -> None:
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    a.write_text(json.dumps({**run, "state_hash": "1"}))
    b.write_text(json.dumps({**run, "state_hash": "2"}))
    assert rck("compare", a, b).out == 'state_hash: "1" / "2"\n'
