"""Writes docs/guide/ports.md: programs over the guest systems beside the same programs by RCCE.

`python scripts/ports.py` writes it; a test holds it equal to the sources.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs/guide/ports.md"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
HEAD = """\
# The same program twice

After this page you can compare three programs over guest systems (LPEL, SVP, MESH) with
programs that compute the same by RCCE's messages.

Both programs of a pair compute the same result. The table has the lines of code of each program.
These counts leave out comments, blank lines and the header with the computation that both programs
include (`rays.h`, `primes.h`, `mandelbrot.h`). `scripts/ports.py` writes this page from the
sources.

| program | over | lines | by RCCE | lines |
| --- | --- | --: | --- | --: |
"""


@dataclass(frozen=True)
class Port:
    """A program of a system, and its twin."""

    system: str
    title: str
    source: str
    twin: str

    def path(self, name: str) -> str:
        return f"systems/{self.system.lower()}/programs/{name}"


PORTS = (
    Port("LPEL", "Counting primes", "primes.c", "primes_rcce.c"),
    Port("SVP", "A picture of spheres", "rays.c", "rays_rcce.c"),
    Port("MESH", "Rows of a picture for idle cores", "render.cpp", "render_rcce.c"),
)


def lines_of_code(path: str) -> int:
    """Without comments and blank lines."""
    text = COMMENT.sub("", (ROOT / path).read_text())
    return sum(bool(line.strip()) for line in text.splitlines())


def _cell(path: str) -> str:
    """A column of a table whose other columns are Markdown, too: blank lines around it."""
    language = "cpp" if path.endswith("cpp") else "c"
    return f"<td valign=top>\n\n```{language}\n{(ROOT / path).read_text().rstrip()}\n```\n\n</td>\n"


def page() -> str:
    """The page's text."""
    rows, parts = [], []
    for port in PORTS:
        ours, twin = port.path(port.source), port.path(port.twin)
        rows.append(
            f"| [{port.title}](#{port.title.lower().replace(' ', '-')}) "
            f"| {port.system}: [{port.source}](../../{ours}) | {lines_of_code(ours)} "
            f"| [{port.twin}](../../{twin}) | {lines_of_code(twin)} |\n"
        )
        parts.append(
            f"\n## {port.title}\n\n<table>\n<tr><th>{port.system}</th><th>RCCE</th></tr>\n<tr>\n"
            f"{_cell(ours)}{_cell(twin)}</tr>\n</table>\n"
        )
    return HEAD + "".join(rows) + "".join(parts)


if __name__ == "__main__":
    TARGET.write_text(page())
