"""How `make linux-busybox` reads what busybox's tests said, without Linux."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))

import suite
import suite_page

SYSTEM = Path(__file__).parents[1]

TOLD = """\
======================
echo -ne '' >input
echo -ne 'a' | sort
PASS: sort one
======================
echo -ne 'b' | sort -z
FAIL: sort z
--- expected
+++ actual
-b
+c
======================
echo -ne 'd' | sort -u
SKIPPED: sort unicode
UNTESTED: sort-old
PASS: sort-works
"""
TABLE = [{"program": "sort", "says": r"\+c", "why": "it says c"}]


def test_outcomes_and_what_failures_said() -> None:
    found = suite.read(f"{TOLD}{suite.ENDED}\n")
    assert [(one["test"], one["outcome"]) for one in found] == [
        ("sort one", "passed"),
        ("sort z", "failed"),
        ("sort unicode", "skipped"),
        ("sort-old", "skipped"),
        ("sort-works", "passed"),
    ]
    assert found[1]["said"] == "--- expected\n+++ actual\n-b\n+c"
    assert not any(one["said"] for one in found if one["outcome"] != "failed")


def test_a_runner_that_did_not_end_is_told() -> None:
    assert suite.read(TOLD)[-1]["outcome"] == "not ended"


def test_programs_are_folders_and_files(tmp_path: Path) -> None:
    (tmp_path / "tar").mkdir()
    for name in ("tar.tests", "ash.tests", "testing.sh"):
        (tmp_path / name).touch()
    assert suite.programs(tmp_path) == ["ash", "tar"]


def result(**changes: object) -> dict[str, object]:
    core = suite.read(f"{TOLD}{suite.ENDED}\n")
    host = [{**one, "outcome": "passed"} for one in core]
    return {"program": "sort", "core": core, "host": host, "commit": "abc", **changes}


def test_the_page_names_each_failure_with_its_reason() -> None:
    page = suite_page.text("busybox", [result()], 2, TABLE, 9)
    assert "| sort | sort z | passed | it says c |" in page
    assert "| on core 0 | 5 | 2 | 1 | 0 | 2 |" in page and "2 more programs" in page


def test_a_failure_without_a_reason_is_counted() -> None:
    other = [result(program="uniq")]
    lines, unknown = suite_page.failures(other, TABLE)
    assert unknown == 1 and "not explained" in lines[0]


def test_a_failure_that_the_host_has_too_needs_no_other_reason() -> None:
    core = suite.read(f"{TOLD}{suite.ENDED}\n")
    lines, unknown = suite_page.failures([result(program="uniq", host=core)], TABLE)
    assert unknown == 0 and "| failed | as on the host" in lines[0]


def test_each_reason_is_for_something_and_says_why() -> None:
    for row in tomllib.loads((SYSTEM / "conformance/reasons.toml").read_text())["reason"]:
        assert row["why"] and set(row) & {"program", "test", "says"}, row
