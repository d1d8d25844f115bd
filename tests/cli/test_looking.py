"""The commands that look: compare, info, plot, doctor, help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rockcreek.cli.app import _COMMANDS


def result_file(path: Path, **keys: object) -> Path:
    schema = {"name": "rockcreek-study", "version": 1}
    path.write_text(json.dumps({"schema": schema, "time_ps": 5, "host": {"wall_s": 1}, **keys}))
    return path


def test_compare_names_what_differs(rck, tmp_path: Path) -> None:
    a = result_file(tmp_path / "a", cores=[{"exit_code": 0}], host={"wall_s": 1})
    b = result_file(tmp_path / "b", cores=[{"exit_code": 3}], host={"wall_s": 2})
    answer = rck("compare", a, b)
    assert (answer.code, answer.out) == (1, "cores[0].exit_code: 0 / 3\n")


def test_compare_same(rck, tmp_path: Path) -> None:
    a = result_file(tmp_path / "a", host=1)
    b = result_file(tmp_path / "b", host=2)
    answer = rck("compare", a, b)
    assert (answer.code, answer.out) == (0, "")


@pytest.mark.parametrize("text", ["{}", "[]", "not json", '{"schema": {"name": "x"}}'])
def test_compare_refuses_what_is_no_result(rck, tmp_path: Path, text: str) -> None:
    bad = tmp_path / "bad"
    bad.write_text(text)
    assert rck("compare", bad, bad).code == 65


def test_compare_missing_file(engine, rck, tmp_path: Path) -> None:
    assert rck("compare", tmp_path / "x", tmp_path / "y").code == 66
    assert rck("compare", "--log", tmp_path / "x", tmp_path / "y").code == 66


def test_compare_logs(engine, rck, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    assert rck("compare", "--log", tmp_path / "a", tmp_path / "a").code == 0
    answer = rck("compare", "--log", tmp_path / "a", tmp_path / "b")
    assert answer.code == 1 and "core 0, instruction 3" in answer.out


def test_info_shows_the_map_and_every_number(rck) -> None:
    out = rck("info").out
    assert "48 cores on 6 x 4 tiles, 533 MHz" in out
    assert "y=0  00 01 MC0+VRC" in out
    assert "timing.mesh.hop" in out and "salihundam-jssc-2011" in out


def test_info_prints_a_description_to_copy(rck, tmp_path: Path) -> None:
    copy = tmp_path / "copy.toml"
    copy.write_text(rck("info", "--toml", "scc").out)
    assert rck("info", copy).out == rck("info", "scc").out


def test_plot_draws_the_same_chip_twice(rck, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        assert rck("plot", "chip", "--out", tmp_path / name).code == 0
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert "<svg" in text
    assert rck("plot", "chip", "--out", tmp_path / "a.svg").code == 74
    assert rck("plot", "chip", "--out", tmp_path / "a.jpeg").code == 64


def test_doctor_tells_what_is_missing(engine, rck, monkeypatch, tmp_path: Path) -> None:
    from rockcreek import resources

    monkeypatch.setattr(resources, "GUEST", tmp_path)
    answer = rck("doctor")
    assert answer.code == 70
    assert "ok       engine" in answer.out
    assert "missing  guest tool chain" in answer.out and "make setup" in answer.out


@pytest.mark.parametrize("command", list(_COMMANDS))
def test_every_command_has_help_with_an_example(rck, command: str) -> None:
    answer = rck(command, "--help")
    assert answer.code == 0
    assert "Usage: rck" in answer.out
    assert f"rck {command}" in answer.out


def test_the_picture_in_the_readme_is_the_chip(rck, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    assert rck("plot", "chip", "--out", tmp_path / "chip.svg").code == 0
    committed = Path(__file__).resolve().parents[2] / "docs/images/chip.svg"
    if f"Matplotlib v{matplotlib.__version__}" in committed.read_text():
        assert committed.read_text() == (tmp_path / "chip.svg").read_text()
