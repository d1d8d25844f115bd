"""Results of long runs, a line of JSON each: a run that was stopped goes on behind them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Result = dict[str, Any]


def read_results(path: Path, name: Callable[[Result], str]) -> dict[str, Result]:
    """The last result of each name; none if there is no such file."""
    lines = path.read_text().splitlines() if path.is_file() else []
    return {name(one): one for one in map(json.loads, lines)}
