"""The benchmarks: each program is right on the chip, and the page says what the numbers say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benches import demands, measure, page, peers, plan

ROOT = Path(__file__).resolve().parents[2]


def bench(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benches", "--out", str(out), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def sample(cpu_s: float) -> dict[str, float | int]:
    return {"user_s": cpu_s - 0.5, "system_s": 0.5, "wall_s": 2 * cpu_s, "memory_bytes": 2**20}


def record(group: str, instructions: int, hash_: str = "", **runs: list[float]) -> dict[str, Any]:
    return {
        "about": "x", "group": group, "cores": 1, "arguments": ["7"], "options": [],
        "runs": {tool: [sample(cpu_s) for cpu_s in times] for tool, times in runs.items()},
        "execution": {
            "instructions": instructions, "transactions": 30_000_000, "time_ps": 10**9,
            "state_hash": hash_,
        },
    }  # fmt: skip


@pytest.fixture
def document() -> dict[str, Any]:
    return {
        "machine": {
            "processor": "P", "processors": 2, "system": "S", "python": "3", "load": [0.5],
            "load_after": [0.25], "date": "2026-01-02", "commit": "abc", "engine": "release",
        },
        "settings": {"seconds": 5, "repeats": 2, "quick": False},
        "tools": {"cachegrind": {"about": "tags", "version": "v1"}},
        "missing": {"qemu": "not there; get it"},
        "unable": {},
        "programs": {
            "fast": record("integer", 8_000_000, rck=[3.0, 2.0], cachegrind=[8.0, 9.0]),
            "slow": record("x87", 6_000_000, rck=[6.0], cachegrind=[1.5, 2.0]),
            # The host is slower in the first turn.
            "compute_48": record("", 1, "a", rck=[9.0, 6.0, 6.0]),
            "compute_48_threads": {
                **record("", 1, "a", rck=[6.0, 4.0, 3.0]), "pair_wall_s": [24.0, 16.0, 16.0],
            },
            "storm": record("", 1, rck=[2.0]),
        },
        "start": {},
    }  # fmt: skip


def test_every_program_is_right_in_its_quick_form(tmp_path: Path) -> None:
    done = bench(tmp_path, "--quick", "--no-peers", "--no-hello")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "results.json").read_text())
    assert result["schema"] == {"name": "rockcreek-bench", "version": 1}
    assert set(result["programs"]) | set(result["unable"]) == {p.name for p in plan.read()}
    for name, entry in result["programs"].items():
        assert entry["execution"]["instructions"] > 10_000, name
    assert result["programs"]["storm"]["execution"]["transactions"] > 1000


def test_an_unknown_program_is_told(tmp_path: Path) -> None:
    done = bench(tmp_path, "--only", "nonesuch")
    assert done.returncode == 64
    assert "there are integer_mix" in done.stderr


def test_means_ratios_and_verdicts(document: dict[str, Any]) -> None:
    # 8 / 2 = 4 times as fast, and 1.5 / 6 = a quarter: a mean of 1.
    assert demands.mean_ratio(document, "cachegrind") == pytest.approx(1)
    assert demands.mips(document, "fast") == pytest.approx(4)
    found = {finding.demand.name: finding for finding in demands.findings(document)}
    assert found["cachegrind-mean"].verdict == "MISSED"
    assert found["cachegrind-lowest"].value == pytest.approx(0.25)
    assert (found["x87"].verdict, found["x87"].why) == ("not measured", "not there; get it")
    assert (found["storm"].verdict, found["storm"].value) == ("met", pytest.approx(15))
    assert found["threads"].value == pytest.approx(1.5)
    assert found["busy-48"].why == "compute_1 was not run"


def test_threads_that_change_the_state_are_an_error(document: dict[str, Any]) -> None:
    document["programs"]["compute_48_threads"]["execution"]["state_hash"] = "b"
    with pytest.raises(RuntimeError, match="another state"):
        demands.findings(document)


def test_the_page_has_good_and_bad(document: dict[str, Any]) -> None:
    text = page.page(document)
    assert "| ≥ 1.5 | ≥ 3 | 1.00 | MISSED |" in text
    assert "| ≥ 5 | ≥ 15 | 15.0 | met |" in text
    assert "- qemu: missing here: not there; get it" in text
    assert "| slow | 7 | 1.00 | 6.00 | 1.50 | 0.25 |" in text
    # One takes 12 s, two side by side 16 s.
    assert "do 1.50 times the work" in text


def test_the_page_is_what_the_last_results_give() -> None:
    results = json.loads((ROOT / "benches" / "results.json").read_text())
    text = page.page(results, picture=bool(results["tools"]))
    assert (ROOT / "docs" / "performance.md").read_text() == text


def test_a_wrong_result_ends_the_measurement() -> None:
    program = plan.read()[0]
    wrong = measure.run(["sh", "-c", "echo 'integer_mix: 3 rounds, 1 wrong'"])
    with pytest.raises(RuntimeError, match="0 of 1 right"):
        peers.check(program, "rck", wrong, count=1)


def test_a_binary_of_older_libraries_is_not_measured(tmp_path: Path) -> None:
    (tmp_path / "crc").write_bytes(b"newer than its source, but of a library that has changed")
    binary = plan.build(plan.choose(plan.read(), ["crc"]), tmp_path)["crc"]
    assert binary.read_bytes().startswith(b"\x7fELF")


def test_a_process_is_measured_whole() -> None:
    spin = "import os; x = bytearray(64 << 20)\nwhile os.times().user < 0.3: pass"
    taken = measure.run([sys.executable, "-c", spin])
    assert 0.3 <= taken.user_s < 3
    assert taken.memory_bytes > 64 << 20
