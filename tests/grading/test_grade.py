"""`rck grade`: honest and hostile submissions, each with what must become of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rockcreek
from grading import course
from rockcreek import _native
from rockcreek.cli.app import app
from rockcreek.grading import submissions

GOOD = """\
#include <RCCE.h>
#include <stdio.h>
static volatile int sum;
int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    for (int n = RCCE_ue(); n < 100000; n += RCCE_num_ues())
        sum += n;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("done\\n");
    RCCE_finalize();
    return 0;
}
"""
DEADLOCK = """\
#include <RCCE.h>
int main(int argc, char **argv)
{
    char data[32];
    RCCE_init(&argc, &argv);
    RCCE_recv(data, sizeof data, (RCCE_ue() + 1) % RCCE_num_ues());
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "subs"
    found.mkdir()
    (tmp_path / "secret.h").write_text("int secret;\n")
    return found


def rck(folder: Path, *words: str | Path) -> Result:
    out = folder.parent / "out"
    cores = [] if "-n" in words else ["-n", "3"]
    command = ["grade", folder, *cores, "--out", out, *words]
    return CliRunner().invoke(app, [*map(str, command)], standalone_mode=False)


def grades(folder: Path, *words: str | Path) -> dict[str, dict[str, Any]]:
    done = rck(folder, "--json", *words)
    assert done.exit_code == 0, done.exception
    return {one["name"]: one for one in json.loads(done.stdout)["grades"]}


def test_what_becomes_of_submissions(folder: Path) -> None:
    (folder / "good").mkdir()
    (folder / "good/main.c").write_text(GOOD)
    (folder / "good/Makefile").write_text("all:\n\ttouch /tmp/made\n")
    (folder / "dead.c").write_text(DEADLOCK)
    (folder / "broken.c").write_text("int main(void) {\n")
    (folder / "endless.c").write_text("int main(void) { for (;;) ; }\n")
    right, table = folder.parent / "right.txt", folder.parent / "t.csv"
    right.write_text("done\n")
    words = ("--expect", right, "--timeout", "3s", "--csv", table)
    found = grades(folder, *words)
    good = found["good"]
    assert (good["end"], good["exit_code"], good["output"], good["findings"]) == (
        "exited", 0, "same", 0,
    )  # fmt: skip
    assert 1.5 < good["speed_up"] < 3.2
    assert (found["dead.c"]["end"], found["dead.c"]["output"]) == ("deadlock", "differs")
    assert not found["broken.c"]["built"] and "error" in found["broken.c"]["notes"][0]
    assert found["endless.c"]["end"] == "timeout"
    assert [row["name"] for row in csv.DictReader(table.open())] == sorted(found)
    # All is kept: nothing runs again, but what has changed.
    (folder / "broken.c").write_text("int main(void) { return 4; }\n")
    again = rck(folder, *words, "--force")
    assert "4: broken.c" in again.stderr and "good" not in again.stderr
    assert again.stdout.splitlines()[0].split()[0] == "submission"
    assert grades(folder, *words, "--force")["broken.c"]["exit_code"] == 4


@pytest.mark.skipif(not _native.guards_paths(), reason="needs a kernel with Landlock")
def test_hostile_sources_reach_nothing(folder: Path) -> None:
    secret = folder.parent / "secret.h"
    hostile = {
        "absolute.c": f'#include "{secret}"\n',
        "above.c": '#include "../subs/../secret.h"\n',
        "passwd.c": '#include "/etc/passwd"\n',
        "incbin.c": f'__asm__(".incbin \\"{secret}\\"");\n',
        "large.c": "char all[1 << 28] = {1};\n",
    }
    for name, text in hostile.items():
        (folder / name).write_text(f"{text}int main(void) {{ return 0; }}\n")
    for name, one in grades(folder, "--sandbox", "on").items():
        assert not one["built"], name
        assert "root:" not in str(one) and "secret;" not in str(one)


def test_files_that_are_none(folder: Path, tmp_path: Path) -> None:
    (folder / "link.c").symlink_to(tmp_path / "secret.h")
    (folder / "inside").mkdir()
    (folder / "inside/a.c").symlink_to("/dev/zero")
    (folder / "empty").mkdir()
    (folder / "elsewhere").symlink_to("/etc")
    (folder / "huge.c").write_bytes(b" " * ((1 << 20) + 1))
    (folder / "-o evil.c").write_text("int main(void) { return 0; }\n")
    found = {one.name: one for one in submissions.read(folder)}
    assert found.keys() == {"link.c", "inside", "empty", "huge.c", "-o evil.c"}
    assert {name for name, one in found.items() if one.problem} == found.keys() - {"-o evil.c"}
    assert grades(folder)["-o evil.c"]["exit_code"] == 0


def test_a_program_that_floods_its_output_is_ended(folder: Path) -> None:
    (folder / "flood.c").write_text(
        '#include <stdio.h>\nint main(void) { for (;;) puts("more and more"); }\n'
    )
    found = grades(folder, "--timeout", "2s", "--no-check")["flood.c"]
    assert found["built"] and found["end"] in ("timeout", "output-failed", "")


def test_no_submissions(folder: Path) -> None:
    for path, told in ((folder, "holds no submissions"), (folder / "none", "No such file")):
        error = rck(path).exception
        assert isinstance(error, rockcreek.InputError) and told in str(error)


@pytest.mark.slow
def test_a_class_of_thirty_with_two_who_attack(folder: Path) -> None:
    expected = course.write(folder)
    assert len(expected) == 30
    right = folder.parent / "right.txt"
    right.write_text("done\n")
    before = sorted(path.name for path in folder.parent.iterdir())
    found = grades(
        folder, "-n", "4", "--jobs", "2", "--timeout", "10s", "--expect", right, "--anew"
    )
    assert found.keys() == {one.name for one in expected}
    for one in expected:
        grade = found[one.name]
        assert grade["built"] == bool(one.ends), grade
        assert "STOLEN" not in str(grade) and "WRITTEN" not in str(grade), grade
        assert "root:" not in str(grade), grade
        if not one.ends:
            continue
        assert grade["end"] in one.ends, grade
        assert grade["output"] == one.output or not grade["end"], grade
        assert one.exit_code is None or grade["exit_code"] == one.exit_code, grade
        if one.speed_up is not None:
            low, high = one.speed_up
            assert low < grade["speed_up"] < high, grade
            assert grade["findings"] == 0, grade
        assert not one.findings or grade["findings"] > 0, grade
    # Beside the grades nothing has come.
    after = sorted(path.name for path in folder.parent.iterdir() if path.name != "out")
    assert after == before
