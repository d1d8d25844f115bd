"""The concordance of a text on 1, 2, 8 and 32 tiles: times, size of the output, the fit.

    python systems/lino/concordance.py PROGRAM TEXT... [--out DIR]

PROGRAM is programs/concordance.c, built; the texts are put together. Each tile reads the whole
text and writes the phrases of its part to a file of its own, as published; the parts together
must be the same for each number of tiles. DIR (default: out/lino) is the shared folder.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import lino

TILES = (1, 2, 8, 32)
MOST_COLUMNS = 8
_LINE = re.compile(r"(\d+) bytes; read ([\d.]+) compute ([\d.]+) print ([\d.]+) s")


@dataclass(frozen=True)
class Times:
    """The slowest tile's seconds; of each phase, and of all three."""

    read: float
    compute: float
    printing: float
    total: float


def script(tiles: int) -> str:
    """A block of tiles, each with its part by the last bits of the hash.

    >>> script(2)
    'main = ([concordance /text 4 1 0 >0.con] | [concordance /text 4 1 1 >1.con]);'
    """
    parts = [f"[concordance /text 4 {tiles - 1} {part} >{part}.con]" for part in range(tiles)]
    starts = range(0, tiles, MOST_COLUMNS)
    rows = ["(" + " | ".join(parts[at : at + MOST_COLUMNS]) + ")" for at in starts]
    return f"main = {' _ '.join(rows)};"


def run(program: Path, tiles: int, folder: Path) -> tuple[Times, list[str]]:
    """Times, and all lines of the output in order."""
    for old in folder.glob("*.con"):
        old.unlink()
    cores, layout = lino.layout(lino.parse(script(tiles)))
    (folder / "layout").write_text(layout)
    where = ["--cores", ",".join(map(str, cores)), "--share", str(folder)]
    command = ["rck", "run", "-q", *where, str(program)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [list(map(float, match)) for match in _LINE.findall(ran.stdout + ran.stderr)]
    if ran.returncode or len(found) != tiles:
        sys.exit(f"concordance: {tiles} tiles: {ran.stderr.strip() or ran.stdout.strip()}")
    _, read, compute, printing = (max(column) for column in zip(*found, strict=True))
    lines = [line for part in folder.glob("*.con") for line in part.read_text().splitlines()]
    return Times(read, compute, printing, max(sum(row[1:]) for row in found)), sorted(lines)


def fit(times: dict[int, float]) -> tuple[float, float, float]:
    """P, R and W of t = P / n + R n + W through 2, 8 and 32 tiles.

    >>> [round(one, 2) for one in fit({2: 49, 8: 36, 32: 34})]
    [35.56, 0.06, 31.11]
    """
    two, eight, most = (Fraction(times[n]) for n in (2, 8, 32))
    # Differences leave P (1/2 - 1/8) - 6 R and P (1/8 - 1/32) - 24 R.
    a, b = two - eight, eight - most
    p = (4 * a - b) / (4 * Fraction(3, 8) - Fraction(3, 32))
    r = (p * Fraction(3, 8) - a) / 6
    return float(p), float(r), float(two - p / 2 - 2 * r)


def main(arguments: list[str]) -> int:
    """Run all, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path)
    parser.add_argument("text", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("out/lino"))
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        text = "".join(path.read_text() for path in options.text)
    except (OSError, UnicodeDecodeError) as error:
        print(f"concordance: {error}", file=sys.stderr)
        return 1
    (options.out / "text").write_text(text)
    totals: dict[int, float] = {}
    whole: list[str] = []
    print("tiles  read  compute  print  all, s")
    for tiles in TILES:
        times, lines = run(options.program, tiles, options.out)
        if whole and lines != whole:
            print(f"concordance: {tiles} tiles found other phrases than 1", file=sys.stderr)
            return 1
        whole, totals[tiles] = lines, times.total
        print(
            f"{tiles:5} {times.read:5.3f} {times.compute:8.3f} {times.printing:6.3f} "
            f"{times.total:7.3f}"
        )
    size = sum(len(line.encode()) + 1 for line in whole)
    print(f"text {len(text.encode())} bytes, output {size}: {size / len(text.encode()):.1f} times")
    print("t = P/n + R n + W: P {:.4f}, R {:.5f}, W {:.4f} s".format(*fit(totals)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
