"""Work on many things, a few at a time, in threads that wait for processes."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], things: Iterable[T], jobs: int) -> Iterator[R]:
    """Results as they come. Who leaves early, by Ctrl-C for one, leaves what has not begun.

    >>> sorted(side_by_side(lambda n: n * n, range(4), 2))
    [0, 1, 4, 9]
    """
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        begun = [pool.submit(work, thing) for thing in things]
        for done in concurrent.futures.as_completed(begun):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)
