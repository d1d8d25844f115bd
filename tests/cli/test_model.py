"""`rck model`, and the tables of many runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rockcreek.campaigns import load, read

DOT = ["--compute", "18.9e6", "--accesses", "4194304", "--flop", "4194304"]


def test_the_published_dot_product(rck) -> None:
    """86 cycles an element at divider 2, 45.75 at 16; a quarter more efficient from 5 to 16."""
    answer = json.loads(rck("model", *DOT, "--json").out)
    points = {point["divider"]: point for point in answer["points"]}
    elements = 2097152
    assert points[2]["cycles"] == pytest.approx(86 * elements, rel=0.001)
    assert points[16]["cycles"] == pytest.approx(45.75 * elements, rel=0.001)
    assert points[5]["joules"] / points[16]["joules"] == pytest.approx(1.276, abs=0.01)
    assert {point["bound"] for point in points.values()} == {"memory"}
    assert answer["best"] == {"time": 2, "energy": 16, "edp": 5, "gflops-per-watt": 16}


def test_a_kernel_that_computes_is_best_at_the_fastest_clock_of_the_lowest_voltage(
    rck, tmp_path: Path
) -> None:
    kernel = tmp_path / "k.toml"
    kernel.write_text("compute = 1e8\naccesses = 10\nflop = 1e7\n")
    answer = rck("model", kernel, "--metric", "gflops-per-watt")
    assert answer.out.endswith("best by gflops-per-watt: divider 5\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 64),
        (("--compute", "-1", "--accesses", "1"), 64),
        (("--compute", "0", "--accesses", "0"), 64),
        (("--compute", "1", "--accesses", "1", "--pending", "0.5"), 64),
        (("--compute", "1", "--accesses", "1", "--metric", "gflops-per-watt"), 64),
        (("--core", "1", "--compute", "1", "--accesses", "1"), 64),
        (("nowhere.toml",), 66),
    ],
)
def test_what_cannot_be_is_refused(rck, arguments: tuple[str, ...], code: int) -> None:
    assert rck("model", *arguments).code == code


@pytest.mark.parametrize("text", ["compute = 1", "compute = true\naccesses = 1", "x = 1", "="])
def test_a_bad_file_is_told(rck, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    assert rck("model", path).code == 65


def result(path: Path, ms: int, watts: int) -> None:
    core = {
        "cycles": 3000,
        "core": {"instructions": 1000, "waiting_cycles": 1200, "halted_cycles": 0,
                 "floating_point_operations": 7, "dtlb_misses": 0, "x87_instructions": 0},
        "cache": {"l2_fills": 10, "reads_from_bus": 0, "uncached_fetches": 0},
        "stalls": {"memory_ps": 1200 * 1875, "mpb_ps": 0, "crb_ps": 0, "system_ps": 0},
    }  # fmt: skip
    fj = watts * ms * 10**12
    document = {
        "schema": {"name": "rockcreek-result", "version": 1},
        "end": "exited",
        "partial": False, "exit_code": 0, "errors": [], "marks": [], "state_hash": "c",
        "instructions": 1000,
        "program": {"name": "share", "sha256": "a", "arguments": ["1"]},
        "chip": {"name": "scc", "sha256": "b", "clocks": "533/800/800", "jitter": None,
                 "columns": 1, "rows": 1},
        "time_ps": ms * 10**9,
        "totals": {"l1i_misses": 1, "l1d_misses": 2, "l2_misses": 3, "mesh_packets": 4,
                   "messages": 1},
        "cores": [{"core": 1, "rank": 0, "tile": {"x": 0, "y": 0}, "reason": "exit",
                   "exit_code": 0, "end_ps": 5, "waits": []}],
        "statistics": {
            "cores": [core, core], "memory": [],
            "mesh": {"flits": 0, "waited_ps": 0,
                     "link_flits": [dict.fromkeys(("east", "west", "north", "south"), 0)]},
        },
        "energy": {"total_fj": fj, "mean_uw": watts * 10**6, "peak_uw": watts * 10**6,
                   "edp_pj_s": 1,
                   "samples": {"start_ps": 0, "end_ps": [], "domains_fj": []},
                   "cores": [{"core": 1, "total_fj": 5}]},
        "messages": {"ues": 2,
                     "messages": [{"source": 0, "target": 1, "messages": 1, "bytes": 64}]},
    }  # fmt: skip
    path.write_text(json.dumps(document))


def test_a_kernel_is_fitted_to_a_run(rck, tmp_path: Path) -> None:
    """At the run's own clock the model gives the run's cycles."""
    path = tmp_path / "r.json"
    result(path, 1, 30)
    answer = json.loads(rck("model", "--from", path, "--json").out)
    assert answer["kernel"]["compute"] == 1800
    assert answer["points"][1]["cycles"] == pytest.approx(3000, rel=0.001)
    assert rck("model", "--from", path, "--core", "5").code == 64


def test_many_runs_are_one_table(tmp_path: Path) -> None:
    for n, (ms, watts) in enumerate([(4, 30), (2, 50), (1, 40)]):
        result(tmp_path / f"{n}.json", ms, watts)
    found = read(tmp_path / "*.json")
    assert found.runs.sort("edp_js").column("mean_w") == [40, 50, 30]
    assert found.runs[0]["ipc"] == pytest.approx(1 / 3)
    assert found.cores.column("energy_fj") == [5, 5, 5]
    assert [table[0]["bytes"] for table in found.messages.by("run").values()] == [64, 64, 64]


def test_tables_outlive_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    result(tmp_path / "r.json", 4, 30)
    found = read(tmp_path / "r.json")
    found.write(tmp_path / "p")
    again = load(tmp_path / "p")
    assert [dict(row) for row in again.runs] == [dict(row) for row in found.runs]
    assert again.messages.column("target") == [1]
    assert found.to_arrow("cores").num_rows == 1
