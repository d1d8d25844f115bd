"""Collects the guest programs of tests/ and systems/ (see tests/guest_programs.py) as tests, and
offers their compiler and runner as fixtures."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from guest_programs import (
    Expectation,
    compile_as_told,
    compile_program,
    empty_share,
    read_header,
    replaced_by,
    run_program,
)
from skipped import lines
from ways import compare_ways, on_all_cores


@pytest.fixture(scope="session")
def compile_guest() -> Callable[..., Path]:
    """Compile a source file: `compile_guest(path, ["-lrcce"])`."""
    return compile_program


@pytest.fixture(scope="session")
def run_guest() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program: `run_guest(program, "arg", options=["-n", "2"])`."""
    return run_program


@pytest.fixture
def guest(tmp_path: Path) -> Callable[..., Path]:
    """Compile a program given as text: `guest("int main(void) { ... }", ["-lrcce"])`."""

    def build(text: str, flags: Iterable[str] = (), name: str = "prog.c") -> Path:
        source = tmp_path / name
        source.write_text(text)
        return compile_program(source, flags)

    return build


class _GuestFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        header = read_header(self.path.read_text())
        if header is not None:
            on_all = None
            if self.config.getoption("--compare-ways"):
                on_all = on_all_cores(header.options)
            name = self.path.stem
            runs = [(name, header.options, header.slow)]
            runs += [(f"{name}-48", on_all, header.slow)] if on_all else []
            runs += [
                (f"{name}-{more[-1]}", replaced_by(more, header.options), slow)
                for more, slow in header.also
            ]
            for name, options, slow in runs:
                item = _GuestTest.from_parent(self, name=name)
                item.header, item.options = header, options
                if slow:
                    item.add_marker(pytest.mark.slow)
                for mutant in header.mutants:
                    item.add_marker(pytest.mark.mutant(mutant))
                yield item


class _GuestTest(pytest.Item):
    header: Expectation
    options: list[str]

    def runtest(self) -> None:
        header = self.header
        program = compile_as_told(self.path, header)
        options = list(self.options)
        if self.config.getoption("--compare-ways"):
            compare_ways(program, header, options)
            return
        if header.share:
            options += ["--share", str(empty_share(program))]
        result = run_program(
            program,
            *header.arguments,
            options=options,
            stdin=header.stdin,
            launcher="mpirun" if header.mpi else "run",
        )
        told = f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}"
        assert result.returncode == header.exit_code, told
        if header.stdout is not None:
            assert result.stdout == header.stdout, told
        for pattern in header.matches:
            assert re.search(pattern, result.stdout, re.M), f"no {pattern!r} in stdout\n{told}"
        for pattern in header.stderr:
            assert re.search(pattern, result.stderr, re.M), f"no {pattern!r} in stderr\n{told}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"guest program {self.path.name}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix in (".c", ".cpp"):
        return _GuestFile.from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--compare-ways",
        action="store_true",
        help="only guest programs, and what every way of executing makes of each",
    )
    parser.addoption("--mutant", help="only the tests that name this mutant; *: any mutant")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--compare-ways"):
        others = [item for item in items if not isinstance(item, _GuestTest)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if isinstance(item, _GuestTest)]
    wanted = config.getoption("--mutant")
    if wanted is None:
        return

    def named(item: pytest.Item) -> bool:
        names = [mark.args[0] for mark in item.iter_markers("mutant")]
        return bool(names) if wanted == "*" else wanted in names

    config.hook.pytest_deselected(items=[item for item in items if not named(item)])
    items[:] = [item for item in items if named(item)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    for line in lines((one.nodeid, one.longrepr[2]) for one in reports):
        terminalreporter.write_line(line)
