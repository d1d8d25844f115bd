"""What `--trace` and `--flame` add to a run: a recorder before it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rockcreek.chip import Chip
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.tracing.recorder import Recorder


class Terms(Protocol):
    """What a run says of its trace."""

    trace: str | Path | None
    flame: str | Path | None
    trace_only: Sequence[str]
    trace_every_ps: int


def begin(
    job: Terms,
    chip: Chip,
    cores: Sequence[int],
    images: tuple[Image, Image],
    personality: Image | None = None,
) -> Recorder | None:
    """Before the run, if it is to be traced; `images`: of ring 0 and of ring 3."""
    if job.trace is None and job.flame is None:
        return None
    from rockcreek.tracing.recorder import Recorder
    from rockcreek.tracing.selection import parse

    selection = parse(job.trace_only)
    every_ps = job.trace_every_ps
    if job.trace is None:
        selection, every_ps = parse(("kind=functions",)), 0
    return Recorder(
        chip,
        cores,
        images,
        selection,
        every_ps,
        flame=job.flame is not None,
        personality=personality,
    )
