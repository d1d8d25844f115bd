"""A folder of studies of its own: `experiments(study=..., analysis=...)` makes a small one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import small_study


@pytest.fixture
def experiments(tmp_path: Path) -> Callable[..., Path]:
    """A folder of studies with one study `small`; each file can be given as text."""

    def make(**files: str) -> Path:
        folder = tmp_path / "experiments"
        texts = {
            "published/table.toml": files.get("published", small_study.PUBLISHED),
            "small/study.toml": files.get("study", small_study.STUDY),
            "small/analysis.py": files.get("analysis", small_study.ANALYSIS),
            "small/figure.py": small_study.FIGURE,
            "small/echo.c": files.get("program", small_study.PROGRAM),
        }
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return make
