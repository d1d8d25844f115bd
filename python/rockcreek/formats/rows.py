"""Rows of tables: of runs, of cores, of pairs of UEs, of sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

Value = str | int | float | bool | None
# Values by the name of the column: a `Value` each. Who asks for a column knows its type, which the
# table cannot say: so they are `Any`, and programs of others pass the type checker.
Row = Mapping[str, Any]
NewRow = dict[str, Value]  # while it is filled


class Run(TypedDict):
    """A run as a row; columns end with their unit: seconds, joules, watts, joule seconds."""

    program: str
    arguments: str
    ues: int
    clocks: str  # MHz of tiles, mesh and memory data
    jitter: int | None
    end: str
    time_s: float
    roi_time_s: float | None
    roi_instructions: int | None
    instructions: int
    ipc: float | None
    code_misses: int
    data_misses: int
    l2_misses: int
    mesh_packets: int
    messages: int
    floating_point_operations: int
    memory_bytes: int
    message_bytes: int | None
    energy_j: float | None
    mean_w: float | None
    peak_w: float | None
    edp_js: float | None


def plain(row: Mapping[str, object]) -> Row:
    """A row of known columns as a row of any table."""
    return cast("Row", row)
