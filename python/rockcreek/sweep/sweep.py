"""The runs of a plan, as many side by side as there are workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rockcreek.campaigns.table import Table
from rockcreek.errors import NotFoundError
from rockcreek.sweep import workers
from rockcreek.sweep.plan import Plan
from rockcreek.sweep.point import measure
from rockcreek.sweep.store import Store

_SHOWN = 8  # damaged lines that are named


@dataclass(frozen=True)
class Progress:
    """The progress of a sweep."""

    done: int
    points: int
    failed: int
    left_s: float | None  # None before the first run has ended


@dataclass(frozen=True)
class Done:
    """The result of a sweep: its table, and the points that failed."""

    table: Table
    parquet: Path
    failed: dict[int, str]  # by point: runs that could not be begun or did not end well
    lost: dict[int, str]  # by point: no row, for their workers died; the next sweep tries again


def sweep(
    plan: Plan,
    out: str | Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    anew: bool = False,
    tell: Callable[[Progress], None] = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
) -> Done:
    """Run all points that have no row yet; local workers, or those of a scheduler's address."""
    for program in sorted({point["program"] for point in plan.points}):
        if not Path(program).is_file():
            raise NotFoundError(f"{program}: No such file or directory", path=program)
    with Store(out, plan.key, anew=anew) as store:
        if store.damaged:
            warn(_damaged(store))
        todo = [index for index in range(len(plan.points)) if index not in store.rows]
        lost = _run(plan, todo, store, tell, jobs=jobs, scheduler=scheduler)
        failed = {
            index: str(row.get("error") or f"exit code {row['exit_code']}")
            for index, row in sorted(store.rows.items())
            if row["end"] == "failed" or row["exit_code"]
        }
        return Done(store.table(), store.write_parquet(), failed, lost)


def _run(
    plan: Plan,
    todo: list[int],
    store: Store,
    tell: Callable[[Progress], None],
    *,
    jobs: int | None,
    scheduler: str | None,
) -> dict[int, str]:
    begin, lost = time.monotonic(), {}
    tasks = [(dict(plan.points[index]),) for index in todo]
    ended = workers.perform(measure, tasks, jobs=jobs, scheduler=scheduler)
    for count, (number, row, why) in enumerate(ended, start=1):
        if why is None:
            store.add(todo[number], row)
        else:
            lost[todo[number]] = why
        spent = time.monotonic() - begin
        failed = sum(row["end"] == "failed" for row in store.rows.values())
        left = spent / count * (len(todo) - count)
        tell(Progress(len(store.rows), len(plan.points), failed + len(lost), left))
    return lost


def _damaged(store: Store) -> str:
    """Which lines of the kept rows cannot be used."""
    shown = ", ".join(map(str, store.damaged[:_SHOWN]))
    more = len(store.damaged) - _SHOWN
    also = f" and {more} more" if more > 0 else ""
    lines = f"line{'s' if len(store.damaged) > 1 else ''} {shown}{also}"
    return (
        f"{store.folder / 'rows.jsonl'}: {lines} damaged: {len(store.rows)} good rows are kept, the"
        " others' runs are made again"
    )
