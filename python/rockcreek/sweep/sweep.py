"""The runs of a plan on Dask's workers, as many side by side as there are workers."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rockcreek.campaigns.table import Table
from rockcreek.errors import NotFoundError, RockcreekError, UsageError
from rockcreek.sweep.plan import Plan
from rockcreek.sweep.point import measure
from rockcreek.sweep.store import Store

# How often a point is begun again whose worker has gone.
_RETRIES = 5
# Points that a scheduler has at once, for each of its workers.
_AHEAD = 4


@dataclass(frozen=True)
class Progress:
    """How far a sweep is."""

    done: int
    points: int
    failed: int
    left_s: float | None  # None before the first run has ended


@dataclass(frozen=True)
class Done:
    """What has become of a sweep."""

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
) -> Done:
    """Run all points that have no row yet; local workers, or those of a scheduler's address."""
    for program in sorted({point["program"] for point in plan.points}):
        if not Path(program).is_file():
            raise NotFoundError(f"{program}: No such file or directory", path=program)
    with Store(out, plan.key, anew=anew) as store:
        todo = [index for index in range(len(plan.points)) if index not in store.rows]
        lost: dict[int, str] = {}
        if todo:
            with _client(jobs, scheduler, len(todo)) as client:
                lost = _run(client, plan, todo, store, tell)
        failed = {
            index: str(row.get("error") or f"exit code {row['exit_code']}")
            for index, row in sorted(store.rows.items())
            if row["end"] == "failed" or row["exit_code"]
        }
        return Done(store.table(), store.write_parquet(), failed, lost)


def _run(
    client: Any, plan: Plan, todo: list[int], store: Store, tell: Callable[[Progress], None]
) -> dict[int, str]:
    begin, lost, waiting = time.monotonic(), {}, iter(todo)
    at_work = _distributed().as_completed()
    numbers: dict[str, int] = {}

    def submit(count: int) -> None:
        for index in itertools.islice(waiting, count):
            future = client.submit(measure, dict(plan.points[index]), pure=False, retries=_RETRIES)
            numbers[future.key] = index
            at_work.add(future)

    submit(_AHEAD * max(1, len(client.ncores())))
    for count, future in enumerate(at_work, start=1):
        index = numbers.pop(future.key)
        if future.status == "finished":
            store.add(index, future.result())
        else:
            lost[index] = str(future.exception()).split("\n", 1)[0]
        submit(1)
        spent = time.monotonic() - begin
        failed = sum(row["end"] == "failed" for row in store.rows.values())
        left = spent / count * (len(todo) - count)
        tell(Progress(len(store.rows), len(plan.points), failed + len(lost), left))
    return lost


def _distributed() -> Any:
    """Dask's package, which has no types."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise RockcreekError(
            f"sweeps need {error.name}", hint="pip install 'rockcreek[sweep]'"
        ) from error


@contextmanager
def _client(jobs: int | None, scheduler: str | None, points: int) -> Iterator[Any]:
    distributed, dask = _distributed(), import_module("dask")
    settings = {
        "distributed.scheduler.allowed-failures": _RETRIES,
        "distributed.worker.memory.terminate": False,
        "distributed.logging.distributed": "critical",
    }
    with dask.config.set(settings):
        if scheduler is not None:
            try:
                client = distributed.Client(scheduler, timeout=10)
            except (OSError, ValueError) as error:
                raise UsageError(
                    f"--scheduler {scheduler}: {error}",
                    hint="start one with `dask scheduler`, workers with `dask worker ADDRESS`",
                ) from error
            with client:
                yield client
            return
        workers = min(jobs or os.cpu_count() or 1, points)
        with (
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                host="127.0.0.1",
                silence_logs=50,
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
