"""A program of the host, as the only one that a Linux for many processors runs.

Linux begins with the first program of systems/rockyvisor/linux/programs, which starts it. All lie
in an initial file system that is made for this run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from rockcreek import resources
from rockcreek.booting import cpio
from rockcreek.booting.cpio import Entry
from rockcreek.errors import NotFoundError, UsageError
from rockcreek.reading import documents
from rockcreek.software import image

FIRST = resources.GUEST / "rockyvisor/first"
# What a program would look for in vain: message buffers, registers and other cores' ranks.
_OF_JOBS = ("RCCE_init", "scc_job")
_FOLDERS = ("dev", "proc", "sys", "tmp", "rck")
# Where the program begins, with the files of the host's shared folder; else it begins in /tmp.
SHARE = "share"
_VARIABLES = {"PATH": "/", "HOME": "/tmp", "TERM": "dumb"}
# Nothing but errors of Linux's own stands among the program's words.
QUIET = "quiet"


def file_system(
    path: str,
    arguments: Sequence[str],
    env: Mapping[str, str],
    *,
    shares: bool = False,
    processors: int = 1,
) -> bytes:
    """The archive with the program, what it is called with, and the one that starts it."""
    found = image.load_program(path)
    if found.has_our_note or set(_OF_JOBS) & set(found.symbols):
        text = f"{path} is a program of RCCE, MPI or threads over cores, and needs the chip itself"
        hint = f"rck run -n N {path}; one Linux for several cores runs other programs"
        raise UsageError(text, hint=hint)
    if not FIRST.is_file():
        raise NotFoundError(f"no {FIRST}", path=str(FIRST), hint="make setup")
    variables = {**_VARIABLES, **env}
    folders = (*_FOLDERS, SHARE) if shares else _FOLDERS
    entries = [Entry(name, cpio.DIRECTORY) for name in folders]
    entries += [
        Entry("dev/console", cpio.DEVICE, device=(5, 1)),
        Entry("init", cpio.PROGRAM, documents.data(FIRST)),
        Entry("rck/program", cpio.PROGRAM, found.data),
        Entry("rck/arguments", cpio.TEXT, _texts([path, *arguments])),
        Entry("rck/processors", cpio.TEXT, _texts([str(processors)])),
        Entry("rck/environment", cpio.TEXT, _texts(f"{a}={b}" for a, b in variables.items())),
    ]
    return cpio.archive(entries)


def _texts(texts: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(text) + b"\0" for text in texts)
