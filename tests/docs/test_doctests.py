"""The examples in docstrings: of the package, and of the programs beside it."""

from __future__ import annotations

import doctest
import os
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rockcreek

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(rockcreek.__path__, "rockcreek.")
    if not module.name.endswith(("__main__", "_native"))
)
ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("scripts", "docs/site", "experiments", "systems", "tests/storm")
PROGRAMS = sorted(
    str(path.relative_to(ROOT))
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if "    >>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", ["rockcreek", *MODULES])
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples_of_programs(name: str) -> None:
    """Each alone: names of such modules are not unique."""
    command = [sys.executable, "-m", "doctest", name]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
