"""Commands on a host whose n-th call fails: how many calls there are, and what is left behind.

Which calls are meant, and how they are counted, is in shim.c. Only those count that concern files
below the test's folder, so that the number depends on rck alone.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
RCK = (sys.executable, "-m", "rockcreek")
_SECONDS = 240


@dataclass(frozen=True)
class Kind:
    """Calls that are made to fail."""

    call: str  # as shim.c names it
    error: int
    least: int = 1  # bytes of an allocation
    stays: bool = False  # also tried: all later ones fail as well
    most: int | None = None  # numbers that are tried, spread over all; None: all

    def numbers(self, count: int, most: int | None = None) -> list[int]:
        """The calls that are tried one after the other."""
        most = min(count, most if most is not None else self.most or count)
        return [1 + n * (count - 1) // max(1, most - 1) for n in range(most)]


KINDS = {
    "write": Kind("write", errno.ENOSPC, stays=True),
    "read": Kind("read", errno.EIO),
    "open": Kind("open", errno.EACCES),
    "rename": Kind("rename", errno.EROFS),
    "sync": Kind("sync", errno.EIO),
    "large allocation": Kind("allocation", errno.ENOMEM, least=1 << 16, stays=True),
    # A hundred thousand and more.
    "allocation": Kind("allocation", errno.ENOMEM, most=40),
}


@cache
def shim() -> Path | None:
    """The library that makes calls fail; None without a C compiler of the host."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    target = Path(tempfile.mkdtemp(prefix="rck-shim-")) / "shim.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", str(HERE / "shim.c"), "-o", str(target), "-ldl"],
        check=True, capture_output=True,
    )  # fmt: skip
    return target


@dataclass(frozen=True)
class Ended:
    """How a command ended on a failing host."""

    code: int
    out: str
    err: str
    count: int


@dataclass(frozen=True)
class Case:
    """A command, what lies in its folder before, and what must be true afterwards."""

    name: str
    arguments: Sequence[str]
    prepare: Callable[[Path], None]
    # What is wrong with the folder after the command has ended with this code.
    judge: Callable[[Path, int], list[str]]
    kinds: Sequence[str] = tuple(KINDS)
    codes: frozenset[int] = field(default=frozenset({0, 1, 65, 66, 71, 74}))


def run(
    case: Case, folder: Path, kind: str, at: int, *, stays: bool, meanwhile: str | None = None
) -> Ended:
    """The command in this folder; its call `at` of a kind fails, of those that are made while a
    variable of the environment is set if one is named."""
    library = shim()
    assert library is not None
    counted = folder.parent / f"{folder.name}.count"
    counted.unlink(missing_ok=True)
    meant = KINDS[kind]
    more = {"RCK_FAIL_STAYS": "1"} if stays else {}
    more |= {} if meanwhile is None else {"RCK_FAIL_WHILE": meanwhile}
    if meant.call == "allocation":
        # Python would take small ones out of large ones.
        more |= {"RCK_FAIL_LEAST": str(meant.least)}
        more |= {"PYTHONMALLOC": "malloc"} if meant.least == 1 else {}
    ended = subprocess.run(
        [*RCK, *(word.replace("{}", str(folder)) for word in case.arguments)],
        cwd=folder, capture_output=True, text=True, errors="replace", timeout=_SECONDS,
        check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, "LD_PRELOAD": str(library), "RCK_FAIL_UNDER": str(folder),
             "RCK_FAIL_KIND": meant.call, "RCK_FAIL_AT": str(at),
             "RCK_FAIL_ERROR": str(meant.error), "RCK_FAIL_COUNT": str(counted), **more},
    )  # fmt: skip
    counts = counted.read_text().split() if counted.exists() else ["0"]
    return Ended(ended.returncode, ended.stdout, ended.stderr, max(map(int, counts)))


def attempt(
    case: Case, kind: str, at: int, *, stays: bool = False, meanwhile: str | None = None
) -> tuple[Ended, list[str]]:
    """One run in a new folder, and all that is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="rck-fails-") as name:
        folder = Path(name).resolve() / "work"
        folder.mkdir()
        case.prepare(folder)
        ended = run(case, folder, kind, at, stays=stays, meanwhile=meanwhile)
        wrong = list(case.judge(folder, ended.code))
        left = [path.name for path in folder.rglob("*") if path.name.endswith((".part", ".begun"))]
    where = f"{case.name}: {kind} {at}{' and later ones' if stays else ''}: "
    if at and ended.code not in case.codes:
        wrong.append(f"exit code {ended.code}: {ended.err[-600:]}")
    if "Traceback" in ended.err or "this is a bug" in ended.err:
        wrong.append(f"traceback: {ended.err[-900:]}")
    if ended.code not in (0, 1) and not re.search(r"^rck( \w+)?: ", ended.err, re.MULTILINE):
        wrong.append(f"no message: {ended.err[-300:]!r}")
    if left:
        wrong.append(f"left behind: {left}")
    return ended, [where + one for one in wrong]
