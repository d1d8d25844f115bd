"""Pictures of runs: with their numbers, light and dark, the same bytes each time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.cli import main
from rockcreek.pictures import metrics
from rockcreek.results.result import Result

ROOT = Path(__file__).resolve().parents[2]
CORES = 3
EVERY_PS = 10**8


@pytest.fixture(scope="module")
def ring(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])


@pytest.fixture(scope="module")
def result(ring: Path) -> Result:
    return rockcreek.run(
        ring, ["3"], n=CORES, messages=True, power=True, sample_every_ps=EVERY_PS
    ).check()


@pytest.fixture
def saved(result: Result, tmp_path: Path) -> Path:
    path = tmp_path / "r.json"
    path.write_text(result.to_json())
    return path


def test_samples_change_nothing_and_add_up(ring: Path, result: Result) -> None:
    plain = rockcreek.run(ring, ["3"], n=CORES, messages=True, power=True)
    seen = result.to_dict()
    samples = seen.pop("samples")
    del seen["host"]
    assert seen == {key: value for key, value in plain.to_dict().items() if key != "host"}
    ends = samples["end_ps"]
    assert ends == [*range(EVERY_PS, result.time_ps, EVERY_PS), result.time_ps]
    for one in samples["cores"]:
        counted = seen["statistics"]["cores"][one["core"]]
        assert sum(one["cycles"]) == counted["cycles"]
        assert sum(one["instructions"]) == counted["core"]["instructions"]
        energies = seen["energy"]["cores"][one["core"]]
        assert sum(one["energy_fj"]) == energies["total_fj"]
    flits = sum(sum(link["flits"]) for link in samples["links"])
    assert flits == sum(sum(link.values()) for link in seen["statistics"]["mesh"]["link_flits"])


def test_moments_are_put_together(result: Result) -> None:
    document = result.to_dict()
    few = metrics.moments(document, "instructions", most=2)
    assert len(few) == 2 and few[0].end_ps == few[1].start_ps
    whole = metrics.values(document, "instructions")
    assert {core: sum(one.cores[core] for one in few) for core in whole} == whole
    assert metrics.at(few, 1) is few[0] and metrics.at(few, result.time_ps + 1) is few[1]


def test_die(saved: Path, tmp_path: Path, result: Result) -> None:
    picture = tmp_path / "die.svg"
    command = ["plot", "die", str(saved), "--out", str(picture), "--force"]
    assert main([*command, "--metric", "energy"]) == 0
    text = picture.read_text()
    assert text.count("<title>core ") == CORES and "<animate" not in text
    assert text.count("<title>link ") == len(metrics.links(result.to_dict()))
    assert "prefers-color-scheme" in text
    assert main([*command, "--at", "150us", "--theme", "dark"]) == 0
    assert "100 us to 200 us" in picture.read_text()
    assert "prefers-color-scheme" not in picture.read_text()
    assert main([*command, "--animate"]) == 0
    moments = len(result.to_dict()["samples"]["end_ps"])
    drawn = re.findall(r'attributeName="fill"[^>]*values="([^"]*)"', picture.read_text())
    assert drawn and {values.count(";") + 1 for values in drawn} == {moments}


def test_timeline(saved: Path, tmp_path: Path, result: Result) -> None:
    picture = tmp_path / "t.svg"
    command = ["plot", "timeline", str(saved), "--out", str(picture), "--force"]
    assert main([*command, "--metric", "waiting"]) == 0
    moments = len(result.to_dict()["samples"]["end_ps"])
    assert picture.read_text().count("<title>core ") == CORES * moments
    assert "power, up to" in picture.read_text()
    document = json.loads(saved.read_text())
    saved.write_text(json.dumps({k: v for k, v in document.items() if k not in ("samples",)}))
    assert main(command) == 0
    assert picture.read_text().count(": exit at ") == CORES


def test_what_cannot_be_drawn_is_refused(saved: Path, tmp_path: Path, capsys: Any) -> None:
    out = str(tmp_path / "x.svg")
    document = json.loads(saved.read_text())
    saved.write_text(json.dumps({k: v for k, v in document.items() if k != "energy"}))
    for more, code, told in (
        (["--metric", "power"], 65, "holds no energy"),
        (["--animate"], 65, "holds no samples"),
        (["--at", "1us", "--animate"], 64, "choose one"),
    ):
        if told == "holds no samples":
            kept = {k: v for k, v in document.items() if k != "samples"}
            saved.write_text(json.dumps(kept))
        assert main(["plot", "die", str(saved), "--out", out, *more]) == code
        assert told in capsys.readouterr().err
    assert main(["plot", "die", str(saved), "--out", str(tmp_path / "die.png")]) == 64
    assert main(["plot", "energy", str(tmp_path / "none.json"), "--out", out]) == 66
    del document["messages"]
    saved.write_text(json.dumps(document))
    assert main(["plot", "messages", str(saved), "--out", out]) == 65


def test_curves(ring: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    files = []
    for n in (2, 3):
        document = rockcreek.run(ring, ["1"], n=n, power=True).to_dict()
        # As if it had computed: the ring only adds.
        for core in document["statistics"]["cores"]:
            core["core"]["floating_point_operations"] = 1000
        files.append(str(tmp_path / f"n{n}.json"))
        Path(files[-1]).write_text(json.dumps(document))
    drawn = {}
    for kind, theme in (
        ("speedup", "light"),
        ("energy", "dark"),
        ("roofline", "light"),
        ("roofline", "light"),
    ):
        picture = tmp_path / "x.svg"
        given = ["plot", kind, *files, "--theme", theme, "--out", str(picture), "--force"]
        assert main(given) == 0
        text = picture.read_text()
        assert ("#16161a" if theme == "dark" else "#ffffff") in text
        assert drawn.setdefault(kind, text) == text


def test_a_result_shows_itself(result: Result) -> None:
    assert result._repr_html_().count("<svg") == 2
    assert result.die("waiting", at_ps=1)._repr_svg_().startswith("<svg")
    assert "<animate" in result.animation("power")
    with pytest.raises(rockcreek.UsageError, match="no metric"):
        result.timeline("heat")
