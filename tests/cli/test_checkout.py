"""The commit that results name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from rockcreek.repro.checkout import commit


def test_a_commit_tells_whether_files_differ(tmp_path: Path) -> None:
    assert commit(tmp_path) == "unknown"
    for name in ("engine", "page"):
        (tmp_path / name).write_text("old\n")
    for line in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        author = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *author, *line], cwd=tmp_path, check=True)
    clean = commit(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{12}", clean)
    (tmp_path / "page").write_text("new\n")
    assert (commit(tmp_path), commit(tmp_path, "engine")) == (clean + "+", clean)
    (tmp_path / "engine").write_text("new\n")
    assert commit(tmp_path, "engine") == clean + "+"
