"""One point of a plan, run: what a worker does."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from typing import Any

from rockcreek import description as descriptions
from rockcreek.errors import HostLimit, RockcreekError
from rockcreek.results.result import END_HOST_LIMIT
from rockcreek.units import parse_duration_ps

# What a host does to a run for a while: the disk, its room, its descriptors, its memory.
_OF_THE_HOST = frozenset(
    {errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)


def measure(point: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a point: its parameters and its result, or why there is none."""
    from rockcreek.results import rows

    given = {
        f"p_{key}": value if isinstance(value, int | bool) else _text(value)
        for key, value in point.items()
        if key not in ("program", "chip", "fault")
    }
    # Paths differ from host to host.
    given |= {f"p_{key}": _base(point[key]) for key in ("chip", "fault") if key in point}
    try:
        result = _run(point).to_dict()
    except RockcreekError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and cause.errno in _OF_THE_HOST:
            # No property of the point: the next sweep tries it again.
            raise OSError(cause.errno, error.message) from None
        return {**given, "end": "failed", "error": error.message}
    if result["end"] == END_HOST_LIMIT:
        raise HostLimit("; ".join(result["errors"]))
    return {
        **given,
        **rows.of_run(result),
        "exit_code": result["exit_code"],
        "error": "; ".join(result["errors"]) or None,
        "state_hash": result["state_hash"],
    }


def _run(point: Mapping[str, Any]) -> Any:
    from rockcreek.faults.plan import read
    from rockcreek.running.run_job import run

    more: dict[str, Any] = {}
    if "until" in point:
        more["until_ps"] = parse_duration_ps(point["until"])
    if "description" in point:
        more["chip"] = descriptions.parse(point["description"], origin="the plan's description")
    if "fault" in point:
        more["faults"] = read([point["fault"]])
    same = ("arguments", "n", "cores", "chip", "clocks", "jitter", "fault_seed", "power")
    more = {key: point[key] for key in (*same, "messages") if key in point} | more
    return run(point["program"], **more).one_of_many()


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def _base(path: str) -> str:
    return path.rsplit("/", 1)[-1]
