"""Lists of cores as people write them: `0,10,40-47`."""

from __future__ import annotations

import re

# So many numbers in all: more are no cores of any chip.
_MOST = 1 << 16
# One core, or from one to another.
_SPAN = re.compile(r" *(\d{1,6})(?:-(\d{1,6}))? *")


class NoCoreListError(ValueError):
    """A part of the text is no core and no range of cores."""


def parse_spans(text: str) -> list[int]:
    """The numbers in the order given, whatever chip they are of.

    >>> parse_spans("0,10,44-47")
    [0, 10, 44, 45, 46, 47]
    """
    cores: list[int] = []
    for part in text.split(","):
        span = _SPAN.fullmatch(part)
        first, last = (int(span[1]), int(span[2] or span[1])) if span else (1, 0)
        if last < first or len(cores) + last - first >= _MOST:
            raise NoCoreListError(part)
        cores += range(first, last + 1)
    return cores
