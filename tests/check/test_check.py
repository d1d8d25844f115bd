"""Checking changes nothing, and what it finds reaches people and machines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ready
import rockcreek
from guest_programs import compile_program
from rockcreek.checking import report
from rockcreek.checking.kinds import RACES
from rockcreek.checking.suppressions import Suppressions
from rockcreek.errors import InputError
from rockcreek.results.result import Result

ROOT = Path(__file__).resolve().parents[2]


RCK = [sys.executable, "-m", "rockcreek"]


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(ROOT / "examples/pitfalls/half_a_line.c", ["-O1", "-lrcce"])


def plain(result: Result) -> dict[str, object]:
    """All of a result that the host and the checker do not add."""
    document = result.to_dict()
    return {key: value for key, value in document.items() if key not in ("host", "check")}


@pytest.mark.parametrize(("source", "cores"), [
    ("examples/pitfalls/half_a_line.c", 2), ("tests/check/message_buffers.c", 2),
    ("tests/check/shared_memory.c", 2), ("examples/ring/ring.c", 6),
    ("examples/shift/shift.c", 5), ("tests/rcce/locks.c", 4),
])  # fmt: skip
def test_nothing_changes(source: str, cores: int) -> None:
    built = compile_program(ROOT / source, ["-O1", "-lrcce"])
    without = rockcreek.run(built, n=cores, until_ps=10**12)
    checked = rockcreek.run(built, n=cores, until_ps=10**12, check=["coherence"])
    assert plain(without) == plain(checked)
    slow = rockcreek.run(
        built, n=cores, until_ps=10**12, check=["coherence"], skip=False, translate=False
    )
    assert plain(without) == plain(slow)
    assert slow.findings is not None and checked.findings is not None
    kinds = [[(f["kind"], f["victim"]["eip"], f["culprit"]["eip"]) for f in one["findings"]]
             for one in (checked.findings, slow.findings)]  # fmt: skip
    assert kinds[0] == kinds[1]


def test_exit_code_sarif_and_story(program: Path, tmp_path: Path) -> None:
    result, sarif = tmp_path / "r.json", tmp_path / "r.sarif"
    line = ["run", "-q", "-n", "2", "--check", "error", "--json", str(result)]
    line += ["--check-sarif", str(sarif), str(program)]
    assert ready.rck(*line).returncode == 77
    found = json.loads(sarif.read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in found] == ["stuck-write"]
    place = found[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("half_a_line.c")
    assert place["region"]["startLine"] == 18
    told = ready.rck("explain", f"{result}#1", check=True).stdout
    assert "half_a_line.c:9" in told and "core 00" in told
    assert "message[0] = 42;" in told, "a source beneath the current folder"
    wrong = subprocess.run([*RCK, "explain", f"{result}#9"], capture_output=True, check=False)
    assert wrong.returncode == 64


def test_a_story_shows_no_other_file_of_the_host(program: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    result.write_text(rockcreek.run(program, n=2, check=["coherence"]).to_json())
    secret = tmp_path / "secret.c"
    secret.write_text("a secret\n" * 99)
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir(), elsewhere.mkdir()
    (home / "link.c").symlink_to(secret)
    for named in (secret, "/etc/passwd", home / "link.c", "../secret.c"):
        document = json.loads(result.read_text())
        for finding in document["check"]["findings"]:
            for site in (finding["victim"], finding["culprit"]):
                for frame in site["frames"]:
                    frame.update(file=str(named), line=1)
        (home / "r.json").write_text(json.dumps(document))
        for words in ([], ["--source", str(elsewhere)]):
            told = ready.rck("explain", *words, "r.json#1", cwd=home, check=True).stdout
            assert "secret" not in told.replace("secret.c", "") and "root:" not in told
    told = ready.rck("explain", "--source", tmp_path, "r.json#1", cwd=home, check=True).stdout
    assert "a secret" not in told, "a relative name is nobody's"


def test_suppressions_name_findings(program: Path, tmp_path: Path) -> None:
    rules = tmp_path / "known.toml"
    rules.write_text('[[suppress]]\nkind = "stuck-write"\nfile = "half_*.c"\nwhy = "a test"\n')
    result = rockcreek.run(program, n=2, check=["error"], check_suppress=rules)
    assert result.findings is not None
    assert (result.findings["findings"], result.findings["suppressed"]) == ([], 1)
    assert result.findings["dropped"] == 0
    assert result.exit_code == 0
    rules.write_text('[[suppress]]\nkind = "stuck-write"\n')
    with pytest.raises(InputError, match=r"suppress\[0\].why is missing"):
        Suppressions.read(str(rules))


def test_findings_without_a_place_are_reported() -> None:
    check = {"findings": [], "suppressed": 0, "dropped": 1234}
    assert "no place for 1,234 more findings" in report.tell(check)
    assert "no place" not in report.tell({**check, "dropped": 0})


def test_races_are_told_of_buffers_of_all_memory_or_not_at_all() -> None:
    built = compile_program(ROOT / "tests/check/races.c", ["-O1", "-DGORY", "-lrcce"])
    told = []
    for check in ("no-races", "coherence", "races"):
        result = rockcreek.run(built, n=2, check=[check], until_ps=10**12)
        assert result.findings is not None
        found = [one for one in result.findings["findings"] if one["kind"] in RACES]
        told.append({one["what"].split()[0] for one in found})
    assert told == [set(), {"MPB"}, {"MPB", "shared"}]


def test_libraries_are_silent_about_races_alone() -> None:
    rules = Suppressions.of_libraries().rules
    assert rules
    assert all(rule["kind"] in RACES and {"function", "why"} <= rule.keys() for rule in rules)


BLOCKS = """#include "RCCE.h"
#include <stdio.h>
int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    RCCE_malloc(32);
    volatile char *box =
        RCCE_malloc(64);
    volatile int *shared = (volatile int *)
        RCCE_shmalloc(128);
    char text[64] = {(char)(1 + RCCE_ue())};
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_put((t_vcharp)box, text, 64, 0);
    shared[9] = 1 + RCCE_ue();
    return RCCE_finalize();
}
"""


def test_a_finding_names_where_its_block_was_allocated(guest, tmp_path: Path) -> None:
    built = guest(BLOCKS, ["-O1", "-g", "-DGORY", "-lrcce"])
    result = rockcreek.run(built, n=2, check=["races"], until_ps=10**12)
    assert result.findings is not None
    blocks = [one["block"] for one in result.findings["findings"]]
    told = [(one["size"], one["offset"], one["allocated"]["frames"][0]["line"]) for one in blocks]
    assert sorted(told) == [(64, 0, 8), (128, 36, 10)]


@pytest.mark.parametrize("options", [
    ["--check", "rases"], ["--check", "races,no-races"], ["--check-sarif", "x.sarif"],
    ["--check-suppress", "x.toml"],
])  # fmt: skip
def test_what_makes_no_sense_is_refused(program: Path, options: list[str]) -> None:
    done = ready.rck("run", *options, program)
    assert done.returncode == 64 and "hint:" in done.stderr
