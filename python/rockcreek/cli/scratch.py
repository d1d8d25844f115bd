"""A folder of this command's own, for files that a run's cores read."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import mkdtemp


@contextmanager
def scratch(prefix: str) -> Iterator[str]:
    """A folder that another process removes, because this one may be in the sandbox by then."""
    folder = mkdtemp(prefix=prefix)
    ended, lives = os.pipe()
    remover = os.fork()
    if remover == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(lives)
        os.read(ended, 1)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)
    os.close(ended)
    try:
        yield folder
    finally:
        os.close(lives)
        with suppress(OSError):
            os.waitpid(remover, 0)
