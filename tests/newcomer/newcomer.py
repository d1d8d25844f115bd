"""`make newcomer`: the way of somebody who has a wheel and nothing else, with a clock beside it.

An empty virtual environment and an empty HOME; pip installs the wheel, without its cache. After
that the network is cut off (a network namespace of its own) and no other program is on the PATH: no
compiler, no git. Then comes what the guide's first pages say; docs/newcomer.md is written.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/newcomer.md"
# How soon what must be there, in seconds after the beginning of `pip install`.
LIMITS = {
    "an explained run of 48 cores": 60.0,
    "a program of MPI": 120.0,
    "the first picture": 180.0,
    "one page of a watched run": 600.0,
}
MPI = "a program of MPI"
PROBE = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"


@dataclass(frozen=True)
class Step:
    """One command of the way, and what must be there after it."""

    told: str
    command: str
    leaves: str | None = None
    reaches: str | None = None


# A program of MPI as one types it.
SUM = """printf '%s\\n' '#include <mpi.h>' '#include <stdio.h>' \\
  'int main(int argc, char **argv)' '{' \\
  'int rank, sum;' 'MPI_Init(&argc, &argv);' 'MPI_Comm_rank(MPI_COMM_WORLD, &rank);' \\
  'MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);' \\
  'if (rank == 0) printf("sum %d\\n", sum);' 'return MPI_Finalize();' '}' > sum.c"""
STEPS = (
    Step("is all there?", "rck doctor"),
    Step(
        "48 cores",
        'rck run -q -n 48 --messages --json r.json "$(rck examples stencil)"',
        "r.json",
    ),
    Step("why so long?", "rck why r.json", reaches="an explained run of 48 cores"),
    Step("MPI", SUM, "sum.c"),
    Step("compile it", "rck mpicc -O2 sum.c -o sum", "sum"),
    Step("run it", "rck mpirun -q -n 8 sum", reaches=MPI),
    Step(
        "a picture",
        "rck plot die r.json --metric waiting --out die.svg",
        "die.svg",
        "the first picture",
    ),
    Step(
        "the same, watched",
        "rck run -q -n 48 --messages --power --profile p.json --trace run.pftrace --json run.json "
        '"$(rck examples stencil)"',
        "p.json",
    ),
    Step("where the cycles went", "rck profile p.json"),
    Step(
        "one page",
        "rck view run.json --profile p.json --output run.html",
        "run.html",
        "one page of a watched run",
    ),
    Step("a source", "rck examples hello --output mine", "mine/hello.c"),
    Step("compile it", "rck cc mine/hello.c -lrcce -o mine/again", "mine/again"),
    Step("run it", "rck run -q -n 4 mine/again"),
    Step("an exercise", "rck lesson ring", "ring.c"),
    Step("the guide", "rck guide --search 'critical path'"),
    Step("a published measurement", "rck repro --quick -q pingpong"),
)


def main() -> int:
    """The way, step by step; the exit code says whether all of it went well and in time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="the wheel  [default: the one in dist/]")
    wheel = parser.parse_args().wheel or newest_wheel()
    with tempfile.TemporaryDirectory(prefix="rck-newcomer-") as name:
        home = Path(name)
        begun = time.monotonic()
        install(home, wheel)
        rows = [("`pip install rockcreek-*.whl`", time.monotonic() - begun)]
        print(f"{rows[-1][1]:6.1f} s  pip install {wheel.name}", flush=True)
        cut_off = no_network()
        if cut_off:
            assert_cut_off(home, cut_off)
        reached: dict[str, float] = {}
        steps = STEPS if carries_mpi(wheel) else without_mpi()
        for step in steps:
            started = time.monotonic()
            run(home, step, cut_off)
            shown = step.command if step.command != SUM else "printf ... > sum.c"
            rows.append((f"`{shown}`", time.monotonic() - started))
            print(f"{rows[-1][1]:6.1f} s  {shown}", flush=True)
            if step.reaches:
                reached[step.reaches] = time.monotonic() - begun
    late = {what: spent for what, spent in reached.items() if spent > LIMITS[what]}
    PAGE.write_text(page(wheel, rows, reached, bool(cut_off)), encoding="utf-8")
    print("; ".join(f"{what} after {spent:.0f} s" for what, spent in reached.items()))
    return 1 if late else 0


def carries_mpi(wheel: Path) -> bool:
    """Whether `make mpi` was run before `make wheel`."""
    there = "rockcreek/_mpi/lib/libmpi.a" in zipfile.ZipFile(wheel).namelist()
    if not there:
        print("newcomer: a wheel without MPI (`make mpi` comes before it)", flush=True)
    return there


def without_mpi() -> tuple[Step, ...]:
    """The steps without those of MPI, which stand together."""
    begin = next(n for n, step in enumerate(STEPS) if step.command == SUM)
    end = next(n for n, step in enumerate(STEPS) if step.reaches == MPI)
    return (*STEPS[:begin], *STEPS[end + 1 :])


def newest_wheel() -> Path:
    """What `make wheel` has made."""
    found = sorted((ROOT / "dist").glob("rockcreek-*.whl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit("newcomer: no wheel in dist/: `make wheel` makes it")
    return found[-1]


def install(home: Path, wheel: Path) -> None:
    """An environment of its own; pip may use the network here, and nothing of its cache."""
    subprocess.run([sys.executable, "-m", "venv", home / "env"], check=True)
    pip = [home / "env/bin/python", "-m", "pip", "install", "--quiet", "--no-cache-dir"]
    subprocess.run([*pip, "--disable-pip-version-check", wheel], check=True, cwd=home)


def no_network() -> list[str]:
    """The command that runs another one without a network; none if this host has no such."""
    unshare = shutil.which("unshare")
    command = [unshare or "", "--map-root-user", "--net"]
    if (
        unshare
        and subprocess.run([*command, "true"], check=False, capture_output=True).returncode == 0
    ):
        return command
    print("newcomer: no unshare(1) here: the network stays on", flush=True)
    return []


def assert_cut_off(home: Path, cut_off: list[str]) -> None:
    """A program that asks the network fails at once."""
    probe = [*cut_off, home / "env/bin/python", "-c", PROBE]
    done = subprocess.run(probe, check=False, capture_output=True, text=True)
    if "unreachable" not in done.stderr:
        raise SystemExit(f"newcomer: the network is not cut off\n{done.stderr}")


def run(home: Path, step: Step, cut_off: list[str]) -> None:
    """One command; only the environment's own programs are on the PATH."""
    work = home / "work"
    work.mkdir(exist_ok=True)
    environment = {"HOME": str(home), "PATH": str(home / "env/bin"), "LANG": "C.UTF-8"}
    shell = ["/bin/sh", "-c", step.command]
    done = subprocess.run(
        [*cut_off, *shell], cwd=work, env=environment, check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SystemExit(f"newcomer: {step.command}\n{done.stdout}{done.stderr}")
    if step.leaves is not None and not (work / step.leaves).stat().st_size:
        raise SystemExit(f"newcomer: {step.command}: {step.leaves} is empty")


def page(
    wheel: Path, rows: list[tuple[str, float]], reached: dict[str, float], cut_off: bool
) -> str:
    """docs/newcomer.md."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(
        git, cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    megabytes = wheel.stat().st_size / 1e6
    network = (
        "After `pip install` the network was cut off (`unshare --net`)."
        if cut_off
        else "The network was not cut off: this host has no `unshare`."
    )
    mpi = "" if MPI in reached else "\nThe wheel was made without MPI.\n"
    where = (
        f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, "
    )
    where += f"load average {os.getloadavg()[0]:.1f}"
    there = "\n".join(
        f"{what.capitalize()} was there after **{spent:.0f} s** (at most {LIMITS[what]:.0f});"
        for what, spent in reached.items()
    ).removesuffix(";")
    text = f"""# A newcomer's way

Written by `make newcomer`: an empty Python environment, the wheel ({megabytes:.0f} MB), an empty
HOME, and on the PATH nothing but that environment: no compiler of the host. {network}

{there}.
{where}, {commit}, {datetime.date.today().isoformat()}.
{mpi}
| command | s |
| --- | --: |
"""
    return text + "".join(f"| {command} | {spent:.1f} |\n" for command, spent in rows)


if __name__ == "__main__":
    sys.exit(main())
