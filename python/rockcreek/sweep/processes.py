"""Tasks side by side in processes of this host.

Each process has a pipe of its own to this one, and nothing listens anywhere: no other user of the
host, and nobody on its network, can give them work. A process that dies is replaced, and its task
is begun again; all end with this process, however it ends.

A process is a new interpreter that knows nothing of the caller's script: a script may come from
standard input or a notebook, and needs no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any

from rockcreek.errors import is_lack_of_memory, lack_of_memory
from rockcreek.loading import load_into_own_process

# What a process runs: where the caller finds modules comes first, then what the tasks are for. If
# the caller ends before that, its process ends without a word.
BEGIN = """
import sys
from multiprocessing.connection import Connection
pipe = Connection(int(sys.argv[1]))
try:
    sys.path[:] = pipe.recv()
except (EOFError, OSError):
    sys.exit(1)
from rockcreek.sweep.processes import work
work(pipe, int(sys.argv[2]))
"""
_Function = Callable[..., Any]


def perform(
    function: _Function, tasks: Sequence[tuple[Any, ...]], *, jobs: int, retries: int
) -> Iterator[tuple[int, Any, str | None]]:
    """The function with the arguments of each task: as they end, number, result, and why there is
    none, if it has raised or its process has died, also when it was begun again."""
    waiting, tries = deque(range(len(tasks))), [0] * len(tasks)
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.task is not None for worker in workers):
            while waiting and len(workers) < jobs:
                workers.append(_Worker(function))
            for worker in workers:
                if waiting and worker.task is None:
                    worker.begin(waiting.popleft(), tasks)
            wait([worker.pipe for worker in workers if worker.task is not None])
            for worker in [one for one in workers if one.task is not None and one.pipe.poll()]:
                number, answer = worker.end()
                if answer is not None:
                    yield number, *answer
                    continue
                workers.remove(worker)
                tries[number] += 1
                if tries[number] <= retries:
                    waiting.appendleft(number)
                else:
                    yield number, None, f"its process died {tries[number]} times: {worker.death()}"
    finally:
        for worker in workers:
            worker.kill()


class _Worker:
    """A process, and the task that it is at."""

    def __init__(self, function: _Function) -> None:
        self.task: int | None = None
        self.pipe, theirs = Pipe()
        # Nobody writes into it: it ends with this process.
        end, self._alive = os.pipe()
        numbers = (theirs.fileno(), end)
        # Ctrl-C reaches all processes of a terminal; the first one ends the others.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", BEGIN, *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                pass_fds=numbers,
            )
        except OSError:
            self.pipe.close()
            os.close(self._alive)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
            os.close(end)
        with suppress(OSError):
            self.pipe.send(sys.path)
            self.pipe.send(function)

    def begin(self, number: int, tasks: Sequence[tuple[Any, ...]]) -> None:
        self.task = number
        # One that has died meanwhile is found by `end`.
        with suppress(OSError):
            self.pipe.send(tasks[number])

    def end(self) -> tuple[int, tuple[Any, str | None] | None]:
        """The task's number and its answer; None if the process is gone."""
        assert self.task is not None
        number, self.task = self.task, None
        try:
            return number, self.pipe.recv()
        except (EOFError, OSError):
            self.kill()
            return number, None

    def death(self) -> str:
        code = self._process.returncode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def kill(self) -> None:
        """Nothing in it is worth keeping: what it has found is here."""
        if self.task is not None:
            self._process.kill()
        self.pipe.close()
        os.close(self._alive)
        self._process.wait()


def work(pipe: Connection, end: int) -> None:
    """Runs in a worker process: performs tasks from the pipe until the other end closes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_into_own_process()
    threading.Thread(target=_end_with_parent, args=(end,), daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        function = pipe.recv()
        while True:
            _answer(pipe, function, pipe.recv())


def _answer(pipe: Connection, function: _Function, arguments: tuple[Any, ...]) -> None:
    try:
        answer = ForkingPickler.dumps((function(*arguments), None))
    except Exception as error:  # noqa: BLE001 (whatever it is, it is the task's)
        if is_lack_of_memory(error):
            error = lack_of_memory()
        why = str(error).split("\n", 1)[0] or type(error).__name__
        answer = ForkingPickler.dumps((None, why))
    pipe.send_bytes(answer)


def _end_with_parent(end: int) -> None:
    os.read(end, 1)
    os._exit(1)
