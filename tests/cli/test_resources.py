"""Where descriptions and studies are read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek import resources


def test_what_is_edited_comes_before_what_was_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "python" / "rockcreek"
    monkeypatch.setattr(resources, "PACKAGE", package)
    packed = (package / "_machine" / "presets", package / "_experiments")
    for folder in packed:
        folder.mkdir(parents=True)
    assert (resources.preset_folder(), resources.experiments_folder()) == packed
    edited = (tmp_path / "machine" / "presets", tmp_path / "experiments")
    for folder in edited:
        folder.mkdir(parents=True)
    assert (resources.preset_folder(), resources.experiments_folder()) == edited
