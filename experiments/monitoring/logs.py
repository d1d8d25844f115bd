"""The files of the shared folder that the cores' logs go to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def files(values: Mapping[str, Any]) -> dict[str, str]:
    """An empty file for each core."""
    return {f"log-{core}": "" for core in range(int(values["n"]))}
