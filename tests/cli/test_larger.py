"""Chips larger than the SCC, as `rck show` and `rck set` have them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.cli.app import invoke


def test_tables_and_registers_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, program, snapshot = (str(tmp_path / name) for name in ("a.c", "a", "a.rck"))
    Path(source).write_text("int main(void) { return 0; }\n")
    assert invoke(["cc", source, "-o", program]) == 0
    start = ["run", "-q", "--chip", "scc-128", "--cores", "127", "--until", "1us"]
    invoke([*start, "--save", snapshot, program])
    capsys.readouterr()

    assert invoke(["show", "lut", snapshot, "--core", "127"]) == 0
    lines = capsys.readouterr().out.splitlines()
    # The quadrant's last core: its memory begins at segment 31 * 62.
    assert lines[1].split() == "0x01 0xc008f1e0 router (7,4) east segment 0x783".split()
    assert lines[0x100].split() == "0x100 0x000c00 router (0,0) mpb segment 0x000".split()
    assert lines[-1].split() == "0x3ff 0xc008f1ff router (7,4) east segment 0x7ff".split()

    other = str(tmp_path / "b.rck")
    change = ["set", "lut", snapshot, "0x3FF", "0x4000ABCD", "--core", "127", "--output", other]
    assert invoke(change) == 0
    assert invoke(["set", "lut", snapshot, "1024", "1", "--output", other]) != 0
    assert "entries are 0 to 1023" in capsys.readouterr().err

    assert invoke(["show", "crb", other, "--tile", "63"]) == 0
    shown = capsys.readouterr().out
    assert "EXTENDED" in shown and "MPB_WINDOWS" in shown


def test_the_scc_shows_nothing_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, program, snapshot = (str(tmp_path / name) for name in ("a.c", "a", "a.rck"))
    Path(source).write_text("int main(void) { return 0; }\n")
    assert invoke(["cc", source, "-o", program]) == 0
    invoke(["run", "-q", "--until", "1us", "--save", snapshot, program])
    capsys.readouterr()
    assert invoke(["show", "crb", snapshot]) == 0
    shown = capsys.readouterr().out
    assert "TILEID" in shown and "EXTENDED" not in shown and "MPB_WINDOWS" not in shown


def test_another_base_is_another_chip() -> None:
    chip = description.parse('base = "scc"\nname = "mine"\n', origin="mine.toml")
    assert (chip.name, chip.core_count) == ("mine", 48)
    assert replace(chip, base=chip.base + "#").sha256 != chip.sha256
    assert description.load("scc").base == ""
