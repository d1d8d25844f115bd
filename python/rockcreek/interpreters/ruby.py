"""CRuby as `make ruby` leaves it: where it is, and how `rck ruby`'s words become a run's.

The words of `rck run` come first, Ruby's own behind them, then the script and its arguments. The
script's folder is the guests' /, Ruby's library is mounted as /usr. A study's scripts start alike.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.errors import NotFoundError, UsageError
from rockcreek.toolchain.built import Sources

CHECKOUT = Path(__file__).resolve().parents[3]
SOURCES = Sources(
    "ruby", ("alone/*.[chr]*", "binding/*.[chr]*", "cruby/ruby.toml", "lib/**/*.rb"), "ruby"
)
# Which need files of the library at each start: a core reads them a tenth of a second.
QUIET = ("gems", "did_you_mean", "error_highlight")
# Options of Ruby whose value may be the next word.
_VALUES = ("-e", "-r", "-I", "-C", "-E", "-X", "--encoding", "--external-encoding",
           "--internal-encoding", "--enable", "--disable")  # fmt: skip
# With these Ruby needs no script.
_ALONE = ("-v", "--version", "--copyright", "-h", "--help")


def folder() -> Path:
    """Where Ruby is installed: RCK_RUBY, or build/ruby/install of the checkout."""
    named = os.environ.get("RCK_RUBY")
    return Path(named) if named else CHECKOUT / "build/ruby/install"


def interpreter() -> Path:
    """The program, built from the sources as they are now."""
    path = folder() / "usr/bin/ruby"
    if not path.is_file():
        raise NotFoundError(
            f"Ruby is not there: no {path}",
            path=str(path),
            hint="in a checkout, 'make ruby' fetches and builds it (an hour on a busy host, once)",
        )
    if SOURCES.stale(path):
        raise NotFoundError(
            f"{path} was not built from what systems/ruby is now",
            path=str(path),
            hint="'make ruby' builds it again; only what has changed is compiled",
        )
    return path


def usable() -> bool:
    """Whether the interpreter is there, of today's sources."""
    try:
        interpreter()
    except NotFoundError:
        return False
    return True


@dataclass(frozen=True)
class Start:
    """What a core is given with the interpreter."""

    line: tuple[str, ...]
    mounts: dict[str, str]  # folders by names in /
    env: dict[str, str]


def start(line: Sequence[str], gems: str | None = None, *, alone: bool = True) -> Start:
    """Ruby's own command line as a core gets it; `gems` is a folder of pure Ruby gems. A core is
    `alone` under our own kernel: without processes and network, as rck.rb tells who asks."""
    mounts = {"usr": str(folder() / "usr")}
    env = {"LANG": "C.UTF-8", "HOME": "/"}
    off = [f"--disable={part}" for part in QUIET]
    if gems is not None:
        mounts["gems"], env["GEM_HOME"], off = gems, "/gems", []
    first = ["-rrck"] if alone else []
    return Start((*first, *off, *line), mounts, env)


@dataclass
class Words:
    """What was given to `rck ruby`, taken apart."""

    ours: list[str] = field(default_factory=list)  # options of `rck run`
    ruby: list[str] = field(default_factory=list)  # Ruby's options
    script: str | None = None
    arguments: list[str] = field(default_factory=list)
    program_text: list[str] = field(default_factory=list)  # -e and its text: there is no script
    alone: bool = False


def take_apart(words: Sequence[str], takes: Callable[[str], int | None]) -> Words:
    """`takes`: how many more words an option of `rck run` takes; None if it is none of them.

    >>> run = {"-n": 1, "-q": 0}.get
    >>> take_apart(["-n", "4", "-q", "-w", "-r", "set", "a.rb", "-n"], run)
    Words(ours=['-n', '4', '-q'], ruby=['-w', '-r', 'set'], script='a.rb', arguments=['-n'], \
program_text=[], alone=False)
    """
    found = Words()
    rest = list(words)
    while rest and (more := takes(rest[0].partition("=")[0])) is not None:
        count = 1 if "=" in rest[0] else 1 + more
        if len(rest) < count:
            raise UsageError(f"option {rest[0]} needs a value after it")
        found.ours += rest[:count]
        del rest[:count]
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word == "--":
            found.ruby.append(word)
            break
        found.alone |= word in _ALONE
        taken = [word, *([rest.pop(0)] if word in _VALUES and rest else [])]
        found.ruby += taken
        if word.startswith("-e"):
            found.program_text += taken
    if not found.program_text and rest:
        found.script = rest.pop(0)
    found.arguments = rest
    return found


def shared(words: Words, share: str | None) -> tuple[str, list[str]]:
    """The folder that the guests see, and Ruby's command line in it."""
    if words.script is None or words.script == "-":
        inside = [] if words.script is None else [words.script]
        return share or os.curdir, [*words.ruby, *inside, *words.arguments]
    script = Path(words.script)
    if share is None:
        return str(script.parent), [*words.ruby, script.name, *words.arguments]
    try:
        name = str(script.resolve().relative_to(Path(share).resolve()))
    except ValueError:
        name = words.script
    return share, [*words.ruby, name, *words.arguments]


def is_right(words: Words) -> bool:
    """Whether each core would get past the syntax, by this host's Ruby of the same make.

    Else one core says what is wrong: 48 need not.
    """
    checked = words.program_text
    if words.script not in (None, "-"):
        if not Path(str(words.script)).is_file():
            return False
        checked = ["--", str(words.script)]
    host = folder().parent / "host-install/bin/ruby"
    if not host.is_file() or not checked:
        return True
    command = [str(host), f"--disable={','.join(QUIET)}", "-c", *checked]
    asked = subprocess.run(command, capture_output=True, check=False)
    return asked.returncode == 0
