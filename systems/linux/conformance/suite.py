"""busybox's own tests of one of its programs: on a core under Linux, and on this host.

Both take the same busybox, the one that `make linux` has built, and the files of its sources. A
core has them from the folder that the host shares, and unpacks them into its own memory: the file
service has no links and no owners.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

# Seconds of the host that all tests of one program may take.
CORE_S = 1800
HOST_S = 300
ENDED = "all tests have been run"
_OUTCOMES = {"PASS": "passed", "FAIL": "failed", "SKIPPED": "skipped", "UNTESTED": "skipped"}
_LINE = re.compile(rf"({'|'.join(_OUTCOMES)}): (.*)")
_RULER = "======================"
_LONGEST = 600
_FILES = "suite.tar"
# What a tester types: busybox's own runner, for one of its programs.
_TYPED = f"cd testsuite && ECHO=echo VERBOSE=1 sh ./runtest -v $1; echo {ENDED}"
_ON_A_CORE = f"""\
mkdir /tmp/busybox && cd /tmp/busybox && tar xf /host/{_FILES} && cp /bin/busybox . || exit 1
{_TYPED}
"""


class Outcome(TypedDict):
    test: str
    outcome: str
    said: str


@dataclass(frozen=True)
class Place:
    """The sources that `make linux` has built busybox in, and a folder for what runs."""

    source: Path
    folder: Path

    @property
    def tests(self) -> Path:
        return self.source / "testsuite"


def programs(tests: Path) -> list[str]:
    """The programs that have tests: a folder of scripts, or a file."""
    folders = {path.name for path in tests.iterdir() if path.is_dir()}
    files = {path.stem for path in tests.glob("*.tests")}
    return sorted(folders | files)


def read(told: str) -> list[Outcome]:
    """The results, by what the runner wrote; the lines behind a failure are what it said."""
    found: list[Outcome] = []
    failed: Outcome | None = None
    for line in told.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            found.append(Outcome(test=match[2], outcome=_OUTCOMES[match[1]], said=""))
            failed = found[-1] if found[-1]["outcome"] == "failed" else None
        elif line == _RULER:
            failed = None
        elif failed is not None:
            failed["said"] = f"{failed['said']}\n{line}"[-_LONGEST:].strip()
    if ENDED not in told.splitlines():
        found.append(Outcome(test="the end", outcome="not ended", said=told[-_LONGEST:]))
    return found


def pack(place: Place) -> None:
    """What a core unpacks."""
    place.folder.mkdir(parents=True, exist_ok=True)
    (place.folder / "tests.sh").write_text(_ON_A_CORE)
    with tarfile.open(place.folder / _FILES, "w") as archive:
        archive.add(place.tests, "testsuite")
        archive.add(place.source / ".config", ".config")


def on_a_core(place: Place, program: str, rck: list[str]) -> list[Outcome]:
    command = [*rck, "linux", "run", "-q", "--tag", "none", "--timeout", f"{CORE_S}s"]
    return read(_output([*command, "sh", "tests.sh", program], place.folder, CORE_S + 60, None))


def on_this_host(place: Place, program: str) -> list[Outcome]:
    """Every shell is busybox's own, as on a core."""
    folder = place.folder / "host" / program
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(place.tests, folder / "testsuite")
    shutil.copy(place.source / "busybox", folder)
    shutil.copy(place.source / ".config", folder)
    shell = folder / "runtest-tempdir-links/sh"
    for script in (folder / "testsuite").glob("*.tests"):
        text = script.read_bytes()
        script.write_bytes(re.sub(rb"\A#! */bin/(ba)?sh", b"#!" + os.fsencode(shell), text))
    path = f"{shell.parent}:{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(folder), "USER": os.environ.get("USER", "")}
    shell.parent.mkdir()
    for name in ("sh", "cat", "sed", "grep", "rm", "mkdir"):
        (shell.parent / name).symlink_to(folder / "busybox")
    command = [str(folder / "busybox"), "sh", "-c", _TYPED, "sh", program]
    told = _output(command, folder, HOST_S, env)
    shutil.rmtree(folder, ignore_errors=True)
    return read(told)


def _output(command: list[str], folder: Path, patience_s: float, env: dict[str, str] | None) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=patience_s, check=False,
        )  # fmt: skip
        return done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")
