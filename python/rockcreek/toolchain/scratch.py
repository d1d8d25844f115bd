"""Where the compiler's and the linker's outputs are made, and how they get to their places.

A tool writes into a folder for temporary files; what is whole goes to its place in one step, so a
full disk or a kill leaves what was there. A folder whose process was killed is removed by the next
one that needs a folder: who holds no lock on his is gone.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .paths import ToolchainError

# A folder has this name from the instant on at which it is locked.
_PREFIX = "rck-compiles-"


@contextmanager
def folder() -> Iterator[str]:
    """A folder that is gone afterwards."""
    parent = Path(tempfile.gettempdir())
    _remove_left_over(parent)
    path = tempfile.mkdtemp(prefix="rck-begins-")
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        path = str(Path(path).rename(parent / f"{_PREFIX}{os.path.basename(path)[-8:]}"))
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def deliver(made: str, target: str, *, executable: bool = False) -> None:
    """Put what a tool has made into its place; a program may be executed, whatever was there."""
    # Here, since a build uses the tool chain before there is an engine.
    from rockcreek.errors import OutputError
    from rockcreek.outputs import Output

    mode = 0o777 if executable else 0o666
    try:
        with Output(target, force=True, mode=mode, keeps_mode=not executable) as output:
            output.write(Path(made).read_bytes())
    except OutputError as error:
        raise ToolchainError(error.message, error.hint, error.exit_code) from error


def _remove_left_over(parent: Path) -> None:
    with suppress(OSError):
        for path in parent.glob(f"{_PREFIX}*"):
            if _is_left_over(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_left_over(path: Path) -> bool:
    """Whether this is a folder of this user's, and nobody works in it."""
    try:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
