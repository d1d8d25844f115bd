"""The engine's library in a process that rck has to itself."""

from __future__ import annotations

import os
from importlib import import_module

# crates/python/src/guard/memory.rs asks for it while nothing else of the library can be called.
_OWN = "ROCKCREEK_OWN_PROCESS"


def load_into_own_process() -> None:
    """Loads the library, and sets memory apart in it. A host that refuses memory ends this process
    with a message from now on, and from the library's first request on."""
    os.environ[_OWN] = "1"
    try:
        import_module("rockcreek._native").set_memory_apart()
    finally:
        del os.environ[_OWN]
