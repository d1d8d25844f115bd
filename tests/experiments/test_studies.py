"""Every study in its quick form: it runs, and what holds in full holds in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek.repro.published import load_all
from rockcreek.repro.reproduce import Options, reproduce
from rockcreek.repro.study import load_study, study_ids

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"

# What the silicon showed and the quick form can show too, by study: all statements of these, and
# the most that a number may be off. Numbers that are the program's own are not held here.
WORST = {
    "latency": {
        "bf-mpb-read": 0.12,
        "bf-mpb-write-line": 0.06,
        "bf-dram-read-word-uc": 0.05,
        "bf-dram-write-8words-uc": 0.05,
        "bf-dram-write-line-wcb": 0.05,
        "fiasco-mpb-uc": 0.001,
    },
    "pingpong": {"sct-rtt-slope-theory": 0.03},
}


@pytest.mark.parametrize("name", study_ids(EXPERIMENTS))
def test_quick_form(name: str, tmp_path: Path) -> None:
    options = Options(out=tmp_path, quick=True, quiet=True)
    result = reproduce(load_study(EXPERIMENTS, name), load_all(EXPERIMENTS), options)
    failing = [item for item in result["statements"] if item["verdict"] == "does not hold"]
    assert not failing, failing
    worst = WORST[name]
    measured = {cell["id"] for cell in result["cells"] if cell["error"] is not None}
    assert set(worst) <= measured
    for cell in result["cells"]:
        if cell["id"] in worst and cell["error"] is not None:
            assert abs(cell["error"]) <= worst[cell["id"]], cell
