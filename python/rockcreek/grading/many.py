"""Several submissions at a time: each is graded by a thread, which waits for its processes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from rockcreek.grading import grade as one_by_one
from rockcreek.grading.grade import Grade, Terms
from rockcreek.grading.submissions import Submission


def grade(submissions: Sequence[Submission], terms: Terms, jobs: int) -> Generator[Grade]:
    """The grades, as they are done. An end by the user ends all compilers and runs under way."""
    with ThreadPoolExecutor(jobs) as pool:
        under_way = [pool.submit(one_by_one.grade, one, terms) for one in submissions]
        try:
            for done in as_completed(under_way):
                yield done.result()
        finally:
            # Nothing is left of them if all went well.
            terms.ended.set()
            pool.shutdown(cancel_futures=True)
