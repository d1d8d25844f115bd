"""Parquet files: tables of sweeps and campaigns. What they hold is bounded while they are read, for
a few bytes may stand for any number of rows."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Annotated, cast

from msgspec import Meta, Struct

from rockcreek.errors import InputError, RockcreekError
from rockcreek.formats.common import Count
from rockcreek.formats.rows import NewRow, Run
from rockcreek.reading import documents

MOST_ROWS = 1 << 20
_AT_ONCE = 1 << 10
_HINT = "`rck sweep` of this version writes one"
_Number = Annotated[float, Meta(ge=0, le=1e300)] | None


class _Run(Struct):
    """The values of a run that pictures need."""

    floating_point_operations: Count
    program: str
    arguments: str
    ues: Annotated[int, Meta(ge=1, lt=1 << 16)]
    clocks: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}(/[1-9][0-9]{0,5}){2}$")]
    jitter: Count | None
    time_s: Annotated[float, Meta(gt=0, le=1e300)]
    energy_j: _Number
    edp_js: _Number
    memory_bytes: Count


def rows(path: str | Path) -> list[NewRow]:
    """The rows of any table."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise RockcreekError(
            f"{path}: Parquet needs pyarrow", hint="pip install 'rockcreek[table]'"
        ) from error
    data = documents.data(path)
    found: list[NewRow] = []
    left = documents.MOST_BYTES
    try:
        for batch in parquet.ParquetFile(io.BytesIO(data)).iter_batches(_AT_ONCE):
            left -= batch.nbytes
            if left < 0 or len(found) + batch.num_rows > MOST_ROWS:
                raise documents.misfit(str(path), "", "is too large a table")
            found += batch.to_pylist()
    except (ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError) as error:
        text = str(error) or type(error).__name__
        raise documents.misfit(str(path), "", f"is no Parquet file ({text})", _HINT) from error
    return found


def runs(path: str | Path) -> list[Run]:
    """The rows of a table of runs that have ended."""
    found = rows(path)
    if found and "floating_point_operations" not in found[0]:
        raise InputError(f"{path}: is no table of runs", path=str(path), hint=_HINT)
    ended = [(number, row) for number, row in enumerate(found, 1) if row.get("time_s")]
    for number, row in ended:
        if any(isinstance(value, float) and not math.isfinite(value) for value in row.values()):
            raise documents.misfit(str(path), f"row {number}", "holds no finite number", _HINT)
        documents.typed(row, _Run, f"{path}: row {number}", hint=_HINT)
    return [cast("Run", row) for _, row in ended]
