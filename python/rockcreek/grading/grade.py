"""One submission: built, run on one core and on many, checked; never in this process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek import _native
from rockcreek.errors import HostLimit, InputError, Interrupted
from rockcreek.formats.result import Result
from rockcreek.grading import confined
from rockcreek.grading.submissions import Submission
from rockcreek.reading import documents
from rockcreek.reading import result as results

# What the compiler may take.
_BUILD_S, _BUILD_BYTES = 60, 8 << 30
# What may be written to one file: programs, results, what the guests print.
_MOST_OUTPUT = 64 << 20
# Address space beyond the memory that a run may take: host code, libraries, the chip's reserve.
_RESERVED = 32 << 30
_SAID = 400
# How often a wait for a process looks whether grading was ended.
_LOOK_S = 0.2


@dataclass(frozen=True)
class Terms:
    """The options of `rck grade` that hold for all submissions."""

    n: int
    flags: tuple[str, ...] = ("-O2", "-lrcce")
    arguments: tuple[str, ...] = ()
    check: bool = True
    timeout_s: int = 60
    memory: int = 2 << 30
    sandbox: str = "auto"
    expected: bytes | None = None
    # Set when the user ends grading: compilers and runs end at once.
    ended: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    @property
    def guards_paths(self) -> bool:
        there = self.sandbox != "off" and _native.guards_paths()
        if self.sandbox == "on" and not there:
            raise HostLimit(
                "--sandbox on: this kernel has no Landlock: paths are not guarded",
                hint="grade on a newer Linux, or take --sandbox auto and trust the submissions",
            )
        return there


@dataclass
class Grade:
    """The results of a submission: build, runs, output, findings, speed-up."""

    name: str
    sha256: str
    built: bool = False
    end: str = ""  # as in a result; empty if it never ran
    exit_code: int | None = None
    output: str = ""  # same or differs, if there is an expected one
    findings: int | None = None  # of --check coherence
    time_ps: int | None = None
    speed_up: float | None = None
    notes: list[str] = field(default_factory=list)


def grade(submission: Submission, terms: Terms) -> Grade:
    """Build it, run it, and say what came of it."""
    found = Grade(submission.name, submission.sha256)
    if submission.problem:
        found.notes.append(submission.problem)
        return found
    with tempfile.TemporaryDirectory(prefix="rck-grade-") as scratch:
        folder = Path(scratch)
        submission.copy_to(folder)
        code, said = _build(submission, folder, terms)
        found.built = code == 0 and (folder / "program").is_file()
        if not found.built:
            found.notes.append(f"does not compile: {_first(said)}" if said else "does not compile")
            return found
        many, printed = _run(folder, terms, terms.n, "many", found)
        if many is None:
            return found
        found.end, found.exit_code = many["end"], many["exit_code"]
        found.notes += [_first(text) for text in many["errors"][:2]]
        if terms.expected is not None:
            found.output = "same" if printed == terms.expected else "differs"
        if many["end"] == "exited":
            found.time_ps = many["time_ps"]
            _speed_up(folder, terms, found)
            if terms.check:
                _check(folder, terms, found)
    return found


def _speed_up(folder: Path, terms: Terms, found: Grade) -> None:
    one, _ = _run(folder, terms, 1, "one", found)
    if one is not None and one["end"] == "exited" and one["exit_code"] == 0 and found.time_ps:
        found.speed_up = round(one["time_ps"] / found.time_ps, 3)


def _check(folder: Path, terms: Terms, found: Grade) -> None:
    checked, _ = _run(folder, terms, terms.n, "checked", found, ["--check", "coherence"])
    if checked is not None:
        check = checked.get("check")
        listed = check["findings"] if check else []
        found.findings = len(listed)
        found.notes += [_first(one["title"]) for one in listed[:2]]


def _build(submission: Submission, folder: Path, terms: Terms) -> tuple[int, str]:
    words = [sys.executable, "-m", "rockcreek", "cc", *terms.flags, "-o", str(folder / "program")]
    words += [str(folder / source) for source in submission.sources]
    command = confined.command(
        words, folder,
        seconds=_BUILD_S, memory=_BUILD_BYTES, output=_MOST_OUTPUT, paths=terms.guards_paths,
    )  # fmt: skip
    return _perform(command, folder, folder / "said", _BUILD_S * 2, terms)


def _run(
    folder: Path, terms: Terms, n: int, name: str, found: Grade, more: Sequence[str] = ()
) -> tuple[Result | None, bytes]:
    """The result of a run and what it printed; None, with a note, if there is none."""
    result, printed = folder / f"{name}.json", folder / f"{name}.out"
    words = [
        sys.executable, "-m", "rockcreek", "run", "-q", "--tag", "none", "-n", str(n), "--sandbox",
        terms.sandbox, "--timeout", f"{terms.timeout_s}s", "--memory-limit", str(terms.memory),
        "--json", str(result), *more, str(folder / "program"), *terms.arguments,
    ]  # fmt: skip
    command = confined.command(
        words, folder,
        seconds=2 * terms.timeout_s + 30, memory=terms.memory + _RESERVED, output=_MOST_OUTPUT,
        paths=terms.guards_paths,
    )  # fmt: skip
    code, said = _perform(command, folder, printed, 2 * terms.timeout_s + 60, terms)
    try:
        return results.load_run(str(result)), documents.data(printed, most=_MOST_OUTPUT)
    except InputError:
        found.notes.append(f"no result on {n} cores: {_first(said)} (exit code {code})")
        return None, b""


def _perform(
    command: list[str], folder: Path, printed: Path, limit_s: float, terms: Terms
) -> tuple[int, str]:
    """Runs it in a group of its own, which ends with it; its code, and the end of its stderr."""
    if terms.ended.is_set():
        raise Interrupted("grading was ended", waiting=[])
    said = folder / f"{printed.name}.err"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    out, err = os.open(printed, flags, 0o600), os.open(said, flags, 0o600)
    try:
        process = subprocess.Popen(
            command, cwd=folder, env=confined.environment(folder), stdin=subprocess.DEVNULL,
            stdout=out, stderr=err, start_new_session=True,
        )  # fmt: skip
    finally:
        os.close(out)
        os.close(err)
    deadline = time.monotonic() + limit_s
    try:
        while time.monotonic() < deadline and not terms.ended.is_set():
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_S)
                break
    finally:
        # The processes that the command has left behind are in its group, and end with it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if terms.ended.is_set():
        raise Interrupted("grading was ended", waiting=[])
    text = said.read_bytes()[-(1 << 16) :].decode(errors="replace")
    return process.returncode, text.replace(f"{folder}/", "")


def _first(text: str) -> str:
    """The first line with an error of a text, or its first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if "error" in line.lower()] or lines
    return named[0][:_SAID] if named else ""
