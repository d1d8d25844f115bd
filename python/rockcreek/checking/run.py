"""What `--check` adds to a run: the checker before it, its findings after it."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rockcreek.chip import Chip
from rockcreek.errors import InternalError, RockcreekError
from rockcreek.outputs import Outputs
from rockcreek.results.result import Result
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.formats.findings import Check

RACES, NO_RACES, MEMORY, UNWRITTEN = "races", "no-races", "memory", "unwritten"
# A check of one of these, or of nothing but `error`, is one of coherence.
_COHERENCE = {"coherence", RACES, NO_RACES}


class Terms(Protocol):
    """The options of a run that concern the check."""

    check: Sequence[str]
    check_suppress: str | Path | None


def watches_blocks(job: Terms) -> bool:
    """Whether the check has probes at the functions that allocate and free."""
    return bool({MEMORY, UNWRITTEN} & set(job.check))


def begin(job: Terms, chip: Chip, cores: Sequence[int], kernel: Image, program: Image) -> None:
    """Before the run, if it is to be checked."""
    if job.check:
        from rockcreek.checking import findings

        races = None if NO_RACES in job.check else RACES in job.check
        words = set(job.check)
        memory = watches_blocks(job)
        coherence = bool(words & _COHERENCE) or not memory
        findings.begin(chip, cores, program, coherence=coherence, races=races, blocks_too=memory)
        if UNWRITTEN in words:
            findings.follow_values(chip, cores, kernel, program)


def _collected(job: Terms, result: Result, collect: Callable[[], Check]) -> Result:
    """The result with what was found. A failure to put that into words is one more error: the run
    itself is kept."""
    errors_too = "error" in job.check
    try:
        return replace(result, findings=collect(), findings_are_errors=errors_too)
    except RockcreekError:
        raise
    except Exception as error:  # noqa: BLE001 (a run may be hours: no mistake here may lose it)
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        failure = InternalError(
            f"check: the findings could not be reported ({type(error).__name__} at {where}:"
            f" {error}); the result is kept without them",
            hint="please report it with this command and the program",
        )
        return replace(result, errors=(*result.errors, failure))


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
    result = _collected(job, result, lambda: findings.collect(chip, *images, known))
    found = result.findings
    if found is not None:
        outputs.write("check_sarif", lambda to: to.write(sarif.document(found)))
    return result
