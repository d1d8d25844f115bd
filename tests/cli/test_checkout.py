"""The commit that results name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from rockcreek.repro.checkout import SOURCES, commit


def checkout(folder: Path, *names: str) -> None:
    """A checkout with these files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("old\n")
    for line in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        author = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *author, *line], cwd=folder, check=True)


def test_a_commit_tells_whether_files_differ(tmp_path: Path) -> None:
    assert commit(tmp_path) == "unknown"
    checkout(tmp_path, "engine", "page")
    clean = commit(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{12}", clean)
    (tmp_path / "page").write_text("new\n")
    assert (commit(tmp_path), commit(tmp_path, "engine")) == (clean + "+", clean)
    (tmp_path / "engine").write_text("new\n")
    assert commit(tmp_path, "engine") == clean + "+"


def test_what_a_study_has_recorded_is_no_difference(tmp_path: Path) -> None:
    written = ("docs/fidelity.md", "experiments/ring/measured.json")
    checkout(tmp_path, "experiments/ring/study.toml", *written)
    for name in written:
        (tmp_path / name).write_text("new\n")
    study = tmp_path / "experiments/ring"
    assert commit(study, *SOURCES) == commit(study).removesuffix("+")
    (study / "study.toml").write_text("new\n")
    assert commit(study, *SOURCES) == commit(study)
