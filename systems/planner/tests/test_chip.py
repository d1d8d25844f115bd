"""`rck plan`: plans on the chip's cores, ends without a plan, bad input, equal bytes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from systems.planner.tests import others, tiny

import ready
from rockcreek.planning import job, problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source


def _rck(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return ready.rck("plan", *map(str, words))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    domain, problem = problems.make("storage-3-1")
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "problem.pddl").write_text(problem)
    return tmp_path / "domain.pddl", tmp_path / "problem.pddl"


@pytest.mark.parametrize("n", [1, 2, 48])
def test_a_plan(files: tuple[Path, Path], tmp_path: Path, n: int) -> None:
    plan, report = tmp_path / "plan", tmp_path / "report.json"
    done = _rck("-n", str(n), "--output", plan, "--json", report, *files)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    checked = _rck("--check", plan, *files)
    assert checked.returncode == 0
    assert checked.stdout.startswith(f"{plan}: valid, ")
    found = json.loads(report.read_text())
    assert found["cores"] == len(found["planner"]["ranks"]) == n
    assert found["end"] == "solved"
    assert plan.read_text().splitlines()[:-1] == found["plan"]
    ranks = found["planner"]["ranks"]
    assert sum(rank["sent"] for rank in ranks) >= sum(rank["taken"] for rank in ranks)
    # All states but the start were evaluated by the rank that generated or took them.
    assert ranks[0]["evaluated"] >= 1


def test_equal_commands_give_equal_bytes(files: tuple[Path, Path], tmp_path: Path) -> None:
    written = []
    for number, threads in enumerate(("1", "1", "2")):
        out = [tmp_path / f"{kind}{number}" for kind in ("plan", "json", "trace")]
        words = ["--output", out[0], "--json", out[1], "--trace", out[2], "--threads", threads]
        assert _rck("-n", "3", *words, *files).returncode == 0
        written.append([path.read_bytes() for path in out])
    assert written[0] == written[1] == written[2]
    records = [json.loads(line) for line in written[0][2].splitlines()]
    assert {record["what"] for record in records} == {"expand", "evaluate"}
    assert [record["ns"] for record in records] == sorted(record["ns"] for record in records)
    evaluated = sum(rank["evaluated"] for rank in json.loads(written[0][1])["planner"]["ranks"])
    assert sum(record["what"] == "evaluate" for record in records) == evaluated
    assert records[0]["h"] == others.start_by_pyperplan(files).h_add


@pytest.mark.parametrize("n", [1, 2, 3, 48])
def test_no_plan_ends(tmp_path: Path, n: int) -> None:
    """Two blocks cannot lie on each other, but nothing less than all 125 states shows it."""
    domain, problem = problems.make("blocks-4-1")
    problem = problem[: problem.index("(:goal")] + "(:goal (and (on b0 b1) (on b1 b0))))"
    assert tiny.is_solvable(domain, problem) is False
    (tmp_path / "d").write_text(domain)
    (tmp_path / "p").write_text(problem)
    done = _rck("-n", str(n), "--no-lookahead", tmp_path / "d", tmp_path / "p")
    assert (done.returncode, done.stdout) == (69, "")
    assert "rck: no plan exists: every state that can be reached was seen\n" in done.stderr


def test_tiny_problems_on_three_ranks(tmp_path: Path) -> None:
    """Eight here; `make planner-tiny` has 200, on 1, 3 and 48 ranks."""
    seeds, solvable = iter(range(50, 500)), []
    while len(solvable) < 8:
        domain, problem = tiny.draw(next(seeds))
        wanted = tiny.is_solvable(domain, problem)
        if wanted is None:
            continue
        (tmp_path / "d").write_text(domain)
        (tmp_path / "p").write_text(problem)
        answer = job.plan(job.Request(tmp_path / "d", tmp_path / "p", n=3, lookahead=False))
        assert answer.exit_code == (0 if wanted else 69)
        solvable.append(wanted)
    assert {True, False} == set(solvable)


def test_time_up_and_memory_full(tmp_path: Path) -> None:
    domain, problem = problems.make("puzzle-4-1")
    (tmp_path / "d").write_text(domain)
    (tmp_path / "p").write_text(problem)
    files = tmp_path / "d", tmp_path / "p"
    done = _rck("-n", "2", "--no-lookahead", "--limit", "10ms", *files)
    assert (done.returncode, done.stdout) == (75, "")
    assert "rck: time up: no plan yet\nhint: " in done.stderr
    done = _rck("-n", "2", "--no-lookahead", "--memory", "1", *files)
    assert (done.returncode, done.stdout) == (71, "")
    assert "has no memory left: it holds " in done.stderr


def test_full_memory_keeps_the_best_plan(tmp_path: Path) -> None:
    """The first lookahead has a plan; the first state to be sent needs memory for its record."""
    for file, text in zip(("d", "p"), problems.make("visitall-16-1"), strict=True):
        (tmp_path / file).write_text(text)
    done = _rck("-n", "2", "--anytime", "60ms", "--memory", "1", tmp_path / "d", tmp_path / "p")
    assert done.returncode == 0
    assert done.stdout.endswith("(unit cost)\n")
    assert "planner: rank 0 has no memory left: it holds " in done.stderr


@pytest.mark.parametrize("n", [1, 3])
def test_a_limit_ends_an_expansion(tmp_path: Path, n: int) -> None:
    """The first expansion alone, its lookahead included, takes 4 s here."""
    report = tmp_path / "report.json"
    for file, text in zip(("d", "p"), problems.make("puzzle-5-1"), strict=True):
        (tmp_path / file).write_text(text)
    files = tmp_path / "d", tmp_path / "p"
    assert _rck("-n", str(n), "--limit", "50ms", "--json", report, *files).returncode == 75
    found = json.loads(report.read_text())
    assert found["end"] == "time up"
    assert 50e6 <= found["planner"]["ranks"][0]["search_ns"] < 60e6


def test_bad_input_is_named_with_its_place(files: tuple[Path, Path]) -> None:
    domain, problem = files
    domain.write_text(domain.read_text().replace(":typing", ":adl"))
    done = _rck("-n", "2", domain, problem)
    assert (done.returncode, done.stdout) == (65, "")
    line = next(n for n, text in enumerate(domain.read_text().splitlines(), 1) if ":adl" in text)
    said = f"rck: {domain}:{line}:26: unknown requirement ':adl'\nhint: the planner knows :strips"
    assert done.stderr.startswith(said)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["d"], 64, "missing argument 'DOMAIN PROBLEM'"),
        (["none", "none"], 66, "none: No such file or directory"),
        (["--make", "block-3-1", "--output", "x"], 64, "no domain 'block'"),
        (["--make", "blocks-3", "--output", "x"], 64, "not of the form domain-size-seed"),
        (["--make", "sokoban-90-1", "--output", "x"], 64, "a size is from 1 to 40: sokoban-13-1"),
        (["--memory", "100000", "d", "p"], 64, "not in the range 1<=x<=4096"),
        (["--ties", "4294967296", "d", "p"], 64, "not in the range 0<=x<=4294967295"),
        (["--make", "blocks-3-1"], 64, "--make needs --output FOLDER"),
        (["--limit", "1s", "--anytime", "1s", "d", "p"], 64, "exclude each other"),
    ],
)
def test_wrong_words(words: list[str], code: int, said: str) -> None:
    done = _rck(*words)
    assert done.returncode == code
    assert said in done.stderr


def test_more_cores_than_there_are(files: tuple[Path, Path]) -> None:
    done = _rck("-n", "49", *files)
    assert done.returncode == 64
    assert "cores 0 to 47" in done.stderr


def test_a_killed_core_ends_the_job(files: tuple[Path, Path]) -> None:
    done = _rck("-n", "3", "--fault", "die:core=1@5ms", "--timeout", "60s", *files)
    assert done.returncode == 76
    assert "rck: rank 1 (core 1) has died" in done.stderr
    assert done.stdout.endswith("(unit cost)\n")  # what was found is kept


def test_a_flipped_bit_that_kills_a_rank_ends_the_job(tmp_path: Path) -> None:
    """A bit of its instruction pointer: the kernel ends the rank, and the others name it."""
    files = tmp_path / "d", tmp_path / "p"
    for file, text in zip(files, problems.make("storage-5-1"), strict=True):
        file.write_text(text)
    done = _rck("-n", "3", "--fault", "register:core=1,register=eip,bit=30@15ms", *files)
    assert done.returncode == 76
    assert "rck: core 01 (tile 0,0): segmentation fault" in done.stderr
    assert "UE 0 (core 0): rank 1 (core 1) has ended in the middle of the search" in done.stderr


def test_interpreted_and_under_jitter(files: tuple[Path, Path]) -> None:
    """Without host code all numbers are equal; with jitter times differ, and plans are valid."""
    times = set()
    runs: list[dict[str, object]] = [{}, {"translate": False}]
    first, interpreted = (job.plan(job.Request(*files, n=3, terms=terms)) for terms in runs)
    assert (first.plan, first.report) == (interpreted.plan, interpreted.report)
    assert first.result.time_ps == interpreted.result.time_ps
    sources = [Source(str(path), path.read_text()) for path in files]
    for seed in range(1, 5):
        answer = job.plan(job.Request(*files, n=6, terms={"jitter": seed}))
        assert check(*sources, Source("plan", answer.plan)).valid
        times.add(answer.result.time_ps)
    assert len(times) == 4


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda plan: plan[1:], "is not true"),
        (lambda plan: plan[:-2] + plan[-1:], "parts of the goal are not reached"),
        (lambda plan: ["(fly a b)", *plan], ":1: (fly a b): there is no action of this name"),
        (lambda plan: ["(go a)", *plan], "this action has 3 parameters"),
        (lambda plan: ["(go hoist0 c0-0 moon)", *plan], "there is no object moon"),
        (lambda plan: ["(go c0-0 c0-0 c0-0)", *plan], "c0-0 is no hoist, as ?hoist must be"),
        (lambda plan: [*plan[:-1], "; cost = 1 (unit cost)"], "but says 1"),
    ],
    ids=["first missing", "last missing", "action", "arity", "object", "type", "cost"],
)
def test_what_the_validator_refuses(
    files: tuple[Path, Path], tmp_path: Path, change, why: str
) -> None:
    good = tmp_path / "good"
    assert _rck("-n", "1", "--output", good, *files).returncode == 0
    bad = tmp_path / "bad"
    bad.write_text("".join(f"{line}\n" for line in change(good.read_text().splitlines())))
    done = _rck("--check", bad, *files)
    assert done.returncode == 1
    assert why in done.stdout
