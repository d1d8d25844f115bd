"""What a run of the tests left out, named at its end: a test that is not run says so and why."""

from __future__ import annotations

from collections.abc import Iterable


def lines(reports: Iterable[tuple[str, str]]) -> list[str]:
    """For each reason and file, which of its tests were skipped, from (test, reason)."""
    found: dict[str, dict[str, list[str]]] = {}
    for test, reason in reports:
        path, _, name = test.partition("::")
        names = found.setdefault(reason.removeprefix("Skipped: "), {}).setdefault(path, [])
        if name not in names:
            names.append(name)
    return [
        line
        for reason, files in found.items()
        for line in (
            f"{sum(map(len, files.values()))} not run: {reason}",
            *(f"  {path}: {', '.join(names) or 'all'}" for path, names in files.items()),
        )
    ]
