"""The examples in the package's docstrings."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import rockcreek

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(rockcreek.__path__, "rockcreek.")
    if not module.name.endswith(("__main__", "_native"))
)


@pytest.mark.parametrize("name", ["rockcreek", *MODULES])
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
