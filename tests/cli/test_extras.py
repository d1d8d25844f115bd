"""Without a package of an extra, what needs it names the line that installs it; the rest works."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from rockcreek.campaigns import campaign
from rockcreek.cli.app import app
from rockcreek.consoles import console_grid
from rockcreek.errors import RockcreekError
from rockcreek.results import frames
from rockcreek.smp import sensitive
from rockcreek.sweep.workers import _distributed

ROOT = Path(__file__).resolve().parents[2]


def chip(tmp_path: Path) -> None:
    arguments = ["plot", "chip", "--out", str(tmp_path / "chip.png")]
    CliRunner().invoke(app, arguments, standalone_mode=False, catch_exceptions=False)


# A package, its extra, and what needs it.
NEEDS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("matplotlib", "plot", chip),
    ("distributed", "sweep", lambda _: _distributed()),
    ("pandas", "notebook", lambda _: frames.to_pandas([{"a": 1}])),
    ("pyarrow.parquet", "table", lambda _: campaign._parquet()),
    ("pyarrow", "table", lambda _: frames.to_arrow([{"a": 1}])),
    ("rich.console", "view", lambda _: console_grid._libraries()),
    ("pyte", "view", lambda _: console_grid._libraries()),
    ("iced_x86", "smp", lambda _: list(sensitive.find(b"", 0))),
    (
        "unified_planning",
        "planning",
        lambda _: importlib.import_module("rockcreek.planning.unified"),
    ),
]


@pytest.mark.parametrize(("package", "extra", "use"), NEEDS, ids=lambda value: str(value)[:12])
def test_the_line_that_installs_it_is_named(
    package: str,
    extra: str,
    use: Callable[[Path], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "rockcreek.planning.unified", raising=False)
    with pytest.raises(RockcreekError) as raised:
        use(tmp_path)
    assert raised.value.hint == f"pip install 'rockcreek[{extra}]'"
    assert package.split(".", maxsplit=1)[0] in str(raised.value)


def test_every_extra_is_asked_for_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {extra for _, extra, _ in NEEDS}


def test_nothing_of_them_is_loaded_by_what_needs_none() -> None:
    code = "import sys, rockcreek; rockcreek.run; rockcreek.Chip; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages = {"matplotlib", "distributed", "pandas", "pyarrow", "rich", "pyte", "numpy"}
    assert not packages & set(done.stdout.split())
