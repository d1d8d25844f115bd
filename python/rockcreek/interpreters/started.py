"""Started Rubies, kept as snapshots, from which `rck ruby` goes on.

In each, every core's Ruby waits for the words of the run that goes on
(systems/ruby/lib/rck/started.rb). A snapshot's name has a digest of all that the start depends on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rockcreek import _native, resources
from rockcreek import description as descriptions
from rockcreek.consoles.console import Sink
from rockcreek.description import Description
from rockcreek.errors import StoppedRun
from rockcreek.interpreters import ruby
from rockcreek.interpreters.ruby import Start, Words
from rockcreek.outputs import make_folder
from rockcreek.results.result import END_UNTIL
from rockcreek.running.options import TermValues
from rockcreek.running.run_job import Job, choose_cores, execute
from rockcreek.software import mounts

# The instant of the snapshot. 48 cores of 533 MHz have started by then; slower ones have not, and
# go on starting after it.
AT_PS = 3 * 10**11
# The folder of the words, as cores see it.
FOLDER = "started"
_WAITS = "/usr/lib/ruby/site_ruby/3.1.0/rck/started.rb"
# Of Ruby's options those that can be obeyed later, and what started.rb calls them.
_WITH_VALUE = ("-e", "-r", "-I")
_ALONE = {"-w": "2", "-W": "2", "-W0": "0", "-W1": "1", "-W2": "2"}
# Snapshots of one version of Ruby, kernel and engine that are kept: the ones used last.
_MOST = 16


def folder() -> Path:
    """Where snapshots are kept: beside the installed interpreter."""
    return ruby.folder().parent / "started"


def start(gems: str | None) -> Start:
    """What each core is given: a script that waits, and where it finds its words."""
    begun = ruby.start((_WAITS, f"{AT_PS / 1e12:g}"), gems)
    return replace(begun, mounts={**begun.mounts, FOLDER: str(make_folder(folder() / "no-words"))})


def words(given: Words, line: Sequence[str]) -> bytes | None:
    """What started.rb reads; None if Ruby must be told when it starts. `line` is Ruby's command
    line in the shared folder.

    >>> words(Words(ruby=["-w", "-rset"], script="a.rb"), ["-w", "-rset", "a.rb", "x"])
    b'-W\\x002\\x00-r\\x00set\\x00script\\x00a.rb\\x00argument\\x00x'
    """
    pairs: list[tuple[str, str]] = []
    options, rest = list(given.ruby), list(line[len(given.ruby) :])
    while options and (word := options.pop(0)) != "--":
        option, value = word[:2], word[2:]
        if option in _WITH_VALUE and (value or options):
            pairs.append((option, value or options.pop(0)))
        elif word in _ALONE:
            pairs.append(("-W", _ALONE[word]))
        else:
            return None
    if given.script is not None:
        pairs.append(("script", rest.pop(0)))
    pairs += [("argument", word) for word in rest]
    return os.fsencode("\0".join(part for pair in pairs for part in pair))


def snapshot(job: Job, *, terms: TermValues, say: Callable[[str], None]) -> Path | None:
    """The snapshot of this start, made if it is not there; None if Ruby says something when it
    starts, or ends."""
    description = descriptions.choose(job.chip, clocks=job.clocks, jitter=job.jitter)
    cores = choose_cores(description, job.n, job.cores)
    maker = _maker(job)
    path = folder() / f"{maker}-{len(cores)}-{_start_of(job, description, cores)}.rck"
    if path.is_file():
        _touch(path)
        return path
    _make_room(maker)
    noun = "core" if len(cores) == 1 else "cores"
    say(f"rck: starting Ruby on {len(cores)} {noun}, once; the chip is kept in {path}")
    heard = Sink("start")
    begun = replace(job, until_ps=AT_PS, save=path, stdout=heard, stderr=heard, force=True)
    result = execute(replace(begun, **terms))
    if result.unsaved:
        raise result.unsaved[0]
    ended = any(core.reason != "running" for core in result.cores)
    if result.end == END_UNTIL and not (ended or heard.captured):
        return path
    path.unlink(missing_ok=True)
    if isinstance(error := next(iter(result.errors), None), StoppedRun):
        raise error
    return None


def _touch(path: Path) -> None:
    """Marks a snapshot as used now; one that may not be changed stays as it is."""
    with suppress(OSError):
        os.utime(path)


def _make_room(maker: str) -> None:
    """Removes snapshots of other makers, and those that were not used for longest."""
    found = sorted(folder().glob("*.rck"), key=lambda path: path.stat().st_mtime, reverse=True)
    ours = [path for path in found if path.name.startswith(maker)]
    for path in found:
        if path not in ours[: _MOST - 1]:
            path.unlink(missing_ok=True)


def _maker(job: Job) -> str:
    """A digest of what makes a snapshot: Ruby and its library, kernel, engine."""
    files = (Path(job.program), resources.kernel_path(), Path(str(_native.__file__)))
    made = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return _digest(ruby.SOURCES.digest(), *made)


def _start_of(job: Job, description: Description, cores: Sequence[int]) -> str:
    """A digest of how this start differs from others."""
    found = {
        "arguments": list(job.arguments),
        "chip": description.sha256,
        "cores": list(cores),
        "env": dict(job.env),
        "mounts": mounts.checked(job.mounts),
        "stdin": job.stdin_cores,
        "terminal": job.stdin.terminal,
    }
    return _digest(json.dumps(found, sort_keys=True))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
