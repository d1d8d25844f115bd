"""`rck lesson`: each broken program shows what its exercise is about; each solution passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rockcreek.cli.app import app
from rockcreek.errors import NotFoundError, ReportedError, UsageError
from rockcreek.lessons import exercise
from rockcreek.lessons.judge import judge

EXERCISES = exercise.all_of_them()
each = pytest.mark.parametrize("chosen", EXERCISES, ids=lambda one: one.name)


def rck(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["lesson", *map(str, words)], standalone_mode=False)


@each
def test_the_given_program_shows_its_mistake(chosen: exercise.Exercise) -> None:
    broken = chosen.about.broken
    verdict = judge(chosen, chosen.program)
    assert not verdict.passed and verdict.end == broken.end
    kinds = {one.kind for one in verdict.findings}
    told = "\n".join(verdict.wrong)
    assert broken.finding or broken.cause or broken.output
    if broken.finding is not None:
        assert broken.finding in kinds
    if broken.cause is not None:
        assert broken.cause in kinds or broken.may_stay
        assert "times as fast" in told
    if broken.output is not None:
        assert f"it printed\n{broken.output}" in told


@each
def test_the_solution_passes(chosen: exercise.Exercise) -> None:
    verdict = judge(chosen, chosen.solution)
    assert verdict.passed, (verdict.findings, verdict.wrong)


@each
def test_the_text_says_how_to_run_it(chosen: exercise.Exercise) -> None:
    """The commands have the flags, the cores and the check of the description."""
    about, text = chosen.about, chosen.text
    assert text.startswith(f"# {about.title}\n")
    flags = [word for word in about.flags if not word.startswith("-l")]
    assert f"rck cc {' '.join(flags)} {chosen.name}.c" in text
    assert f"rck run {'' if about.cores == 1 else f'-n {about.cores} '}" in text
    assert about.check is None or f"--check {about.check} {chosen.name}" in text
    assert about.broken.cause is None or "rck why r.json" in text


def test_ten_exercises_in_their_order() -> None:
    assert [one.about.number for one in EXERCISES] == list(range(1, 11))
    lines = rck().stdout.splitlines()
    assert len(lines) == 10 and lines[0].split()[:2] == ["1", "ring"]


def test_the_way_of_a_learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = rck("ring")
    assert begun.exit_code == 0 and "# Everybody sends first" in begun.stdout
    assert Path("ring.c").read_text() == exercise.named("1").program.read_text()
    first = rck("ring", "--check", "ring.c")
    assert first.return_value == 1
    assert "ring: not yet" in first.stdout and "send-ring: " in first.stdout
    # What has been worked on stays.
    Path("ring.c").write_text(rck("ring", "--solution").stdout)
    assert "stays as it is" in rck("ring").stderr
    second = rck("ring", "--check", "ring.c")
    assert second.return_value == 0 and second.stdout.startswith("ring: passed (")


def test_a_program_that_does_nothing_does_not_pass(tmp_path: Path) -> None:
    (tmp_path / "nothing.c").write_text("int main(void) { return 2; }\n")
    done = rck("lock", "--check", tmp_path / "nothing.c")
    assert done.return_value == 1
    assert "exit codes other than 0" in done.stdout and "expected the output" in done.stdout
    (tmp_path / "crash.c").write_text("int main(void) { return *(volatile int *)8; }\n")
    assert "segmentation fault" in rck("lock", "--check", tmp_path / "crash.c").stdout


def test_wrong_words(tmp_path: Path) -> None:
    (tmp_path / "broken.c").write_text("int main(\n")
    for words, kind, told in (
        (["rign"], NotFoundError, "did you mean 'ring'"),
        (["--solution"], UsageError, "which exercise"),
        (["ring", "--solution", "--check", "a.c"], UsageError, "exclude each other"),
        (["ring", "--check", tmp_path / "none.c"], ReportedError, "none.c"),
        (["ring", "--check", tmp_path / "broken.c"], ReportedError, "does not compile"),
    ):
        error = rck(*words).exception
        assert isinstance(error, kind) and told in str(error)
