"""What `--check` adds to a run: the checker before it, its findings after it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rockcreek.chip import Chip
from rockcreek.outputs import Outputs
from rockcreek.results.result import Result
from rockcreek.software import thread_models
from rockcreek.software.image import Image

RACES, NO_RACES = "races", "no-races"


class Terms(Protocol):
    """What a run says of its check."""

    check: Sequence[str]
    check_suppress: str | Path | None


def begin(job: Terms, chip: Chip, cores: Sequence[int], program: Image) -> None:
    """Before the run, if it is to be checked."""
    if job.check:
        from rockcreek.checking import findings

        races = None if NO_RACES in job.check else RACES in job.check
        findings.begin(chip, cores, program, races=races)


def environment(job: Terms, program: Image) -> dict[str, str]:
    """What a program of threads is told that looks for races itself."""
    if RACES not in job.check or not thread_models.has_threads(program):
        return {}
    return {thread_models.LOOKS_FOR_RACES: "1"}


def finish(
    job: Terms, result: Result, chip: Chip, images: tuple[Image, Image], outputs: Outputs
) -> Result:
    """The result with what was found."""
    if not job.check:
        return result
    from rockcreek.checking import findings, sarif
    from rockcreek.checking.suppressions import Suppressions

    known = None
    if job.check_suppress is not None:
        known = Suppressions.read(os.fspath(job.check_suppress))
    check = findings.collect(chip, *images, known)
    outputs.write("check_sarif", lambda to: to.write(sarif.document(check)))
    return replace(result, findings=check, findings_are_errors="error" in job.check)
