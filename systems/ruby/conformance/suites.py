"""Ruby's own tests, one unit at a time: what is run, and the result of each of its tests.

A unit is a file of tests. Its result is a list of tests: name, outcome, and what was said.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from one_start import RCK, save

HERE = Path(__file__).resolve().parent
SNIPPET_S = 120  # of the host, for one snippet of bootstraptest
START_S = 300  # for one start of the interpreter with a file of test/
FILE_S = 1200  # for all starts of such a file
BENCHMARK_S = 7200
# The benchmarks of threads, and the ones that the publication measured.
BENCHMARKS = (
    "vm_thread_*.rb",
    *(f"app_{name}.rb" for name in ("answer", "factorial", "fib", "mandelbrot", "pentomino",
                                    "raise", "strconcat", "tak", "tarai", "uri")),
)  # fmt: skip
NEEDS_PROCESSES = "a core starts no processes"
_SECTION = re.compile(r'^test_check "system"\n.*?(?=^test_check )', re.M | re.S)
_BASIC = re.compile(r"^(ok|not ok)\b(.*)$", re.M)
_SNIPPET = re.compile(r"#(\d+) (test_\w+\.rb:\d+)[^\n]*? ([.FE])(?: [\d.]+)?$", re.M)
_NOT_LOADED = re.compile(r"cannot load such file -- .*")
_TOLD = re.compile(
    r"^#(\d+) test_\w+\.rb:\d+:in [^\n]*?': (.*?)(?=^#\d+ test_|^FAIL |\Z)", re.M | re.S
)

Result = dict[str, str]


@dataclass(frozen=True)
class Unit:
    suite: str
    path: Path  # in the source tree

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.path.name}"


@dataclass(frozen=True)
class Place:
    """The source tree, this host's Ruby of the same sources, a snapshot of a started one, limit."""

    source: Path
    host_ruby: Path
    snapshot: Path
    file_s: int | None = None  # of this host, for a file, if not as above

    def save(self) -> None:
        """Starts an interpreter for bootstraptest."""
        with tempfile.TemporaryDirectory() as folder:
            save(self.snapshot, Path(folder))


def every_unit(source: Path) -> Iterator[Unit]:
    yield Unit("basictest", source / "basictest/test.rb")
    for name in BENCHMARKS:
        for path in sorted((source / "benchmark").glob(name)):
            yield Unit("benchmark", path)
    for suite in ("bootstraptest", "test/ruby", "test/ruby/enc", "test/drb", "test/rinda"):
        for path in sorted((source / suite).glob("test_*.rb")):
            yield Unit(suite, path)


def judge(unit: Unit, place: Place) -> list[Result]:
    """Runs a unit's tests."""
    kinds: dict[str, Callable[[Unit, Place], list[Result]]] = {
        "basictest": basic,
        "benchmark": program,
        "bootstraptest": bootstrap,
    }
    return kinds.get(unit.suite, by_unit)(unit, place)


def run(words: list[str], seconds: float, **options: Any) -> tuple[int | None, str]:
    """Exit code (None: it has not ended), and all it said."""
    options = {"stderr": subprocess.STDOUT, **options}
    try:
        done = subprocess.run(
            words, stdout=subprocess.PIPE, text=True, errors="replace", check=False,
            stdin=subprocess.DEVNULL, timeout=seconds, **options,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
        return None, said.decode(errors="replace") if isinstance(said, bytes) else said
    return done.returncode, done.stdout


def basic(unit: Unit, place: Place) -> list[Result]:
    """One program of all checks, without the section that starts processes."""
    text = unit.path.read_text(encoding="utf-8")
    section = _SECTION.search(text)
    left_out = section[0].count("test_ok(") if section else 0
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "test.rb"
        script.write_text(_SECTION.sub("", text), encoding="utf-8")
        line = [*RCK, "ruby", "-q", "-W1", str(script)]
        code, said = run(line, START_S, stderr=subprocess.DEVNULL)
    results = [
        {"test": f"check {number}", "outcome": "passed" if word == "ok" else "failed", "said": rest}
        for number, (word, rest) in enumerate(_BASIC.findall(said), 1)
        if not rest.startswith("/test")
    ]
    results += [
        {"test": f"system {n + 1}", "outcome": "failed", "said": NEEDS_PROCESSES}
        for n in range(left_out)
    ]
    if code != 0 or "end of test" not in said:
        results.append({"test": "the end", "outcome": "failed", "said": f"{code}: {said[-300:]}"})
    return results


def program(unit: Unit, place: Place) -> list[Result]:
    """A benchmark passes if it ends without an error; said is the chip's time."""
    limit = place.file_s or BENCHMARK_S
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        line = [*RCK, "ruby", "-q", "--timeout", f"{limit}s", "--stdin", "none"]
        code, said = run([*line, "--json", str(told), str(unit.path)], limit + 60)
        if code == 0:
            said = f"{json.loads(told.read_text())['time_ps'] / 1e12:.2f} s"
    if code in (None, 75):
        said = f"not within {limit} s of this host"
    outcome = {0: "passed", 75: "not ended", None: "not ended"}.get(code, "failed")
    return [{"test": unit.path.stem, "outcome": outcome, "said": short(said)}]


def bootstrap(unit: Unit, place: Place) -> list[Result]:
    """Each snippet is a start of its own: the unmodified runner on this host starts the chip."""
    target = f"--ruby={sys.executable} {HERE / 'one_start.py'} {place.snapshot} {SNIPPET_S}"
    with tempfile.TemporaryDirectory() as folder:
        line = [str(place.host_ruby), str(place.source / "bootstraptest/runner.rb")]
        line += [target, "--verbose", "--quiet", "--color=never", f"--dir={folder}/work"]
        _code, said = run([*line, str(unit.path)], 4 * 3600, env={**os.environ, "RUBYOPT": ""})
    if "changed since the snapshot" in said:
        sys.exit("ruby-conformance: Ruby was built anew meanwhile: start the same command again")
    return read_snippets(said)


def read_snippets(said: str) -> list[Result]:
    """The results in what the runner of bootstraptest said."""
    told = dict(_TOLD.findall(said))
    found = list(_SNIPPET.finditer(said))
    results = []
    ends = [*(one.start() for one in found[1:]), len(said)]
    for match, end in zip(found, ends, strict=True):
        number, where, sign = match.groups()
        # Behind its line stands what a snippet that failed wrote on stderr.
        words = "" if sign == "." else f"{told.get(number, '')} {said[match.end() : end]}"
        outcome = "passed" if sign == "." else "failed"
        results.append({"test": f"{where} #{number}", "outcome": outcome, "said": short(words)})
    if not re.search(r"^(PASS all|FAIL|No tests)", said, re.M):
        results.append({"test": "the end", "outcome": "failed", "said": said[-300:]})
    return results


def short(text: str) -> str:
    return " ".join(text.split())[:400]


def by_unit(unit: Unit, place: Place) -> list[Result]:
    """A file of test/ in few starts: what has ended the interpreter is not begun again."""
    results: dict[str, Result] = {}
    file_s = place.file_s or FILE_S
    until = time.monotonic() + file_s

    def note(name: str, outcome: str, said: str) -> None:
        results[name] = {"test": name, "outcome": outcome, "said": short(said)}

    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder)
        (share / "tmp").mkdir()
        (share / "unit.rb").write_text((HERE / "unit.rb").read_text())
        while True:
            (share / "done.txt").write_text("".join(f"{name}\n" for name in results))
            (share / "told.txt").write_text("")
            code, said = start(unit, place, share, min(START_S, until - time.monotonic()))
            told = (share / "told.txt").read_text(encoding="latin-1")
            begun, ended = read_told(told, results)
            late = code in (None, 75)
            if begun is None and not late:
                # The exit code is the number of failures.
                if not re.search(r"^\d+ tests, ", said, re.M):
                    note("the end", "failed", f"exit code {code}: {said[:150]} {said[-200:]}")
                elif not results and (missing := _NOT_LOADED.search(said)):
                    note("the file", "failed", missing[0])
                break
            if begun and not late:
                note(begun, "failed", f"exit code {code}: {said[-300:]}")
            # What was cut off by the limit runs once more, first of all.
            elif begun and not ended:
                note(begun, "not ended", f"not within {START_S} s of this host")
            if time.monotonic() > until - 10:
                note("the rest", "not ended", f"{file_s} s of this host were over in {begun}")
                break
    return list(results.values())


def start(unit: Unit, place: Place, share: Path, seconds: float) -> tuple[int | None, str]:
    """Ruby's runner with a file of test/, on one core."""
    line = [*RCK, "ruby", "-q", "--timeout", f"{seconds:.0f}s", "--stdin", "none"]
    line += ["--mount", f"{place.source}=/src", "--env", "RUBY=/usr/bin/ruby"]
    line += ["--env", "PATH=/usr/bin"]
    line += ["--env", "RUBY_TEST_TIMEOUT_SCALE=10", str(share / "unit.rb"), "-v"]
    line += ["--color=never", "--test-order=sorted"]
    return run([*line, f"/src/{unit.path.relative_to(place.source)}"], seconds + 60)


def read_told(text: str, results: dict[str, Result]) -> tuple[str | None, int]:
    """Adds what ended to the results; the test that had begun and not ended, and how many ended.

    >>> results = {}
    >>> read_told("begin\\tA#a\\nend\\tA#a\\tfailed\\tno\\nbegin\\tA#b\\n", results)
    ('A#b', 1)
    >>> results
    {'A#a': {'test': 'A#a', 'outcome': 'failed', 'said': 'no'}}
    """
    begun, ended = None, 0
    for line in text.splitlines():
        kind, name, *rest = line.split("\t")
        if kind == "begin":
            begun = name
            continue
        said = rest[1] if len(rest) > 1 else ""
        results[name] = {"test": name, "outcome": rest[0], "said": said}
        begun, ended = None, ended + 1
    return begun, ended
