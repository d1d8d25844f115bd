"""Where `rck` writes: every file that it makes goes through `Output`.

Devices, pipes and descriptors such as /dev/stdout are written in place. A link is followed to its
target. A regular file is there whole or not at all: what is written goes into a file without a
name in the target's folder (where the host has none, into one with a name of its own), is flushed
to the disk and takes the target's name at the end, in one step. A file that exists is replaced
with `force` only, and keeps its mode and owner. An output is opened before the work whose result
it will hold, so that hours of work do not end at a folder that is not there.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from rockcreek.errors import OutputError

# As the kernel: so many links, one to the next, and no more.
_MOST_LINKS = 40
_NEW_FILE = 0o666
_T = TypeVar("_T")


class Output:
    """One output, open; `finish` completes it, `abandon` leaves everything as it was.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Output(f"{folder}/a") as output:
    ...         output.write("one line\\n")
    ...         there = os.listdir(folder)
    ...     there, os.listdir(folder)
    ([], ['a'])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        force: bool = False,
        mode: int = _NEW_FILE,
        keeps_mode: bool = True,
        lost: str = "nothing was written",
    ) -> None:
        """`mode` is that of a new file, or with `keeps_mode=False` of any; `lost` is what an
        error's hint says of a failure."""
        self.path = os.fspath(path)
        self._keeps_mode = keeps_mode
        self._force, self._lost = force, lost
        # Of a regular file: its place, its folder's descriptor, and a name if it has one already.
        self._target: str | None = None
        self._folder = -1
        self._begun: str | None = None
        try:
            self._file = open(self._open(mode), "wb", buffering=1 << 16)  # noqa: SIM115
        except (OSError, ValueError) as error:
            self._close_folder()
            raise self._error(error) from error

    @property
    def target(self) -> str | None:
        """The regular file that there will be; None if this is written in place."""
        return self._target

    def write(self, data: bytes | str) -> None:
        """Append bytes, or text as UTF-8."""
        try:
            self._file.write(data.encode() if isinstance(data, str) else data)
        except OSError as error:
            raise self._error(error) from error

    def fill(self, write: Callable[[int], _T], *, in_places: bool = False) -> _T:
        """Let the engine write: it is given the descriptor; `in_places` of a file with places,
        which a pipe has not."""
        try:
            self._file.flush()
            if not in_places or self._target is not None:
                return write(self._file.fileno())
            with tempfile.TemporaryFile() as whole:
                written = write(whole.fileno())
                whole.seek(0)
                shutil.copyfileobj(whole, self._file)
            return written
        except OSError as error:
            raise self._error(error) from error

    def finish(self) -> None:
        """Everything is written: now the file is there."""
        if self._file.closed:
            return
        try:
            self._file.flush()
            if self._target is not None:
                os.fsync(self._file.fileno())
                self._name()
            self._file.close()
        except OSError as error:
            self.abandon()
            raise self._error(error) from error
        self._close_folder()

    def abandon(self) -> None:
        """Nothing has happened; after `finish` this does nothing."""
        with suppress(OSError):
            self._file.close()
        if self._begun is not None:
            with suppress(OSError):
                os.unlink(self._begun, dir_fd=self._folder)
            self._begun = None
        self._close_folder()

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is None:
            self.finish()
        else:
            self.abandon()

    def _open(self, mode: int) -> int:
        # The kernel's own following of links comes first: it refuses links of strangers in /tmp.
        old = _stat(self.path)
        place, descriptor = _follow(self.path)
        if descriptor is not None:
            return os.dup(descriptor)
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise _Refused("is a folder", "name a file in an existing folder")
        if old is not None and not stat.S_ISREG(old.st_mode):
            return os.open(place, os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY)
        if old is not None and not self._force:
            raise _Refused("exists already", "choose another name, or add --force")
        if old is not None and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        folder, name = os.path.split(place)
        if not name or not os.path.isdir(folder or "."):
            raise _Refused("its folder does not exist", "name a file in an existing folder")
        self._folder = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._target = place
        return self._begin(name, old, mode)

    def _begin(self, name: str, old: os.stat_result | None, mode: int) -> int:
        """A file without a name that takes the target's place later; else one with a name."""
        descriptor = _nameless(self._folder, mode)
        if descriptor is None:
            self._begun = _partial_name(name)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            descriptor = os.open(self._begun, flags, mode, dir_fd=self._folder)
        if old is not None:
            if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                with suppress(OSError):
                    os.fchown(descriptor, old.st_uid, old.st_gid)
            if self._keeps_mode:
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
        return descriptor

    def _name(self) -> None:
        """One step, after which the target is the new file."""
        folder = self._folder
        name = os.path.basename(str(self._target))
        if self._begun is None:
            self._begun = _partial_name(name)
            own = f"/proc/self/fd/{self._file.fileno()}"
            os.link(own, self._begun, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=True)
        if not self._force and _stat(name, folder) is not None:
            raise _Refused("exists now", "choose another name, or add --force")
        os.replace(self._begun, name, src_dir_fd=folder, dst_dir_fd=folder)
        self._begun = None
        # Some file systems know no such thing for folders.
        with suppress(OSError):
            os.fsync(folder)

    def _close_folder(self) -> None:
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def _error(self, error: OSError | ValueError) -> OutputError:
        if isinstance(error, _Refused):
            return OutputError(f"{self.path}: {error}", path=self.path, hint=error.hint)
        what = getattr(error, "strerror", None) or error
        return OutputError(f"{self.path}: {what}", path=self.path, hint=self._lost)


class Outputs:
    """The files of one command, all open before its work: one that fails spoils no other one."""

    def __init__(self, paths: Mapping[str, str | Path | None], *, force: bool = False) -> None:
        self.failures: list[OutputError] = []
        self._open: dict[str, Output] = {}
        try:
            for name, path in paths.items():
                if path is not None:
                    self._open[name] = Output(path, force=force, lost="it was not saved")
            self._refuse_doubles()
        except OutputError:
            self._abandon()
            raise

    def get(self, name: str) -> Output | None:
        """The output of this name, if there is one."""
        return self._open.get(name)

    def write(self, name: str, write: Callable[[Output], None]) -> bool:
        """Write and finish it, if there is one; a failure is kept with those of the others."""
        output = self._open.pop(name, None)
        if output is None:
            return False
        try:
            with output:
                write(output)
        except OutputError as error:
            self.failures.append(error)
            return False
        return True

    def check(self) -> None:
        """Raise the first failure, if there was one."""
        if self.failures:
            raise self.failures[0]

    def _refuse_doubles(self) -> None:
        seen: set[str] = set()
        for output in self._open.values():
            if output.target is None:
                continue
            place = os.path.realpath(output.target)
            if place in seen:
                hint = "name another file for one of them"
                raise OutputError(f"{output.path}: is named twice", path=output.path, hint=hint)
            seen.add(place)

    def _abandon(self) -> None:
        for output in self._open.values():
            output.abandon()
        self._open.clear()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._abandon()


def opened(to: str | Path | Output, *, lost: str) -> Output:
    """An output of the Python API: a path's file is replaced, as Python's own `open` does."""
    return to if isinstance(to, Output) else Output(to, force=True, lost=lost)


def write_whole(path: str | Path, data: bytes | str, *, force: bool = False) -> None:
    """A file with this content, or an error and what was there before."""
    with Output(path, force=force) as output:
        output.write(data)


def make_folder(path: str | Path) -> Path:
    """A folder for outputs, with those around it."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise OutputError(
            f"{path}: {what}", path=os.fspath(path), hint="name another folder"
        ) from error
    return folder


def refuse_old(files: Iterable[Path], *, force: bool) -> None:
    """Before a run: files of an earlier one, in a folder of outputs, go only with `force`."""
    for file in files:
        if not force:
            hint = "choose another folder, or add --force"
            raise OutputError(f"{file}: exists already", path=str(file), hint=hint)
        try:
            file.unlink()
        except OSError as error:
            raise OutputError(f"{file}: {error.strerror}", path=str(file)) from error


class _Refused(OSError):
    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


def _stat(path: str, folder: int | None = None) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=folder)
    except FileNotFoundError:
        return None


def _follow(path: str) -> tuple[str, int | None]:
    """Where a path leads by the links of its last name, and the descriptor that it stands for."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        if name.isdigit() and os.path.realpath(folder) == f"/proc/{os.getpid()}/fd":
            return path, int(name)
        if not os.path.islink(path):
            return path, None
        path = os.path.join(folder, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _nameless(folder: int, mode: int) -> int | None:
    """A file in this folder that goes with the process; None where the host knows none."""
    flags = getattr(os, "O_TMPFILE", None)
    if flags is None or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(f"/proc/self/fd/{folder}", flags | os.O_RDWR | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None
        raise


def _partial_name(name: str) -> str:
    """Hidden, short enough for any file system, and of this moment alone."""
    return f".{name[:100]}.{os.getpid()}.{os.urandom(4).hex()}.part"
