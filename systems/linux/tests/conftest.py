"""The folder in which tests of the real Linux work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rockcreek import resources
from rockcreek.errors import RockcreekError
from rockcreek.linux import images


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with programs, and a place of its own for snapshots."""
    try:
        built = images.find()
    except RockcreekError as error:
        pytest.skip(f"{error}; {error.hint}")
    folder = tmp_path_factory.mktemp("linux")
    (folder / "kept").mkdir()
    (folder / "kept/images").symlink_to(built.kernel.parent)
    for name in ("ring", "pingpong"):
        (folder / name).write_bytes(resources.example(name).read_bytes())
        (folder / name).chmod(0o755)
    yield folder
