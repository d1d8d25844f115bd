"""PDDL as others write it: a domain and its problem in each file of texts/styles, in the manner of
a competition's. The planner finds a plan, and both validators accept it, however lines end."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from systems.planner.tests import native

from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source

STYLES = sorted((Path(__file__).parent / "texts" / "styles").glob("*.pddl"))
# The text as an editor may have left it.
EDITORS = {
    "plain": lambda text: text,
    "CR LF": lambda text: text.replace(b"\n", b"\r\n"),
    "CR": lambda text: text.replace(b"\n", b"\r"),
    "mark": lambda text: codecs.BOM_UTF8 + text,
    "upper": lambda text: text.upper(),
    "Latin-1": lambda text: b"; caf\xe9\n" + text + b"; \xa7",
    "UTF-8": lambda text: "; café\n".encode() + text,
    "tabs": lambda text: text.replace(b"  ", b"\t\x0c\v"),
}


@pytest.fixture(scope="session")
def planner() -> Path:
    return native.alone()


def _write(folder: Path, style: Path, editor: str) -> list[Path]:
    """Domain and problem, as files of their own."""
    files = []
    for name, text in zip(("d", "p"), style.read_bytes().split(b"---\n"), strict=True):
        (folder / name).write_bytes(EDITORS[editor](text))
        files.append(folder / name)
    return files


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.stem)
def test_a_plan(planner: Path, tmp_path: Path, style: Path, editor: str) -> None:
    files, plan = _write(tmp_path, style, editor), tmp_path / "plan"
    done = native.run(planner, "--output", plan, *files)
    assert done.returncode == 0, done.stderr
    verdict = check(*map(Source.read, (*files, plan)))
    assert verdict.valid, verdict.why
    assert verdict.length >= 4


@pytest.mark.parametrize("editor", ["plain", "CR LF", "CR", "mark"])
def test_an_error_has_the_line_that_an_editor_shows(
    planner: Path, tmp_path: Path, editor: str
) -> None:
    style = next(style for style in STYLES if style.stem == "cells")
    domain, problem = _write(tmp_path, style, editor)
    domain.write_bytes(domain.read_bytes().replace(b"(home ?h)(cells", b"(hme ?h)(cells"))
    done = native.run(planner, domain.name, problem.name, cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        65,
        "d:14:23: undeclared predicate 'hme'",
    )


def test_costs_do_not_wrap(planner: Path, tmp_path: Path) -> None:
    """Six roads of 999,999,999 are more than 32 bits hold."""
    style = next(style for style in STYLES if style.stem == "haul")
    done = native.run(planner, *_write(tmp_path, style, "plain"))
    *actions, last = done.stdout.splitlines()
    drives = done.stdout.count("(drive")
    cost = 999_999_999 * drives + len(actions) - drives
    assert cost > 2**32
    assert last == f"; cost = {cost} (general cost)"


def test_a_file_of_sixteen_bits_a_character_is_refused(planner: Path, tmp_path: Path) -> None:
    files = _write(tmp_path, STYLES[0], "plain")
    files[0].write_bytes(files[0].read_text().encode("utf-16"))
    done = native.run(planner, *map(os.path.basename, files), cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        65,
        "d:1:1: byte 255 is no character of PDDL",
    )
