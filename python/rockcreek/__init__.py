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
    from rockcreek.chip.events import Event
    from rockcreek.compile_program import compile
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
    from rockcreek.running.run_job import load, run
    from rockcreek.socket_server.client import Attached, attach
    from rockcreek.tracing.message_events import observe_messages

_HOME = {
    "Attached": "socket_server.client",
    "Chip": "chip",
    "ConfigError": "errors",
    "CoreResult": "results.result",
    "Deadlock": "errors",
    "Description": "description",
    "Event": "chip.events",
    "GuestFault": "errors",
    "InputError": "errors",
    "InternalError": "errors",
    "NotFoundError": "errors",
    "OutputError": "errors",
    "Result": "results.result",
    "RockcreekError": "errors",
    "Timeout": "errors",
    "UsageError": "errors",
    "attach": "socket_server.client",
    "compile": "compile_program",
    "load": "running.run_job",
    # `%load_ext rockcreek`
    "load_ipython_extension": "notebook.magic",
    "observe_messages": "tracing.message_events",
    "run": "running.run_job",
}

__all__ = [
    "Attached",
    "Chip",
    "ConfigError",
    "CoreResult",
    "Deadlock",
    "Description",
    "Event",
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
    "attach",
    "compile",
    "load",
    "observe_messages",
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
