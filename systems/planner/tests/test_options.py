"""Ways to share a search other than the published one, and a rank that dies, on the chip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ready
from rockcreek.planning import job, problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source

OPTIONS: dict[str, dict[str, Any]] = {
    "portfolio": {"portfolio": True},
    "owner": {"owner": "abstract"},
    "batch": {"batch": 4},
    "spread": {"spread": True},
    "all": {"portfolio": True, "owner": "abstract", "batch": 16, "spread": True},
}


def _write(folder: Path, domain: str, problem: str) -> tuple[Path, Path]:
    (folder / "d").write_text(domain)
    (folder / "p").write_text(problem)
    return folder / "d", folder / "p"


def _plan(files: tuple[Path, Path], **options: Any) -> job.Answer:
    return job.plan(job.Request(*files, **options))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_plan(tmp_path: Path, options: dict[str, Any]) -> None:
    files = _write(tmp_path, *problems.make("storage-3-1"))
    published, answer = _plan(files, n=5), _plan(files, n=5, **options)
    assert answer.exit_code == 0
    verdict = check(*map(Source.read, files), Source("plan", answer.plan))
    assert verdict.valid, verdict.why
    # The option does something, and the ranks do share.
    assert answer.report["ranks"] != published.report["ranks"]
    assert answer.total("sent") > 0


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_no_plan_ends(tmp_path: Path, options: dict[str, Any], n: int) -> None:
    domain, problem = problems.make("blocks-4-1")
    problem = problem[: problem.index("(:goal")] + "(:goal (and (on b0 b1) (on b1 b0))))"
    answer = _plan(_write(tmp_path, domain, problem), n=n, lookahead=False, **options)
    assert (answer.exit_code, answer.end) == (69, "no plan")


def test_fewer_states_travel_to_abstract_owners(tmp_path: Path) -> None:
    files = _write(tmp_path, *problems.make("pegs-8-1"))
    shares = []
    for options in ({}, {"owner": "abstract"}):
        answer = _plan(files, n=6, lookahead=False, limit_s=0.02, **options)
        shares.append(answer.total("sent") / answer.total("generated"))
    assert shares[1] < 0.75 * shares[0]


def test_a_portfolio_holds_the_sequential_search(tmp_path: Path) -> None:
    """Rank 0 sends nothing, and evaluates what one rank alone evaluates."""
    files = _write(tmp_path, *problems.make("gripper-4-1"))
    alone, many = _plan(files, n=1), _plan(files, n=3, portfolio=True)
    assert many.plan == alone.plan
    assert many.report["ranks"][0]["evaluated"] == alone.report["ranks"][0]["evaluated"]
    assert many.report["ranks"][0]["sent"] == 0


def test_ranks_that_share_nothing_are_no_portfolio(tmp_path: Path) -> None:
    files = _write(tmp_path, *problems.make("gripper-2-1"))
    done = ready.rck("plan", "--portfolio", "--independent", *map(str, files))
    assert done.returncode == 64
    assert "--independent and --portfolio exclude each other" in done.stderr


def test_a_dead_rank_ends_the_job_without_a_time_limit(tmp_path: Path) -> None:
    """Others find its ring full and miss its signs of life."""
    files = _write(tmp_path, *problems.make("storage-5-1"))
    words = ["-n", "3", "--no-lookahead", "--fault", "die:core=0@16ms"]
    done = ready.rck("plan", *words, *map(str, files))
    assert done.returncode == 76
    assert "rank 0 (core 0) takes no messages and gives no sign of life" in done.stderr
    assert "rck: rank 0 (core 0) has died" in done.stderr
