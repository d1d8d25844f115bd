"""Rows as data frames: pandas' or Arrow's, if they are installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rockcreek.errors import RockcreekError
from rockcreek.formats.rows import Row


def to_arrow(rows: Iterable[Row]) -> Any:
    """A `pyarrow.Table`."""
    try:
        import pyarrow
    except ImportError as error:
        raise RockcreekError(
            "Arrow tables need pyarrow", hint="pip install 'rockcreek[table]'"
        ) from error
    return pyarrow.Table.from_pylist([dict(row) for row in rows])


def to_pandas(rows: Iterable[Row]) -> Any:
    """A `pandas.DataFrame`."""
    try:
        import pandas
    except ImportError as error:
        raise RockcreekError(
            "data frames need pandas", hint="pip install 'rockcreek[notebook]'"
        ) from error
    return pandas.DataFrame([dict(row) for row in rows])
