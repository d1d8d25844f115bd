"""The rest of a run of Ruby, from a kept snapshot of a chip on which Ruby has started."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rockcreek.cli.commands.run import parse_variables, run
from rockcreek.cli.common import say
from rockcreek.errors import OutputError

if TYPE_CHECKING:
    from rockcreek.cli.given import RunParams
    from rockcreek.interpreters.ruby import Start, Words
    from rockcreek.running.options import TermValues

# Options of `rck run` that belong to the start of a program: each combination has a snapshot.
OF_A_START = (
    "-n", "-np", "--cores", "--chip", "--clocks", "--jitter", "--env", "--mount", "--stdin",
)  # fmt: skip
# With one of these Ruby starts in the run itself: it is to be seen, changed or saved from there.
FROM_THE_START = (
    "-nue", "-f", "-clock", "--threads-model", "--reserve", "--reserve-program", "--strace",
    "--until", "--roi", "--check", "--fault", "--commit-log", "--gdb", "--save", "--restore",
)  # fmt: skip


@dataclass(frozen=True)
class Rest:
    """What is to be done by a Ruby that has started."""

    name: str  # of the command
    program: Path
    options: Sequence[str]  # of `rck run`
    takes: Callable[[str], int | None]  # how many words an option takes
    words: Words
    seen: tuple[str, Sequence[str]]  # by the guests: a folder, Ruby's command line in it
    gems: str | None

    def go_on(self) -> int | None:
        """The exit code; None if Ruby has to start in this run."""
        from rockcreek.cli.scratch import scratch
        from rockcreek.interpreters import started
        from rockcreek.outputs import write_whole

        folder, line = self.seen
        text = started.words(self.words, line)
        if text is None or split(self.options, FROM_THE_START, self.takes)[0]:
            return None
        of_start, others = split(self.options, OF_A_START, self.takes)
        try:
            path = self._kept(of_start, others, started.start(self.gems))
        except OutputError as error:
            say(f"rck: no snapshot of a started Ruby is kept, so it starts in this run: {error}")
            return None
        if path is None:
            return None
        with scratch("rck-words-") as place:
            write_whole(Path(place, "words"), text)
            words = [*others, "--restore", str(path), "--share", folder]
            words += ["--mount", f"{place}=/{started.FOLDER}"]
            return int(run.main(words, prog_name=self.name, standalone_mode=False) or 0)

    def _kept(self, of_start: Sequence[str], others: Sequence[str], start: Start) -> Path | None:
        """The snapshot in which Ruby has started with these options of `rck run`."""
        from rockcreek.consoles.guest_input import FdSource, MemorySource
        from rockcreek.interpreters import started
        from rockcreek.running.host_limits import allow_open_files
        from rockcreek.running.run_job import Job
        from rockcreek.software import mounts
        from rockcreek.units import PS_PER_SECOND

        words = [*of_start, *others, str(self.program)]
        given = cast("RunParams", run.make_context(self.name, words).params)
        job = Job(
            self.program,
            start.line,
            n=given["n"],
            cores=given["cores"],
            chip=given["chip"],
            clocks=given["clocks"],
            jitter=given["jitter"],
            share=start.mounts[started.FOLDER],
            mounts={**mounts.parse(given["mounted"]), **start.mounts},
            env={**start.env, **parse_variables(tuple(given["env"]))},
            stdin=MemorySource(b"", terminal=FdSource(0).terminal),
            stdin_cores=given["stdin_cores"],
        )
        allow_open_files()
        timeout, quiet = given["timeout"], given["quiet"]
        terms: TermValues = {
            "threads": given["threads"],
            "timeout_s": None if timeout is None else timeout / PS_PER_SECOND,
            "memory_limit": given["memory_limit"],
            "progress": not quiet,
            "say": say,
        }
        return started.snapshot(job, terms=terms, say=(lambda _: None) if quiet else say)


def split(
    words: Sequence[str], names: Collection[str], takes: Callable[[str], int | None]
) -> tuple[list[str], list[str]]:
    """The options of these names with their values, and all others with theirs.

    >>> split(["-n", "2", "-q", "--env=A=1"], ["-n", "--env"], {"-n": 1, "--env": 1}.get)
    (['-n', '2', '--env=A=1'], ['-q'])
    """
    named: list[str] = []
    others: list[str] = []
    rest = list(words)
    while rest:
        option, equals, _ = rest[0].partition("=")
        count = 1 if equals else 1 + (takes(option) or 0)
        (named if option in names else others).extend(rest[:count])
        del rest[:count]
    return named, others
