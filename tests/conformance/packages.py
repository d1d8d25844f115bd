"""The packages of suites.toml: downloaded and unpacked below build/conformance."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from programs import BUILD

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from scripts.packages import FetchError, Shelf

__all__ = ["FetchError", "provide"]


def provide(name: str, package: dict[str, Any]) -> Path:
    """The folder with the unpacked package."""
    return Shelf(BUILD, "conformance").provide(name, package)
