"""One point of a plan, run: what a worker does."""

from __future__ import annotations

import errno
import json
from typing import Any

from rockcreek import description as descriptions
from rockcreek.description import Description
from rockcreek.errors import HostLimit, RockcreekError
from rockcreek.formats.rows import NewRow, Row, plain
from rockcreek.results.result import END_HOST_LIMIT, Result
from rockcreek.sweep.plan import Point
from rockcreek.units import parse_duration_ps

# What a host does to a run for a while: the disk, its room, its descriptors, its memory.
_OF_THE_HOST = frozenset(
    {errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)


def measure(point: Point) -> Row:
    """The row of a point: its parameters and its result, or why there is none."""
    from rockcreek.results import rows

    given: NewRow = {
        f"p_{key}": value if isinstance(value, int | bool) else _text(value)
        for key, value in point.items()
        if key not in ("program", "chip", "fault")
    }
    # Paths differ from host to host.
    if "chip" in point:
        given["p_chip"] = _base(point["chip"])
    if "fault" in point:
        given["p_fault"] = _base(point["fault"])
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
        **plain(rows.of_run(result)),
        "exit_code": result["exit_code"],
        "error": "; ".join(result["errors"]) or None,
        "state_hash": result["state_hash"],
    }


def _run(point: Point) -> Result:
    from rockcreek.faults.plan import read
    from rockcreek.running.run_job import run

    chip: str | Description = point.get("chip", "scc")
    if "description" in point:
        chip = descriptions.parse(point["description"], origin="the plan's description")
    return run(
        point["program"],
        point.get("arguments", ()),
        n=point.get("n"),
        cores=point.get("cores"),
        chip=chip,
        clocks=point.get("clocks"),
        jitter=point.get("jitter"),
        until_ps=parse_duration_ps(point["until"]) if "until" in point else None,
        faults=read([point["fault"]]) if "fault" in point else None,
        fault_seed=point.get("fault_seed"),
        power=point.get("power", False),
        messages=point.get("messages", False),
    ).one_of_many()


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def _base(path: str) -> str:
    return path.rsplit("/", 1)[-1]
