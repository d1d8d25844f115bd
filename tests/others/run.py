"""`make others`: public programs, unchanged, by their own build systems, against this host's GCC.

Each program of `others.toml` is fetched with a pinned checksum and built twice in a copy of its
folder: with the host's compiler, and with `rck-cc`. Both run with the same arguments and files.
What they print, and the files that they write, must be the same. The next run passes over a program
that is the same, until its row changes (`--again` tries it anew). What cannot be fetched is said.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
from scripts.packages import FetchError, Shelf  # noqa: E402

TABLE = HERE / "others.toml"
PAGE = ROOT / "docs/others.md"
BUILD = ROOT / "build/others"
# By name, for the commands of a row: this host's tools, and the chip's.
NATIVE = {
    "cc": "gcc", "cxx": "g++", "ar": "ar", "ranlib": "ranlib", "configure": "", "old_configure": "",
    "cmake": "", "root": str(ROOT),
}  # fmt: skip
CHIP = {
    "cc": "rck-cc", "cxx": "rck-c++", "ar": "rck-ar", "ranlib": "rck-ranlib",
    "configure": "--host=i586-linux-musl", "old_configure": "--host=i586-linux",
    "cmake": "--toolchain $(rck cmake)", "root": str(ROOT),
}  # fmt: skip
# A machine with several processors (`processors`) takes programs of threads that share a core.
PROCESSORS = {**CHIP, "cc": "rck-cc -pthread=core", "cxx": "rck-c++ -pthread=core"}
PATIENCE_S = 1800
LAST_WORDS = 300  # characters of an error that a result keeps
SAME = "same"
LINE = "the quick brown fox jumps over the lazy dog"


class OtherError(Exception):
    """A program that does not do what it should: the step, and what was said."""

    def __init__(self, step: str, said: str) -> None:
        super().__init__(said)
        self.step = step


@dataclass(frozen=True)
class Program:
    """A row of the table."""

    name: str
    row: dict[str, Any]

    @property
    def key(self) -> str:
        """What a result belongs to."""
        return json.dumps(self.row, sort_keys=True)

    @property
    def needs(self) -> list[Program]:
        """Rows whose packages are built into it."""
        names = self.row.get("needs", [])
        return [row for row in programs() if row.name in names] if names else []

    @property
    def tools(self) -> dict[str, str]:
        """The chip's, for its build commands."""
        return PROCESSORS if "processors" in self.row else CHIP


def programs(path: Path = TABLE) -> list[Program]:
    """The rows of the table."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Program(name, row) for name, row in table["program"].items()]


def build(
    program: Program, package: Path, place: Path, tools: dict[str, str], needs: dict[str, Path]
) -> None:
    """Run a row's build commands in a copy of the package, with those that it needs inside."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(package, place, symlinks=True)
    for name, folder in needs.items():
        shutil.copytree(folder, place / name, symlinks=True)
    path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
    for command in program.row["build"]:
        words = re.sub(r"\{(\w+)\}", lambda found: tools.get(found[1], found[0]), command)
        try:
            ran = subprocess.run(
                ["bash", "-c", words], cwd=place, env={**os.environ, "PATH": path},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=PATIENCE_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise OtherError("build", f"{words}: more than {PATIENCE_S} s") from error
        if ran.returncode != 0:
            raise OtherError("build", f"{words}: {(ran.stderr or ran.stdout).strip()}")
    if not (place / program.row["program"]).is_file():
        raise OtherError("build", f"no {program.row['program']}")


def texts(row: dict[str, Any]) -> dict[str, str]:
    """The files that a row describes."""
    made = {name: "".join(f"{number} {LINE}\n" for number in range(count))
            for name, count in row.get("lines", {}).items()}  # fmt: skip
    return {**made, **row.get("texts", {})}


def run(program: Program, place: Path, *, chip: bool) -> dict[str, str]:
    """What comes out: the exit code, what is printed, and the files of the row."""
    share = place.with_name(f"{place.name}-share")
    shutil.rmtree(share, ignore_errors=True)
    (share / "tmp").mkdir(parents=True)
    own = share / Path(program.row["program"]).name
    shutil.copy(place / program.row["program"], own)
    for name in program.row.get("inputs", []):
        source = place / name
        if source.is_dir():
            shutil.copytree(source, share / source.name)
        elif source.is_file():
            shutil.copy(source, share)
        else:
            raise OtherError("run", f"the package has no {name}")
    for name, text in texts(program.row).items():
        (share / name).write_text(text, encoding="utf-8")
    # A program of the chip has its file's name as its own, so that it runs alike wherever it lies.
    command, executable = [own.name, *program.row.get("arguments", [])], own
    if chip:
        executable = Path(sys.executable).with_name("rck")
        machine = ["run", "--tag", "none", "-n", str(program.row.get("cores", 1))]
        if "processors" in program.row:
            machine = ["smp", "--memory", "48M", "-n", str(program.row["processors"])]
        command = ["rck", *machine, "-q", "--share", str(share), f"./{own.name}", *command[1:]]
    ran = subprocess.run(
        command, executable=executable, cwd=share, capture_output=True, timeout=PATIENCE_S,
        input=program.row.get("stdin", "").encode(), check=False,
    )  # fmt: skip
    lines = ran.stdout.decode(errors="replace").splitlines(keepends=True)
    timed = re.compile(program.row.get("timed", "$^"))
    told = "".join(line for line in lines if not timed.match(line))
    out = {"exit code": str(ran.returncode), "output": told}
    for name in program.row.get("files", []):
        file = share / name
        out[name] = file.read_bytes().hex() if file.is_file() else "not there"
    if chip and ran.returncode != program.row.get("exit", 0):
        raise OtherError("run", ran.stderr.decode(errors="replace").strip())
    return out


def compare(program: Program, shelf: Shelf) -> dict[str, Any]:
    """A program's result: `same`, or the step that failed and what it said."""
    began = time.monotonic()
    result: dict[str, Any] = {"key": program.key, "result": SAME, "commit": commit()}
    place = BUILD / "work" / program.name
    try:
        package = shelf.provide(program.name, program.row)
        needs = {other.name: shelf.provide(other.name, other.row) for other in program.needs}
        place.mkdir(parents=True, exist_ok=True)
        build(program, package, place / "native", NATIVE, needs)
        native = run(program, place / "native", chip=False)
        build(program, package, place / "chip", program.tools, needs)
        chip = run(program, place / "chip", chip=True)
        differs = [name for name in native if native[name] != chip[name]]
        if differs:
            short = {name: (native[name][:80], chip[name][:80]) for name in differs}
            raise OtherError("compare", f"host, chip: {short}")
    except FetchError as error:
        result |= {"result": "not fetched", "said": str(error)[-LAST_WORDS:]}
    except OtherError as error:
        result |= {"result": f"fails: {error.step}", "said": str(error)[-LAST_WORDS:]}
    except subprocess.TimeoutExpired:
        result |= {"result": "fails: run", "said": f"more than {PATIENCE_S} s"}
    return result | {"seconds": round(time.monotonic() - began)}


def page(rows: list[Program], results: dict[str, dict[str, Any]], day: str) -> str:
    """The page docs/others.md."""
    done = [results[row.name]["result"] for row in rows if row.name in results]
    missing = len(rows) - len(done)
    whys = [f"- {row.name}: {row.row['why']}" for row in rows if "why" in row.row]
    lines = [
        "# Programs of others",
        "",
        "`make others` fetches public programs and builds them unchanged, by their own build",
        "systems, with `rck-cc` and with this host's GCC. It runs both, and compares what they",
        "print and write.",
        "",
        "The set is chosen; its last four were in a draw of small programs. Left out are programs",
        "whose source the mirror lacks, that need a tool which this host lacks, that print a date",
        "or how they were called (dialign), or that GCC 12 does not build as they are (probcons).",
        "",
        f"{day}: {done.count(SAME)} of {len(rows)} are the same"
        + (f", {missing} not tried." if missing else "."),
        "",
        "| program | version | from | licence | result | at commit |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        result = results.get(row.name, {"result": "not tried", "commit": ""})
        lines.append(
            f"| {row.row['name']} | {row.row['version']} | {row.row['registry']} | "
            f"{row.row['licence']} | {result['result']} | {result['commit']} |"
        )
    if whys:
        lines += ["", "Why:", "", *whys]
    return "\n".join(lines) + "\n"


def commit() -> str:
    """The checkout's commit, in short."""
    ran = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return ran.stdout.strip()


def main() -> int:
    """The command line; 1 if a program that was tried is not the same."""
    parser = argparse.ArgumentParser(description="Public programs, against this host's compiler.")
    parser.add_argument("names", nargs="*", help="of programs; all if none is named")
    parser.add_argument("--again", action="store_true", help="also what has a result")
    parser.add_argument("--page", action="store_true", help="write docs/others.md from results")
    arguments = parser.parse_args()
    rows = programs()
    store = BUILD / "results.json"
    results = json.loads(store.read_text()) if store.is_file() else {}
    results = {row.name: results[row.name] for row in rows
               if results.get(row.name, {}).get("key") == row.key}  # fmt: skip
    shelf = Shelf(BUILD, "others")
    for row in rows:
        if arguments.names and row.name not in arguments.names:
            continue
        if row.name not in results or arguments.again or results[row.name]["result"] != SAME:
            results[row.name] = compare(row, shelf)
            BUILD.mkdir(parents=True, exist_ok=True)
            store.write_text(json.dumps(results, indent=1, sort_keys=True))
        said = results[row.name].get("said", "")
        words = [row.name, results[row.name]["result"], *([said] if said else [])]
        print(": ".join(words), flush=True)
    if arguments.page:
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        PAGE.write_text(page(rows, results, day), encoding="utf-8")
    bad = [name for name, result in results.items() if result["result"] != SAME]
    print(f"others: {len(results) - len(bad)} of {len(rows)} are the same", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
