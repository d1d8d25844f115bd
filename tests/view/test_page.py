"""The page of `rck view`: whole, with the run's own numbers, and with nothing from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.cli import main
from rockcreek.view.page import build, lines

ROOT = Path(__file__).resolve().parents[2]
PROFILE: dict[str, Any] = {
    "places": [
        {"image": "kernel", "function": "_start", "file": None, "line": None},
        {"image": "ring", "function": "main", "file": "/far/ring.c", "line": 7},
    ],
    "rows": [
        {"core": 0, "place": 0, "user": False, "causes": {"compute": 5}},
        {"core": 0, "place": 1, "user": True, "causes": {"compute": 5, "mpb": 7}},
        {"core": 1, "place": 1, "user": True, "causes": {"mpb": 3}},
    ],
}


@pytest.fixture(scope="module")
def run(compile_guest: Callable[..., Path]) -> dict[str, Any]:
    ring = compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])
    more = {"power": True, "sample_every_ps": 10**8}
    return rockcreek.run(ring, ["3"], n=3, messages=True, **more).check().to_dict()


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_holds_the_run(run: dict[str, Any]) -> None:
    data = data_of(build(run, PROFILE))
    assert [one["core"] for one in data["cores"]] == [0, 1, 2]
    counters = run["statistics"]["cores"][1]
    assert data["cores"][1]["values"]["ipc"] == pytest.approx(
        counters["core"]["instructions"] / counters["cycles"]
    )
    assert data["messages"] == run["messages"]["messages"]
    assert len(data["links"]) == data["columns"] * data["rows"] == 24
    # Energy since the first sample is the power's integral.
    samples = run["energy"]["samples"]
    start, joules = samples["start_ps"], 0.0
    for end, watts in data["power"]:
        joules += watts * (end - start) * 1e-12
        start = end
    assert joules == pytest.approx(sum(map(sum, samples["domains_fj"])) * 1e-15)


def test_lines_add_up() -> None:
    assert lines(PROFILE) == {
        "cycles": 20,
        "rows": [
            {"where": "main (ring, ring.c:7)", "text": "", "causes": {"compute": 5, "mpb": 10}},
            {"where": "_start (kernel)", "text": "", "causes": {"compute": 5}},
        ],
    }


def test_lines_show_their_text(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text('int main(void)\n{\n    return spin("<b>");\n}\n')
    place = {"image": "a", "function": "main", "file": str(source), "line": 3}
    rows = [{"core": 0, "place": 0, "user": True, "causes": {"compute": 5}}]
    assert lines({"places": [place], "rows": rows})["rows"][0]["text"] == 'return spin("<b>");'


def test_moments_add_up_to_the_run(run: dict[str, Any]) -> None:
    data = data_of(build(run))
    seen = data["moments"]
    ends = [end for _, end in seen["spans"]]
    assert ends == sorted(ends) and ends[-1] == run["time_ps"]
    for n, core in enumerate(data["cores"]):
        whole = core["values"]["instructions"]
        assert sum(values[n] for values in seen["values"]["instructions"]) == pytest.approx(
            whole, rel=1e-3
        )
    carried = sum(flits for links in seen["links"] for *_, flits in links)
    ways = ("east", "west", "north", "south")
    assert carried == sum(link[way] for link in data["links"] for way in ways)


def test_nothing_from_outside(run: dict[str, Any]) -> None:
    page = build(run, PROFILE)
    assert not re.search(r"https?:|//[a-z0-9.-]+\.[a-z]|@import|url\((?!#)|<link|<img|src=", page)
    assert "default-src 'none'" in page


def test_no_text_leaves_its_place(run: dict[str, Any]) -> None:
    evil = "</script><script>alert(1)</script>@SCRIPT@"
    page = build({**run, "program": {**run["program"], "name": evil}})
    assert "<script>alert" not in page
    assert data_of(page)["program"] == evil


def test_command(run: dict[str, Any], tmp_path: Path) -> None:
    result, page, profile = (tmp_path / name for name in ("r.json", "r.html", "p.json"))
    result.write_text(json.dumps(run))
    assert main(["view", str(result), "--output", str(page)]) == 0
    assert data_of(page.read_text())["lines"] is None
    assert main(["view", str(result), "--output", str(page)]) == 74
    head = {"schema": {"name": "rockcreek-profile", "version": 1}}
    for state_hash, code in ((run["state_hash"], 0), ("0", 65)):
        profile.write_text(json.dumps({**head, **PROFILE, "state_hash": state_hash}))
        more = ["--force", "--profile", str(profile)]
        assert main(["view", str(result), "--output", str(page), *more]) == code
