"""Tasks side by side: in processes of this host, or on the workers of a Dask scheduler."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rockcreek.errors import RockcreekError, UsageError
from rockcreek.sweep import processes

# How often a task is begun again whose worker has gone.
_RETRIES = 5
# Tasks that a scheduler has at once, for each of its workers.
_AHEAD = 4


def perform(
    function: Callable[..., Any],
    tasks: Sequence[tuple[Any, ...]],
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> Iterator[tuple[int, Any, str | None]]:
    """The function with the arguments of each task: as they end, number, result, and why there is
    none, if the task's workers have died. What the function raises counts as that, too."""
    if not tasks:
        return
    if scheduler is None:
        count = min(jobs or os.cpu_count() or 1, len(tasks))
        yield from processes.perform(function, tasks, jobs=count, retries=_RETRIES)
        return
    with _client(scheduler) as client:
        waiting, numbers = iter(enumerate(tasks)), {}
        at_work = _distributed().as_completed()

        def submit(count: int) -> None:
            for number, arguments in itertools.islice(waiting, count):
                future = client.submit(function, *arguments, pure=False, retries=_RETRIES)
                numbers[future.key] = number
                at_work.add(future)

        submit(_AHEAD * max(1, len(client.ncores())))
        for future in at_work:
            number = numbers.pop(future.key)
            if future.status == "finished":
                yield number, future.result(), None
            else:
                yield number, None, str(future.exception()).split("\n", 1)[0]
            submit(1)


def _distributed() -> Any:
    """Dask's package, which has no types."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise RockcreekError(
            f"--scheduler needs {error.name}", hint="pip install 'rockcreek[sweep]'"
        ) from error


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    distributed, dask = _distributed(), import_module("dask")
    settings = {
        "distributed.scheduler.allowed-failures": _RETRIES,
        "distributed.worker.memory.terminate": False,
        "distributed.logging.distributed": "critical",
    }
    with dask.config.set(settings):
        try:
            client = distributed.Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"--scheduler {scheduler}: {error}",
                hint="start one with `dask scheduler`, workers with `dask worker ADDRESS`",
            ) from error
        with client:
            yield client
