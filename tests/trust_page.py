"""The sections of docs/trust.md that runs of attacks write: each between two marks, with day and
commit."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Iterable, Sequence

from guest_programs import ROOT

PAGE = ROOT / "docs/trust.md"


def commit() -> str:
    """What this checkout is at."""
    return subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()


def write(section: str, head: str, rows: Sequence[str], commits: Iterable[str]) -> None:
    """This section anew: a sentence, and the rows of a table, each of which names its commits."""
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    tried = f"tried at {', '.join(sorted(set(commits)))}: each row names its own"
    lines = [begin, "", f"{head}, {day}; {tried}.", "", *rows, "", end]
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    PAGE.write_text(before + "\n".join(lines) + rest.partition(end)[2], encoding="utf-8")
