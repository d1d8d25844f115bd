"""Fixtures of the front end's own tests: `rck` in this process, on the scripted engine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import elf_files
import fake_engine
import rockcreek
from rockcreek import resources
from rockcreek.cli import main


@dataclass
class Answer:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """The scripted engine in place of the real one."""
    fake_engine.reset()
    monkeypatch.setitem(sys.modules, "rockcreek._native", fake_engine)
    monkeypatch.setattr(rockcreek, "_native", fake_engine, raising=False)
    kernel = elf_files.write(tmp_path, "kernel.elf", elf_files.elf32())
    monkeypatch.setattr(resources, "kernel_path", lambda: kernel)
    yield fake_engine
    fake_engine.reset()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file that passes for a guest program."""
    return elf_files.write(tmp_path, "prog", elf_files.elf32(b"\x0f\x44\xc1\xf4"))


@pytest.fixture
def rck(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command; what it wrote is captured."""

    def call(*arguments: object) -> Answer:
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Answer(code, out, err)

    return call
