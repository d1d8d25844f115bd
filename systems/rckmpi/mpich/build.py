"""`make mpi`: fetches MPICH, puts our channel into it, configures and builds it with `rck cc`.

All lies in build/mpi; `rck mpicc` takes headers and library from build/mpi/install. Each step says
what it does and how long it took, and what is done is not done again: after an interruption the
same command goes on.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shlex
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from build_backend import own_names  # noqa: E402
from scripts.foreign import NICE, StepError, Steps, put, run, tools  # noqa: E402
from scripts.packages import FetchError, Shelf  # noqa: E402

from rockcreek.toolchain import built, mpi  # noqa: E402
from rockcreek.toolchain.paths import find_toolchain  # noqa: E402

CHANNEL = HERE / "channel"
EMPTY = "typedef int rckmpi_has_nothing_here;\n"
STEPS = Steps("mpi")
say, timed = STEPS.say, STEPS.timed


def put_channel(source: Path, build: Path, description: dict[str, Any]) -> None:
    """Our files into the place of those of ch3:sock; a changed header makes everything anew."""
    folder = source / description["folder"]
    ours = {}
    for path in [*sorted(CHANNEL.glob("include/*.h")), *sorted(CHANNEL.glob("src/*.c"))]:
        name = str(path.relative_to(CHANNEL))
        ours[path] = folder / description["names"].get(name, name)
    kept = {*ours.values(), *(source / name for name in description["empty"])}
    for path in [*folder.glob("src/*.c"), *folder.glob("include/*.h")]:
        if path not in kept:
            path.unlink()
    for name in description["empty"]:
        put(source / name, EMPTY)
    changed = False
    for path, target in ours.items():
        if target.is_file() and filecmp.cmp(path, target, shallow=False):
            continue
        target.write_bytes(path.read_bytes())
        changed |= path.suffix == ".h"
    if changed and (build / "Makefile").is_file():
        say("a header of the channel has changed: all is compiled anew")
        run(["make", "clean"], build, build.parent / "clean.log")


def configure(source: Path, build: Path, options: list[str], variables: dict[str, str]) -> None:
    command = [str(source / "configure"), f"--prefix={build.parent / 'install'}", *options]
    command += [f"{name}={value}" for name, value in variables.items()]
    stamp = build / ".configured"
    if stamp.is_file() and stamp.read_text() == repr(command):
        return
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    log = build.parent / "configure.log"
    timed(
        f"configuring (two minutes on an idle host; {log.relative_to(ROOT)})",
        lambda: run([*NICE, *command], build, log),
    )
    stamp.write_text(repr(command))


def compile_all(build: Path, jobs: int) -> None:
    """The library and what it contains; make's default would link programs, too."""
    log = build.parent / "make.log"
    folders = ["src/mpl", "modules/json-c"]
    parts = [["-C", name] for name in folders]
    parts += [["-C", "src/mpi/romio", "libromio.la"], ["lib/libmpi.la"]]
    script = " && ".join(shlex.join(["make", f"-j{jobs}", *part]) for part in parts)
    timed(
        f"compiling 800 files (six minutes of a processor; {log.relative_to(ROOT)})",
        lambda: run([*NICE, "sh", "-c", script], build, log),
    )


def install(source: Path, build: Path, target: Path, digest: str, licences: dict[str, str]) -> None:
    """The library, which of our sources it has, the headers that programs see, and licences."""
    (target / "lib").mkdir(parents=True, exist_ok=True)
    (target / "include").mkdir(exist_ok=True)
    library = target / "lib/libmpi.a"
    shutil.copy2(build / "lib/.libs/libmpi.a", library)
    own_names.change(library, find_toolchain().lib)
    put(target / "lib" / built.STAMP, f"{digest}\n")
    for folder in (build, source):
        for name in (
            "src/include/mpi.h",
            "src/include/mpi_proto.h",
            "src/mpi/romio/include/mpio.h",
        ):
            if (folder / name).is_file():
                shutil.copy2(folder / name, target / "include")
    (target / "licences").mkdir(exist_ok=True)
    for part, name in licences.items():
        shutil.copy2(source / name, target / "licences" / f"{part}.txt")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mpi")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 8))
    options = parser.parse_args()
    description = tomllib.loads((HERE / "mpich.toml").read_text())
    folder, build = options.folder, options.folder / "build"
    try:
        source = Shelf(folder, "mpi").provide("mpich", description["package"])
        digest = mpi.SOURCES.digest()
        put_channel(source, build, description["channel"])
        variables = {**tools(folder / "bin"), "NM": "nm", "CFLAGS": "-O2"}
        configure(source, build, description["configure"]["options"], variables)
        compile_all(build, options.jobs)
        install(source, build, folder / "install", digest, description["licences"])
    except (FetchError, StepError) as error:
        say(str(error))
        return 1
    say("MPI is there: rck mpicc prog.c -o prog, then rck mpirun -n 48 prog")
    return 0


if __name__ == "__main__":
    sys.exit(main())
