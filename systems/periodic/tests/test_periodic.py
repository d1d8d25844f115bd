"""Task sets and links that are wrong; tables; the executive on bare metal."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ready

SYSTEM = Path(__file__).resolve().parents[1]
ROOT = SYSTEM.parents[1]
BARE = ROOT / "experiments/bare"
PERIODIC = SYSTEM / "periodic.py"
A = "task a core 0 period 10 wcet 4 offset 0 deadline 10\n"
B = "task b core {core} period 10 wcet {wcet} offset 0 deadline {deadline}\n"


def _periodic(kind: str, tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "file"
    path.write_text(text)
    return subprocess.run(
        [sys.executable, PERIODIC, kind, path],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no task"),
        ("tusk a", "line 1, column 1: a statement begins with unit or task or message"),
        ("task a core 0 period 10", "line 1, column 22: something is missing behind '10'"),
        (A + A.replace(" a ", " b ").strip() + " soon", "line 2, column 53: 'soon' is too much"),
        (A.replace("period 10 wcet 4", "wcet 4 period 10"), "column 15: 'period' should stand"),
        (A.replace("core 0", "core 48"), "column 13: core is a number from 0 to 47 here, not '48'"),
        (A.replace("10", "ten"), "column 22: period is a number from 1 to 1000000000 here"),
        (A.replace("wcet 4", "wcet 12"), "column 30: wcet is a number from 1 to 10 here, not '12'"),
        (A.replace("deadline 10", "deadline 3"), "deadline is a number from 4 to 10 here, not '3'"),
        (A.replace("offset 0", "offset 10"), "offset is a number from 0 to 9 here, not '10'"),
        (A.replace("10", "9" * 20), "period is a number from 1 to"),
        (A.replace(" a ", ' a"b '), "column 6: 'a\"b' is no name"),
        (A + "unit 10 us", "line 2, column 1: the unit stands once, before the first task"),
        ("unit 10 s", "line 1, column 9: 's' is neither us nor ms"),
        ("unit 10", "something is missing behind '10'; the form is 'unit N us (or ms)'"),
        (A + A, "line 2, column 6: task a is defined twice"),
        (A + B.format(core=0, wcet=7, deadline=10), "line 2: core 0 is over-full with b: 110 %"),
        (A + B.format(core=0, wcet=3, deadline=3) + "message a -> b word 1", "by construction"),
        (A + "message a -> c word 1", "line 2: there is no task 'c' (there are: a)"),
        (A + "message a -> a word 2", "column 21: the word '2' is not of 0 and 1"),
        (A + "message a to a word 2", "column 11: '->' should stand here, not 'to'"),
        (
            A + B.format(core=1, wcet=1, deadline=9) + 2 * "message a -> b word 1\n",
            "line 4: a message a -> b is there already",
        ),
        (
            A + B.format(core=1, wcet=1, deadline=9)
            + "message a -> b word 1\nmessage b -> a word 1",
            "cycle: a -> b -> a",
        ),
        (
            A.replace("10", "9973") + A.replace(" a ", " b ").replace("10", "9967"),
            "all periods together repeat after 99400891 us, at most 4000000",
        ),
        (A + A.replace(" a ", " b ").replace("10", "4000000"), "jobs in"),
    ],
)  # fmt: skip
def test_bad_task_sets_are_named(tmp_path: Path, text: str, said: str) -> None:
    ran = _periodic("tasks", tmp_path, text)
    assert ran.returncode == 1
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no link"),
        ("unit 10 us", "line 1, column 1: a statement begins with link, not 'unit'"),
        (
            "link 1 size 20",
            "line 1, column 13: something is missing behind '20'",
        ),
        ("link 1 size 2000 gap 9 to 2", "column 13: size is a number from 1 to 1536 here"),
        ("link 1 gap 9 size 20 to 2", "column 8: 'size' should stand here, not 'gap'"),
        ("link 1 size 20 gap 9 to 49", "column 25: core 1 sends to itself"),
        ("link 1 size 20 gap 9 to 2 50", "column 25: core 2 receives this link twice"),
        ("link 1 size 20 gap 9 to 2 x", "column 27: a receiver is a number from 0 to 65535"),
        (
            "link 1 size 20 gap 9 to 2\nlink 1 size 20 gap 9 to 3",
            "column 6: link 1 is there already",
        ),
        ("".join(f"link {i} size 1500 gap 9 to 47\n" for i in range(5)), "over-full"),
    ],
)
def test_bad_links_are_named(tmp_path: Path, text: str, said: str) -> None:
    ran = _periodic("links", tmp_path, text)
    assert ran.returncode == 1
    assert said in ran.stderr


@pytest.mark.parametrize("name", ["flight.tasks", "nominal.links", "tenfold.links"])
def test_tables_are_what_their_sets_give(tmp_path: Path, name: str) -> None:
    path = SYSTEM / "sets" / name
    table = tmp_path / "table.h"
    kind = path.suffix[1:]
    subprocess.run([sys.executable, PERIODIC, kind, path, "--out", table], check=True)
    assert table.read_text() == path.with_suffix(".h").read_text()


def test_a_job_begins_behind_what_it_hears_from(tmp_path: Path) -> None:
    text = A + B.format(core=1, wcet=1, deadline=9) + "message a -> b word 1"
    row = _periodic("tasks", tmp_path, text).stdout.splitlines()[1]
    bar = row[row.index("|") + 1 :]
    assert bar.index("#") >= 6 * 72 // 10  # 4 of a, 2 of the message


def _executive(kernel: Path, table_file: Path) -> Path:
    sources = [SYSTEM / "bare/executive.c", SYSTEM / "bare/clock.c"]
    sources += [BARE / name for name in ("start.S", "paging.c", "print.c")]
    flags = ["-O2", "-ffreestanding", "-nostdlib", "-T", str(BARE / "kernel.ld")]
    table = f'-DTABLE="{table_file}"'
    ready.rck("cc", *sources, *flags, table, "-o", kernel, check=True)
    return kernel


@pytest.fixture(scope="module")
def executive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The flight control example."""
    folder = tmp_path_factory.mktemp("periodic")
    return _executive(folder / "flight.elf", SYSTEM / "sets/flight.h")


def _boot(kernel: Path, *options: str) -> dict[str, list[int]]:
    ran = ready.rck("boot", kernel, "--tag", "none", *options, check=True)
    tasks = {}
    for line in ran.stdout.splitlines():
        kind, name, *fields = line.split()
        if kind == "task":
            tasks[name] = [int(field) for field in fields]
        elif kind == "overrun":
            tasks[f"overrun {name}"] = []
    return tasks


def test_no_deadline_is_missed_from_any_phase(executive: Path) -> None:
    tasks = _boot(executive, "--append", "rounds=1 clock=4", "--jitter", "7")
    assert {name: it[0] for name, it in tasks.items()} == {
        "N_L": 1, "N_G": 1, "P_L": 3, "P_F": 3, "F_L": 12, "F_F": 12, "A_P": 12,
    }  # fmt: skip
    for jobs, missed, overrun, _, _, lost, *_ in tasks.values():
        assert (missed, overrun, lost) == (0, 0, 0), jobs
    assert tasks["F_L"][4] == 12 and tasks["P_F"][4] == 3


def test_a_task_that_overruns_is_named(executive: Path) -> None:
    tasks = _boot(executive, "--append", "rounds=1 clock=1 overrun=3")
    assert [name for name in tasks if name.startswith("overrun")] == ["overrun P_L"]
    assert tasks["P_L"][1] == 0 and tasks["P_L"][2] == 1


def _bounds(task_set: Path) -> dict[str, tuple[int, int]]:
    """By sender: the least and the most cycles until its message is confirmed."""
    ran = subprocess.run(
        [sys.executable, PERIODIC, "tasks", task_set, "--bounds"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.findall(r"^(\S+) -> .* confirmed in (\d+) to (\d+)$", ran.stdout, re.M)
    return {name: (int(least), int(most)) for name, least, most in found}


def test_no_message_takes_longer_than_its_bound(executive: Path, tmp_path: Path) -> None:
    senders = [0, 1, 10, 12, 13, 22, 24, 34, 45, 46]
    text = "task all core 47 period 200 wcet 20 offset 0 deadline 200\n"
    for core in senders:
        text += f"task t{core} core {core} period 200 wcet 20 offset 0 deadline 200\n"
        text += f"message t{core} -> all word 1\n"
    crowd = tmp_path / "crowd.tasks"
    crowd.write_text(text)
    table = tmp_path / "crowd.h"
    subprocess.run([sys.executable, PERIODIC, "tasks", crowd, "--out", table], check=True)
    for task_set, kernel in (
        (SYSTEM / "sets/flight.tasks", executive),
        (crowd, _executive(tmp_path / "crowd.elf", table)),
    ):
        bounds = _bounds(task_set)
        measured = _boot(kernel, "--append", "rounds=2 clock=4", "--jitter", "3")
        assert bounds
        for name, (least, most) in bounds.items():
            assert least < measured[name][7] <= most, (name, least, most)


def test_a_message_that_may_come_too_late_is_refused(tmp_path: Path) -> None:
    text = "task all core 47 period 200 wcet 2 offset 0 deadline 200\n"
    for core in range(46):
        text += f"task t{core} core {core} period 200 wcet 2 offset 0 deadline 200\n"
        text += f"message t{core} -> all word 1\n"
    crowd = tmp_path / "crowd.tasks"
    crowd.write_text(text)
    ran = subprocess.run(
        [sys.executable, PERIODIC, "tasks", crowd, "--bounds"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert "longer than the 2 us that the schedule leaves it" in ran.stderr
