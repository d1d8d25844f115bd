"""The results of a campaign as three tables, from JSON files or Parquet.

`runs` has a row for each result; `cores` one for each core of each run, with its counters;
`messages` one for each pair of UEs that sent messages (`rck run --messages`). All have the column
`run`: the path of the result.
"""

from __future__ import annotations

import glob
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek.campaigns.table import Table
from rockcreek.errors import NotFoundError, RockcreekError
from rockcreek.formats.rows import Row, plain
from rockcreek.outputs import make_folder, write_whole
from rockcreek.reading import tables
from rockcreek.reading.result import load_run
from rockcreek.results import frames, rows


@dataclass
class Campaign:
    """Tables of many runs."""

    runs: Table
    cores: Table
    messages: Table

    def write(self, folder: str | Path) -> None:
        """One Parquet file for each table that has rows (needs the extra `table`)."""
        parquet = _parquet()
        target = make_folder(folder)
        for name in rows.TABLES:
            if len(getattr(self, name)):
                table = io.BytesIO()
                parquet.write_table(self.to_arrow(name), table)
                write_whole(target / f"{name}.parquet", table.getvalue(), force=True)

    def to_arrow(self, name: str = "runs") -> Any:
        """A table as pyarrow's, for its queries or for pandas: `.to_arrow().to_pandas()`."""
        return frames.to_arrow(getattr(self, name))

    def to_pandas(self, name: str = "runs") -> Any:
        """A table as a data frame (needs the extra `notebook`)."""
        return frames.to_pandas(getattr(self, name))


def read(*patterns: str | Path) -> Campaign:
    """The results of these files; `**` in a pattern is any depth of folders."""
    paths = [
        path
        for pattern in patterns
        for path in sorted(glob.glob(str(pattern), recursive=True)) or [_missing(str(pattern))]
    ]
    runs: list[Row] = []
    cores: list[Row] = []
    messages: list[Row] = []
    for path in paths:
        result = load_run(path)
        runs.append({"run": path, **plain(rows.of_run(result))})
        cores += [{"run": path, **row} for row in rows.of_cores(result)]
        messages += [{"run": path, **row} for row in rows.of_messages(result)]
    return Campaign(Table(runs), Table(cores), Table(messages))


def load(folder: str | Path) -> Campaign:
    """Reads the campaign that `Campaign.write` wrote into a folder."""
    if not (Path(folder) / "runs.parquet").is_file():
        raise NotFoundError(f"{folder}: there is no runs.parquet", path=str(folder))
    found = {}
    for name in rows.TABLES:
        path = Path(folder) / f"{name}.parquet"
        found[name] = Table(tables.rows(path) if path.is_file() else [])
    return Campaign(**found)


def _missing(pattern: str) -> str:
    raise NotFoundError(f"{pattern}: there is no such file", path=pattern)


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise RockcreekError(
            "Parquet needs pyarrow", hint="pip install 'rockcreek[table]'"
        ) from error
    return pyarrow.parquet
