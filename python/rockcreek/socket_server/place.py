"""The file of a socket: made for this user alone, and taken over from a run that was killed."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rockcreek.errors import UsageError

# Anybody may lock a folder, also for ever.
_TRIES, _PAUSE_S = 50, 0.01


def listen(path: Path) -> tuple[socket.socket, str | None]:
    """A socket that listens there, without waiting; and what the user is to hear of it."""
    listener, told = socket.socket(socket.AF_UNIX), None
    try:
        with _alone_in(path.parent):
            try:
                _bind(listener, path)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not _is_left_over(path):
                    raise
                path.unlink()
                _bind(listener, path)
                told = f"{path}: the socket of a run that was killed: replaced"
        listener.listen()
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        hint = "name a file that does not exist, in a folder of yours"
        if error.errno == errno.EADDRINUSE:
            hint = "another run listens there, or it is a file: name another one"
        raise UsageError(f"--socket {path}: {error.strerror or error}", hint=hint) from error
    return listener, told


def remove(listener: socket.socket, path: Path, made: os.stat_result) -> None:
    """Nobody listens any more; a file that is not the one that was `made` is another run's and
    stays. (A process in the sandbox cannot ask it.)"""
    listener.close()
    with suppress(OSError), _alone_in(path.parent):
        if os.path.samestat(path.lstat(), made):
            path.unlink()


def _bind(listener: socket.socket, path: Path) -> None:
    # Only this user: who can write memory owns the virtual chip.
    before = os.umask(0o177)
    try:
        listener.bind(os.fspath(path))
    finally:
        os.umask(before)


def _is_left_over(path: Path) -> bool:
    """Whether this is a socket that nobody listens at."""
    if not stat.S_ISSOCK(path.lstat().st_mode):
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        return probe.connect_ex(os.fspath(path)) == errno.ECONNREFUSED


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """No other run looks at the sockets of this folder meanwhile, if all keep to that."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for _ in range(_TRIES):
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(_PAUSE_S)
        yield
    finally:
        os.close(descriptor)
