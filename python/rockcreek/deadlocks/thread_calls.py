"""Calls of pthreads, C11, C++ and OpenMP on a thread's stack: which one the program is in, and
where it made it."""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.inspection.backtrace import Frame

_CALLS = ("pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "call_once", "omp_", "__kmpc_")
# Beginnings of names of the C++ library (std::mutex::lock) and of the layer itself.
_BETWEEN = ("std::", "crf_")
_REGION_END = "crf_omp_barrier"
# What a core of a program of threads is in while it has none.
_NO_THREAD = "crf_await_one"
_WORDS = {
    "__kmpc_barrier": "#pragma omp barrier",
    "__kmpc_cancel_barrier": "#pragma omp barrier",
    "__kmpc_critical": "#pragma omp critical",
    "__kmpc_critical_with_hint": "#pragma omp critical",
    "__kmpc_fork_call": "the end of a parallel region",
    "__kmpc_omp_taskwait": "#pragma omp taskwait",
    "__kmpc_end_taskgroup": "the end of a taskgroup",
    "__kmpc_end_single": "the end of a single region",
    "__kmpc_ordered": "#pragma omp ordered",
    "__kmpc_doacross_wait": "#pragma omp ordered depend(sink)",
}


def find(frames: Sequence[Frame]) -> tuple[str | None, Frame | None]:
    """The call in words, and the program's own frame that made it."""
    names = [frame.function or "" for frame in frames]
    at = next((n for n, name in enumerate(names) if name.startswith(_CALLS)), None)
    if at is None:
        return ("the end of a parallel region", None) if _REGION_END in names else (None, None)
    outer = at
    while outer + 1 < len(names) and names[outer + 1].startswith((*_CALLS, *_BETWEEN)):
        outer += 1
        if names[outer].startswith(_CALLS):
            at = outer
    user = frames[outer + 1] if outer + 1 < len(frames) else None
    return _WORDS.get(names[at], names[at]), user


def has_no_thread(frames: Sequence[Frame]) -> bool:
    """Whether a core waits for a thread to run."""
    return any(frame.function == _NO_THREAD for frame in frames) and not any(
        frame.function in ("main", "crf_begin") for frame in frames
    )
