"""Whether a program is a mended one: it is run, and what the tool finds in it is the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.compile_program import compile
from rockcreek.lessons.exercise import Exercise
from rockcreek.results.result import END_EXITED, Result
from rockcreek.running.run_job import run
from rockcreek.why import explain

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Finding:
    """A mistake that an instrument of `rck` found in a run, by its kind."""

    kind: str
    text: str
    hint: str = ""


@dataclass
class Verdict:
    """The verdict about a program: how its run ended, and what is against it."""

    end: str
    time_ps: int
    findings: list[Finding] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # beside the findings

    @property
    def passed(self) -> bool:
        return not self.findings and not self.wrong


def judge(exercise: Exercise, source: Path) -> Verdict:
    """Compile and run a program for an exercise, and look at what there is against it."""
    result = _run(exercise, source)
    found = Verdict(result.end, result.time_ps, list(_findings(exercise, result)))
    about = exercise.about
    if result.end != END_EXITED:
        found.wrong.append(f"the run ended as '{result.end}', not as '{END_EXITED}'")
    codes = {f"{core.core:02}": core.exit_code for core in result.cores if core.exit_code != 0}
    if result.end == END_EXITED and codes:
        listed = ", ".join(f"core {core}: {code}" for core, code in codes.items())
        found.wrong.append(f"exit codes other than 0: {listed}")
    printed = _sorted(result.stdout.decode(errors="replace"))
    if result.end == END_EXITED and printed != _sorted(about.output):
        found.wrong.append(f"expected the output\n{about.output}but it printed\n{printed}")
    if about.faster is not None and not found.wrong:
        given = _run(exercise, exercise.program).time_ps
        gain = given / max(1, result.time_ps)
        if gain < about.faster:
            found.wrong.append(f"{gain:.2f} times as fast as the given one, not {about.faster:g}")
    return found


def _run(exercise: Exercise, source: Path) -> Result:
    about = exercise.about
    program = compile(source, about.flags)
    checks = [] if about.check is None else [about.check]
    return run(program, n=about.cores, tag="none", timeout_s=TIMEOUT_S, check=checks)


def _sorted(text: str) -> str:
    return "".join(f"{line}\n" for line in sorted(text.splitlines()))


def _findings(exercise: Exercise, result: Result) -> Iterator[Finding]:
    """The findings of all instruments: waits, the checker, faults, and the cause by `rck why`."""
    document = result.to_dict()
    waiting, check = document.get("waiting"), document.get("check")
    waits = waiting["findings"] if waiting else []
    for wait in waits:
        yield Finding(wait["kind"], wait["text"], wait.get("hint") or "")
    for mistake in check["findings"] if check else []:
        yield Finding(mistake["kind"], mistake["title"], mistake["remedy"])
    # The error of a deadlock says once more who waits for whom.
    for error in result.errors if not waits else ():
        yield Finding(result.end, error.message, error.hint or "")
    broken = exercise.about.broken
    if broken.cause is not None and not broken.may_stay:
        for cause in explain.explain(document).causes:
            if cause.kind == broken.cause:
                yield Finding(cause.kind, cause.text, cause.hint)
