"""The exit codes of `rck`: those of sysexits.h, and the shell's own for a signal.

A guest program's own exit code is passed on unchanged; see docs/guide/exit-codes.md.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """What `rck` itself returns; the names are those of sysexits.h."""

    OK = 0
    DIFFERENT = 1  # rck compare: the two runs part
    USAGE = 64
    DATAERR = 65  # bad input file
    NOINPUT = 66  # input not found or not readable
    NO_PLAN = 69  # rck plan: no plan exists (EX_UNAVAILABLE)
    SOFTWARE = 70  # bug in rck
    OSERR = 71  # the host's memory (--memory-limit) or open files do not suffice
    IOERR = 74  # output failed
    TEMPFAIL = 75  # timeout or deadlock
    PROTOCOL = 76  # guest fault: killed by a signal, or kernel panic
    FINDINGS = 77  # --check error: the checker has found something (EX_NOPERM, of no other use)
    CONFIG = 78  # chip description
    INTERRUPTED = 130  # Ctrl-C (128 + SIGINT)
    TERMINATED = 143  # 128 + SIGTERM
