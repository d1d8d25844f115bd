"""What can go wrong, as types with fields.

Every error is one message (what happened, where in the chip and in the guest), a hint (what
to do) and an exit code. The command prints `rck: MESSAGE` and `hint: HINT`; a Python caller
reads the fields.
"""

from __future__ import annotations

import errno

from rockcreek import printable
from rockcreek.exit_codes import ExitCode


class RockcreekError(Exception):
    """Base of all errors of the package."""

    exit_code: ExitCode = ExitCode.SOFTWARE

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            # Python and notebooks print it below the message.
            self.add_note(f"hint: {hint}")

    def render(self) -> str:
        """The error as the command prints it."""
        text = f"rck: {self.message}"
        return printable.message(f"{text}\nhint: {self.hint}" if self.hint else text)


class ReportedError(RockcreekError):
    """An error of another process of rck, as that reported it."""

    def __init__(self, message: str, code: int, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        if code in set(ExitCode) - {ExitCode.OK, ExitCode.DIFFERENT}:
            self.exit_code = ExitCode(code)


def _with_name(message: str, path: str) -> str:
    """The message with the path in it on one line."""
    return message.replace(path, printable.name(path)) if path else message


class UsageError(RockcreekError):
    """The request itself makes no sense: a wrong option, a core that is not there."""

    exit_code = ExitCode.USAGE


class InputError(RockcreekError):
    """An input file is there but cannot be used."""

    exit_code = ExitCode.DATAERR

    def __init__(self, message: str, *, path: str, hint: str | None = None) -> None:
        super().__init__(_with_name(message, path), hint=hint)
        self.path = path


class NotFoundError(InputError):
    """An input file is missing or cannot be read."""

    exit_code = ExitCode.NOINPUT


class ConfigError(InputError):
    """The chip description is malformed."""

    exit_code = ExitCode.CONFIG


class OutputError(RockcreekError):
    """Output could not be written: a full disk, a closed pipe, a file that exists."""

    exit_code = ExitCode.IOERR

    def __init__(self, message: str, *, path: str, hint: str | None = None) -> None:
        super().__init__(_with_name(message, path), hint=hint)
        self.path = path


class InternalError(RockcreekError):
    """A bug in Rockcreek."""


class GuestFault(RockcreekError):
    """A guest program was killed by a signal, or its kernel panicked."""

    exit_code = ExitCode.PROTOCOL

    def __init__(
        self,
        message: str,
        *,
        cores: tuple[int, ...],
        eip: int | None,
        address: int | None,
        signal: str | None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.cores = cores
        self.eip = eip
        self.address = address
        self.signal = signal


class HostLimit(RockcreekError):
    """The host's memory (`--memory-limit`) or open files did not suffice; the run was ended."""

    exit_code = ExitCode.OSERR


# What Python and the system's loader say of a host without memory, in errors of other kinds. The
# last one is about a function in C that returned no object and left no exception: CPython's own do
# so where memory for the exception was refused, too.
_LACKS = (
    "can't start new thread",
    "failed to map segment",
    "Cannot allocate memory",
    "error return without exception set",
)


def is_lack_of_memory(error: BaseException) -> bool:
    """Whether the host has refused memory, whatever kind of error that became."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    kinds = RuntimeError | ImportError | SystemError
    return isinstance(error, kinds) and any(lack in str(error) for lack in _LACKS)


def lack_of_memory() -> HostLimit:
    """What a `MemoryError` is for users."""
    return HostLimit(
        "the host's memory does not suffice",
        hint="use fewer cores, or free memory of the host (`ulimit -v` shows a limit)",
    )


class Dropped(RockcreekError):
    """Something was left out of a result because it was too much; the run itself is complete."""

    exit_code = ExitCode.OK


class ShareRefusal(RockcreekError):
    """A path or symbolic link of a guest leads out of the shared folder.

    The guest's call failed (permission denied); the exit code is what its program makes of it.
    """

    exit_code = ExitCode.NOINPUT

    def __init__(
        self, message: str, *, path: str, cores: tuple[int, ...], hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.cores = cores


class StoppedRun(RockcreekError):
    """A run that was ended before its cores had ended; says which core waits where."""

    exit_code = ExitCode.TEMPFAIL

    def __init__(self, message: str, *, waiting: list[str], hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.waiting = waiting


class Timeout(StoppedRun):
    """The host time limit was reached."""


class Deadlock(StoppedRun):
    """Nothing can ever change again on the chip, and cores have not ended."""


class Interrupted(StoppedRun):
    """The user pressed Ctrl-C (or the process received SIGINT)."""

    exit_code = ExitCode.INTERRUPTED


class Terminated(StoppedRun):
    """The process received SIGTERM."""

    exit_code = ExitCode.TERMINATED
