"""`make linux-cost`: what it takes from results, and the list of its programs."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rockcreek import resources

SYSTEM = Path(__file__).parents[1]
ROOT = SYSTEM.parents[1]
COST: Any = runpy.run_path(str(SYSTEM / "cost/cost.py"))


def result(time_ps: int, cycles: int) -> dict[str, Any]:
    core = {"cycles": cycles, "counters": {"core": {"interrupts": 3}}}
    totals = {"l1i_misses": 1234}
    roi = {"time_ps": time_ps, "instructions": 500, "totals": totals, "cores": [core, core]}
    return {"roi": roi}


def test_a_row_has_both_kernels() -> None:
    own, linux = (COST["of_result"](result(ps, n)) for ps, n in ((10**9, 500), (2 * 10**9, 1000)))
    assert COST["row"]("ring", 2, own, linux) == (
        "| ring | 2 | 1.000 ms 2.000 ms (+100.0 %) | 0.500 0.250 | 1,234 1,234 | 6 6 |"
    )


def test_a_program_without_a_region_says_so() -> None:
    with pytest.raises(COST["CostError"], match="no region"):
        COST["of_result"]({})


def test_all_twenty_programs_are_there() -> None:
    entries = tomllib.loads((SYSTEM / "cost/cost.toml").read_text())["program"]
    assert len(entries) == 20
    for entry in entries:
        if "example" in entry:
            assert resources.example(entry["example"]).read_bytes()
        else:
            assert all(list(ROOT.glob(word)) for word in entry["sources"]), entry
