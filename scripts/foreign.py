"""Building software of others for the chip with its own configure and make.

What `make mpi` and `make ruby` have in common: steps that say what they do and how long it took,
commands whose output goes to a file, and a compiler that configure takes for any other.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.packages import FetchError

ROOT = Path(__file__).resolve().parents[1]
RCK = str(ROOT / ".venv/bin/rck")
WRAPPER = """\
#!/bin/sh
# `rck cc`: its command for one source was asked once, for it is needed thousands of times.
for word; do
    case $word in
    -c | -E | -S) exec {compile} "$@" ;;
    esac
done
exec {link} "$@"
"""


# Before a long command: others use this host, too.
NICE = ("nice", "-n", "5")


class StepError(Exception):
    """A step that failed, in words for the user."""


class Steps:
    """What a target does, printed on stderr under its name."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def say(self, text: str) -> None:
        print(f"{self.owner}: {text}", file=sys.stderr, flush=True)

    def timed(self, text: str, work: Callable[[], object]) -> None:
        self.say(text)
        began = time.monotonic()
        work()
        self.say(f"  done in {time.monotonic() - began:.0f} s")

    def main(self, what: str | None, folder: Path, build: Callable[[Path, int], None]) -> int:
        """The target's command line: where it builds, and with how many processors."""
        parser = argparse.ArgumentParser(description=what)
        parser.add_argument("--folder", type=Path, default=folder)
        parser.add_argument("--jobs", type=int, default=2)
        options = parser.parse_args()
        try:
            options.folder.mkdir(parents=True, exist_ok=True)
            build(options.folder.resolve(), options.jobs)
        except (FetchError, StepError) as error:
            self.say(str(error))
            return 1
        except KeyboardInterrupt:
            self.say("stopped; the same command goes on")
            return 130
        return 0


def run(command: Sequence[str], folder: Path, log: Path, stdin: int | None = None) -> None:
    """One command whose output goes to a file; its end is shown when it fails."""
    with log.open("wb") as out:
        done = subprocess.run(command, cwd=folder, stdin=stdin, stdout=out, stderr=out, check=False)
    if done.returncode != 0:
        end = log.read_text(errors="replace").splitlines()[-15:]
        raise StepError("\n".join([f"{shlex.join(command[:3])} ... failed: {log}", *end]))


def put(target: Path, text: str) -> bool:
    """Writes a file unless it says so already, so that make sees true changes only."""
    if target.is_file() and target.read_text() == text:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return True


def tools(folder: Path, options: Sequence[str] = ("-g0",)) -> dict[str, str]:
    """Compiler, archiver and index writer as configure wants them; `rck cc` gets these options."""
    probe = str(folder / "probe.c")
    put(folder / "probe.c", "")
    asked = [RCK, "cc", "--show", *options, "-c", probe]
    try:
        shown = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise StepError(f"{RCK} does not work; first: make setup") from error
    words = [word for word in shlex.split(shown) if word not in ("-c", probe)]
    link = shlex.join([RCK, "cc", *options])
    put(folder / "cc", WRAPPER.format(compile=shlex.join(words), link=link))
    for name in ("ar", "ranlib"):
        put(folder / name, f'#!/bin/sh\nexec {words[0]} {name} "$@"\n')
    for name in ("cc", "ar", "ranlib"):
        (folder / name).chmod(0o755)
    return {"CC": str(folder / "cc"), "AR": str(folder / "ar"), "RANLIB": str(folder / "ranlib")}
