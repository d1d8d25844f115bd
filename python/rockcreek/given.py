"""Values that a Python program gives for a run: of the right kind, or refused in words."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from rockcreek.errors import UsageError

CHECKS = ("coherence", "races", "no-races", "memory", "unwritten", "error")
_COUNTS = (
    "n", "jitter", "memory_limit", "until_ps", "power_every_ps", "sample_every_ps", "fault_seed",
)  # fmt: skip


# Untyped on purpose: a Python program may give anything, which is what the rules look at.
def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a run, each of its type."""
    return {name: _RULES[name](name, one) if name in _RULES else one for name, one in given.items()}


def _count(name: str, value: Any) -> int | None:
    """A whole number that is not negative; `1e9` is one, too."""
    if value is None:
        return None
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or int(value) != value:
        raise UsageError(f"{name}={value!r}: is not a whole number", hint=f"for example {name}=4")
    if value < 0:
        raise UsageError(f"{name}={value!r}: is negative", hint=f"for example {name}=4")
    return int(value)


def _seconds(name: str, value: Any) -> float | None:
    if value is None or (isinstance(value, Real) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise UsageError(f"{name}={value!r}: is not a number of seconds", hint=f"for example {name}=10")


def _words(name: str, value: Any) -> list[str]:
    """The arguments of the program: numbers and paths become text."""
    if isinstance(value, (str, bytes)):
        raise UsageError(
            f"{name}={value!r}: is one text, not a list of them",
            hint=f"{name}={value.split()!r}",
        )
    if not isinstance(value, Iterable):
        raise UsageError(f"{name}={value!r}: is not a list", hint=f"for example {name}=['5', '6']")
    return [
        os.fsdecode(one) if isinstance(one, (os.PathLike, bytes)) else str(one) for one in value
    ]


def _cores(name: str, value: Any) -> list[int] | None:
    if value is None:
        return None
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    cores = list(value) if is_list else []
    if not is_list or not all(isinstance(one, Integral) for one in cores):
        raise UsageError(
            f"{name}={value!r}: is not a list of numbers", hint=f"for example {name}=[0, 10, 47]"
        )
    return [int(one) for one in cores]


def _checks(name: str, value: Any) -> list[str]:
    """What to check: a list, or a text with commas as on the command line."""
    if value is not None and not isinstance(value, Iterable):
        raise UsageError(
            f"{name}={value!r}: is not a list", hint=f"choose from {', '.join(CHECKS)}"
        )
    words = value.split(",") if isinstance(value, str) else list(value or ())
    for word in words:
        if word not in CHECKS:
            raise UsageError(
                f"{name}={value!r}: {word!r} is no check", hint=f"choose from {', '.join(CHECKS)}"
            )
    return words


def _input(_name: str, value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _faults(name: str, value: Any) -> Any:
    if value is None or hasattr(value, "seed"):
        return value
    raise UsageError(
        f"{name}={value!r}: is not a plan", hint="rockcreek.faults.plan.read makes one of words"
    )


_RULES: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(_COUNTS, _count),
    "timeout_s": _seconds,
    "arguments": _words,
    "cores": _cores,
    "check": _checks,
    "stdin": _input,
    "faults": _faults,
}
