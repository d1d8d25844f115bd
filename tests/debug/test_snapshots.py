"""`rck run --save` and `--restore`: the run goes on as if nothing had been."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import ready
from guest_programs import ROOT, compile_program
from rockcreek.units import format_ps

PROGRAM = """
#include <stdio.h>
#include <RCCE.h>

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), count = RCCE_num_ues(), value = 0;
    FILE *file = fopen("/data", "r");
    for (int round = 0; round < 40; round++) {
        char line[16];
        if (me == 0 && fgets(line, sizeof line, file))
            sscanf(line, "%d", &value);
        RCCE_bcast((char *)&value, sizeof value, 0, RCCE_COMM_WORLD);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    printf("%d of %d: %d\\n", me, count, value);
    RCCE_finalize();
    return 0;
}
"""


def rck(*arguments: object) -> subprocess.CompletedProcess[str]:
    return ready.rck(*arguments)


@pytest.fixture
def saved(tmp_path: Path, guest) -> tuple[Path, Path, dict]:
    """The program, its folder, and the result of a run without a break."""
    program = guest(PROGRAM, ["-lrcce"])
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "data").write_text("".join(f"{n}\n" for n in range(1000, 1040)))
    straight = rck("run", "-n", 4, "--share", folder, "--json", tmp_path / "straight.json", program)
    assert straight.returncode == 0, straight.stderr
    return program, folder, json.loads((tmp_path / "straight.json").read_text())


def test_a_restored_run_ends_like_one_without_a_break(saved, tmp_path: Path) -> None:
    program, folder, straight = saved
    for part in (3, 7):
        until = f"{straight['time_ps'] * part // 10}ps"
        file, result = tmp_path / f"{part}.rck", tmp_path / f"{part}.json"
        first = rck("run", "-n", 4, "--share", folder, "--until", until, "--save", file, program)
        assert first.returncode == 0, first.stderr
        second = rck("run", "--restore", file, "--json", result)
        assert second.returncode == 0, second.stderr
        restored = json.loads(result.read_text())
        for key in ("state_hash", "time_ps", "instructions", "statistics", "totals", "cores"):
            assert restored[key] == straight[key], key
        # How fast it was says its own part.
        host = restored["host"]
        own = straight["time_ps"] - straight["time_ps"] * part // 10
        assert host["began_ps"] == straight["time_ps"] - own
        assert host["slowdown"] == pytest.approx(host["wall_s"] / own * 1e12, rel=0.02)
        assert f"simulated, {format_ps(own)} of it in" in second.stderr
        lines = (first.stdout + second.stdout).splitlines()
        assert sorted(lines) == [f"[{n:02}] {n} of 4: 1039" for n in range(4)]


def test_an_instant_before_the_snapshot_is_refused(saved, tmp_path: Path) -> None:
    program, folder, _ = saved
    file = tmp_path / "s.rck"
    rck("run", "-n", 4, "--share", folder, "--until", "600us", "--save", file, program)
    for until in ("599us", "600us"):
        said = rck("run", "--restore", file, "--until", until)
        assert said.returncode == 64
        assert f"--until {until[:3]}.000 us: the snapshot is at 600.000 us" in said.stderr
    assert rck("run", "--restore", file, "--until", "601us").returncode == 0


def test_what_cannot_be_restored_says_why(tmp_path: Path) -> None:
    program = compile_program(ROOT / "examples/hello/hello.c", ["-lrcce"])
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"RCKSNAP\nand more")
    answer = rck("run", "--restore", garbage)
    assert answer.returncode == 65 and "snapshot" in answer.stderr
    assert rck("run", "--restore", tmp_path / "none").returncode == 66
    assert rck("run", "--restore", garbage, "-n", 2).returncode == 64
    assert rck("run", "--restore", garbage, program).returncode == 64
    assert rck("run").returncode == 64
    file = tmp_path / "file"
    file.write_text("mine")
    answer = rck("run", "--save", file, program)
    assert answer.returncode == 74 and file.read_text() == "mine"


def test_snapshots_work_from_python(tmp_path: Path) -> None:
    from rockcreek import Chip

    path = str(tmp_path / "empty.rck")
    chip = Chip("scc")
    chip.save(path, "a note")
    assert Chip.note_of(path) == "a note"
    assert Chip.restore(path)._native.state_hash() == chip._native.state_hash()
