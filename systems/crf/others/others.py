"""`make threads-others`: programs of threads that others wrote, unchanged, on several cores.

Each is fetched with a pinned checksum, built with `rck cc`, and run on one core and on several:
what comes out must be the same. All lies in build/threads-others.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from scripts.packages import FetchError, Shelf  # noqa: E402

BUILD = ROOT / "build/threads-others"
RCK = (sys.executable, "-m", "rockcreek")
PATIENCE_S = 1800


class DifferenceError(Exception):
    """A program that does not do here what it should, in words for the user."""


def say(text: str) -> None:
    print(f"threads-others: {text}", file=sys.stderr, flush=True)


def build(name: str, program: dict[str, Any], package: Path, more: dict[str, Path]) -> Path:
    """The program, built once for each way to build it; `more` are its libraries' folders."""
    target, stamp = BUILD / f"{name}.elf", BUILD / f"{name}.command"
    left_out = {path for word in program.get("exclude", []) for path in package.glob(word)}
    sources = [
        str(path.relative_to(package))
        for word in program["sources"]
        for path in sorted(package.glob(word))
        if path not in left_out
    ]
    for library, folder in more.items():
        sources += [str(folder / word) for word in program["with"][library]]
    flags = [_with_folders(word, more) for word in program["flags"]]
    command = [*RCK, "cc", *sources, *flags, "-o", str(target)]
    if not target.is_file() or not stamp.is_file() or stamp.read_text() != repr(command):
        say(f"building {name}: {len(sources)} sources")
        subprocess.run(command, cwd=package, check=True)
        stamp.write_text(repr(command))
    return target


def _with_folders(flag: str, more: dict[str, Path]) -> str:
    for library, folder in (*more.items(), ("here", HERE)):
        flag = flag.replace(f"${{{library}}}", str(folder))
    return flag


def run(program: dict[str, Any], target: Path, package: Path, cores: int) -> bytes:
    """What comes out with so many threads."""
    folder = BUILD / "shared"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arguments = []
    for word in program["arguments"]:
        if word.startswith("@/"):
            shutil.copy(package / word[2:], folder)
        name = Path(word).name if word.startswith("@/") else word
        arguments.append(name.replace("{n}", str(cores)))
    # A core for the thread that waits for those that work.
    started = max(cores, program.get("least", 1))
    command = [*RCK, "run", "-q", "-n", str(started), "--tag", "none", "--share", str(folder)]
    began = time.monotonic()
    done = subprocess.run(
        [*command, str(target), *arguments], cwd=folder, capture_output=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    if done.returncode != 0:
        raise DifferenceError(f"on {cores} cores: {done.stderr.decode(errors='replace')[-2000:]}")
    say(f"  {cores} cores: {time.monotonic() - began:.0f} s")
    return (folder / program["result"]).read_bytes()


def compare(name: str, program: dict[str, Any], package: Path, more: dict[str, Path]) -> None:
    """Checks that results are equal on one core and on several."""
    say(f"{name}: {program['title']}")
    target = build(name, program, package, more)
    alone = run(program, target, package, 1)
    for cores in program["cores"]:
        if run(program, target, package, cores) != alone:
            raise DifferenceError(f"{name}: on {cores} cores another {program['result']} than on 1")
    print(f"{name}: {len(alone)} bytes of {program['result']} are the same on 1 core and on "
          f"{', '.join(map(str, program['cores']))}")  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Programs of threads that others wrote.")
    parser.add_argument("names", nargs="*", help="of programs; all if none is named")
    names = parser.parse_args().names
    table = tomllib.loads((HERE / "others.toml").read_text(encoding="utf-8"))
    shelf = Shelf(BUILD, "threads-others")
    try:
        for name, program in table["program"].items():
            if not names or name in names:
                package, *others = (
                    shelf.provide(each, table["package"][each])
                    for each in (program["package"], *program.get("with", {}))
                )
                more = dict(zip(program.get("with", {}), others, strict=True))
                compare(name, program, package, more)
    except (FetchError, DifferenceError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"threads-others: {error}") from error


if __name__ == "__main__":
    main()
