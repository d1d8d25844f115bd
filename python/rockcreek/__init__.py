"""Rockcreek: Intel's Single-chip Cloud Computer as software, under a typed API.

    >>> import rockcreek
    >>> result = rockcreek.run("hello", n=2)        # doctest: +SKIP
    >>> result.cores[0].exit_code, result.time_ps   # doctest: +SKIP
    (0, 180211875)

Everything is loaded on first use, so that `rck --version` and `rck run` start at once and
pull in no plotting library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rockcreek._version import __version__

if TYPE_CHECKING:
    from rockcreek.chip import Chip
    from rockcreek.description import Description
    from rockcreek.errors import (
        ConfigError,
        Deadlock,
        GuestFault,
        InputError,
        InternalError,
        NotFoundError,
        OutputError,
        RockcreekError,
        Timeout,
        UsageError,
    )
    from rockcreek.results.result import CoreResult, Result
    from rockcreek.running.run_job import run

_HOME = {
    "Chip": "chip",
    "ConfigError": "errors",
    "CoreResult": "results.result",
    "Deadlock": "errors",
    "Description": "description",
    "GuestFault": "errors",
    "InputError": "errors",
    "InternalError": "errors",
    "NotFoundError": "errors",
    "OutputError": "errors",
    "Result": "results.result",
    "RockcreekError": "errors",
    "Timeout": "errors",
    "UsageError": "errors",
    "run": "running.run_job",
}

__all__ = [
    "Chip",
    "ConfigError",
    "CoreResult",
    "Deadlock",
    "Description",
    "GuestFault",
    "InputError",
    "InternalError",
    "NotFoundError",
    "OutputError",
    "Result",
    "RockcreekError",
    "Timeout",
    "UsageError",
    "__version__",
    "run",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'rockcreek' has no attribute {name!r}")
    value = getattr(import_module(f"rockcreek.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
