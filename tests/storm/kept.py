"""What storms of many runs have in common: how runs are cut, and what their pages name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Results = Mapping[str, Mapping[str, str | float]]  # day and commit, by a run's name


def portions(programs: int, at_once: int, share: float) -> list[int]:
    """Numbers of programs of each run, of `share` of all.

    >>> portions(100, 40, 1), portions(100, 40, 0.001)
    ([40, 40, 20], [1])
    """
    left, found = max(1, round(programs * share)), []
    while left > 0:
        found.append(min(left, at_once))
        left -= at_once
    return found


def provenance(done: Results, names: Iterable[str]) -> tuple[str, list[str]]:
    """Days and commits of those that have run; a paragraph on the others, if there are any."""
    names = list(names)
    ended = [done[name] for name in names if name in done]
    missing = [f"`{name}`" for name in names if name not in done]
    days, commits = (sorted({str(one[key]) for one in ended}) for key in ("day", "commit"))
    left = ["", f"Not run yet: {', '.join(missing)}."] if missing else []
    return f"{', '.join(days)}, at {', '.join(commits)}", left
