"""Started Rubies, kept as snapshots: `rck ruby --started` goes on from one.

In each, every core's Ruby waits for the words of the run that goes on
(systems/ruby/lib/rck/started.rb). A snapshot's name has a digest of all that the start depends on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rockcreek import _native, resources
from rockcreek import description as descriptions
from rockcreek.consoles.console import Sink
from rockcreek.description import Description
from rockcreek.errors import InputError, UsageError
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
# Of Ruby's options those that can be obeyed later: started.rb knows them.
_WITH_VALUE = ("-e", "-r", "-I")
_ALONE = ("-w",)


def folder() -> Path:
    """Where snapshots are kept: beside the installed interpreter."""
    return ruby.folder().parent / "started"


def start(gems: str | None) -> Start:
    """What each core is given: a script that waits, and where it finds its words."""
    begun = ruby.start((_WAITS, f"{AT_PS / 1e12:g}"), gems)
    return replace(begun, mounts={**begun.mounts, FOLDER: str(make_folder(folder() / "no-words"))})


def words(given: Words, line: Sequence[str]) -> bytes:
    """What started.rb reads; `line` is Ruby's command line in the shared folder.

    >>> words(Words(ruby=["-w", "-rset"], script="a.rb"), ["-w", "-rset", "a.rb", "x"])
    b'-w\\x00\\x00-r\\x00set\\x00script\\x00a.rb\\x00argument\\x00x'
    """
    pairs: list[tuple[str, str]] = []
    options, rest = list(given.ruby), list(line[len(given.ruby) :])
    while options and (word := options.pop(0)) != "--":
        option, value = word[:2], word[2:]
        if option in _WITH_VALUE and (value or options):
            pairs.append((option, value or options.pop(0)))
        elif word in _ALONE:
            pairs.append((word, ""))
        else:
            known = ", ".join((*_WITH_VALUE, *_ALONE))
            raise UsageError(
                f"--started: Ruby reads {word} when it starts; afterwards it takes {known}",
                hint="leave --started out: a Ruby that is started now takes all options",
            )
    if given.script is not None:
        pairs.append(("script", rest.pop(0)))
    pairs += [("argument", word) for word in rest]
    return os.fsencode("\0".join(part for pair in pairs for part in pair))


def snapshot(job: Job, *, terms: TermValues, say: Callable[[str], None]) -> Path:
    """The snapshot of this start, made if it is not there."""
    description = descriptions.choose(job.chip, clocks=job.clocks, jitter=job.jitter)
    cores = choose_cores(description, job.n, job.cores)
    maker = _maker(job)
    path = folder() / f"{maker}-{len(cores)}-{_start_of(job, description, cores)}.rck"
    if path.is_file():
        return path
    for old in folder().glob("*.rck"):
        if not old.name.startswith(maker):
            old.unlink(missing_ok=True)
    noun = "core" if len(cores) == 1 else "cores"
    say(f"rck: starting Ruby on {len(cores)} {noun}, once; the chip is kept in {path}")
    heard = Sink("start")
    begun = replace(job, until_ps=AT_PS, save=path, stdout=heard, stderr=heard, force=True)
    result = execute(replace(begun, **terms))
    if result.end != END_UNTIL or heard.captured:
        path.unlink(missing_ok=True)
        if result.errors:
            raise result.errors[0]
        raise InputError(
            f"Ruby did not start: {bytes(heard.captured).decode(errors='replace')!r}",
            path=str(job.program),
            hint="without --started it says this, too, and goes on if it can",
        )
    return path


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
