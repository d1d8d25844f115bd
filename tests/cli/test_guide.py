"""`rck guide` reads the pages that a wheel carries; the wheel's description has no dead links."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from build_backend import backend
from click.testing import CliRunner

from rockcreek import resources
from rockcreek.cli.app import app
from rockcreek.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]


def rck(*words: str) -> str:
    done = CliRunner().invoke(app, ["guide", *words], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_every_page_can_be_read() -> None:
    listed = [line.split()[0] for line in rck().splitlines()]
    there = {path.stem for path in (ROOT / "docs/guide").glob("*.md")} - {"README"}
    assert there <= set(listed) and "chip/memory" in listed
    assert "# Why is it slow?" in rck("why")
    with pytest.raises(UsageError, match="did you mean 'checking'"):
        rck("cheking")


def test_search_ranks_and_shows_excerpts() -> None:
    first, *excerpts = rck("--search", "critical path").splitlines()[:3]
    assert first == "why: Why is it slow?"
    assert any("critical path" in line for line in excerpts)
    assert rck("--search", "xyzzy") == "no page has xyzzy\n"
    with pytest.raises(UsageError, match="no words"):
        rck("--search", " ")


def test_a_wheel_carries_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(backend, "PACKAGE", tmp_path / "python/rockcreek")
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "python/rockcreek")
    (tmp_path / "python/rockcreek").mkdir(parents=True)
    with backend.packed_data():
        assert resources.guide_folder() == tmp_path / "python/rockcreek/_guide"
        assert "# Why is it slow?" in rck("why")
    assert not (tmp_path / "python/rockcreek/_guide").exists()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = [one["path"] for one in project["tool"]["maturin"]["include"]]
    assert "python/rockcreek/_guide/**/*" in included
    readme = (ROOT / project["project"]["readme"]).read_text()
    # Links of a wheel's description have no folder to lead into.
    assert all("://" in link for link in re.findall(r"\]\(([^)]*)\)", readme))


def test_the_site_needs_no_engine(tmp_path: Path) -> None:
    program = (
        "import runpy, sys; sys.modules['rockcreek._native'] = None;"
        f"sys.argv = ['stage', {str(tmp_path / 'pages')!r}];"
        "runpy.run_module('docs.site.stage', run_name='__main__')"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
    assert (tmp_path / "pages/reference").is_dir()
