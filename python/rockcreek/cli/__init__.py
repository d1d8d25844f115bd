"""The command `rck`: a thin layer over the package.

Start-up matters (`rck --version` in under 0.2 s), so this module imports nothing but the standard
library, and each command's module is loaded when it is called.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

# How many new objects make Python look for unreachable cycles. A start makes some 100,000 objects
# and no cycle: at Python's own 700, a tenth of its time would be this search.
NEW_OBJECTS = 50_000


class Process:
    """Whose this process is: one that the command has to itself may be confined."""

    is_ours = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code, never raises."""
    from rockcreek._version import __version__

    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv == ["--version"]:
        # Answered here: needs neither click nor the engine.
        return _print(f"rck {__version__}")
    try:
        from rockcreek.cli.app import invoke

        return invoke(argv)
    except MemoryError:
        # Not even for a message that is put together.
        os.write(2, b"rck: the host's memory does not suffice\n")
        return 71


def run(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    Process.is_ours = True
    gc.set_threshold(NEW_OBJECTS)
    _open_streams()
    code = main(arguments)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        # Said before; keep the interpreter from saying it again at exit.
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        code = code or 74
    _end(code)


def _end(code: int) -> NoReturn:
    """Leave the process: what Python has to do at the end is done, and nothing is taken apart.

    To free each object before the kernel frees all took a seventh of a short run's time, and some
    libraries do not survive their own end once they were refused memory.
    """
    import atexit

    with suppress(BaseException):
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
    with suppress(BaseException):
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _open_streams() -> None:
    """Fill the standard streams that the caller closed, lest a file takes their numbers.

    What fills standard output cannot be written to: lost output stays an error.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR if name == "stderr" else os.O_RDONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)


def _print(text: str) -> int:
    try:
        print(text, flush=True)
    except OSError:
        return 74
    return 0
