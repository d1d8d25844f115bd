"""Sizes and seconds from the program's last line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Findings
from rockcreek.repro.runs import Run

PHASES = ("read", "compute", "print")
_LINE = re.compile(
    r"of (\d+) bytes (\d+) words, (\d+) phrases, (\d+) bytes; "
    r"read ([\d.]+) compute ([\d.]+) print ([\d.]+) s"
)


def parse(text: str) -> tuple[list[int], list[Fraction]]:
    """Bytes, words and phrases of the text, bytes of the output; seconds of each phase.

    >>> parse("of 40 bytes 9 words, 3 phrases, 50 bytes; read 0.5 compute 1.0 print 2.0 s")
    ([40, 9, 3, 50], [Fraction(1, 2), Fraction(1, 1), Fraction(2, 1)])
    """
    match = _LINE.search(text)
    if match is None:
        raise ValueError(f"no result in {text!r}")
    return [int(part) for part in match.groups()[:4]], [Fraction(s) for s in match.groups()[4:]]


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    del chip
    (run,) = runs
    (read, words, phrases, written), seconds = parse(run.text)
    return Findings(
        values={"sicsa-output-5x": Fraction(written, read)},
        tables={
            "Sizes": [
                ["bytes of the text", "words", "phrases", "bytes of the output"],
                [*map(str, (read, words, phrases, written))],
            ],
            "Seconds on one core (published: 26.17 in all, `sicsa-table3`)": [
                [*PHASES, "all"],
                [*(f"{float(part):.2f}" for part in (*seconds, sum(seconds)))],
            ],
        },
        data={"seconds": dict(zip(PHASES, seconds, strict=True))},
    )
