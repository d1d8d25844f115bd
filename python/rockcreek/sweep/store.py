"""The rows that are done, kept so that no kill loses or doubles one.

A line of `rows.jsonl` is written whole and made durable before the next; a line that a kill has
torn is cut off when the sweep goes on. The Parquet file is made of all lines, in the plan's order.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from rockcreek.campaigns.table import Table
from rockcreek.errors import OutputError, RockcreekError, UsageError
from rockcreek.outputs import make_folder, write_whole
from rockcreek.results import frames


class Store:
    """The folder of a sweep; only one sweep at a time may have it open."""

    def __init__(self, folder: str | Path, key: str, *, anew: bool = False) -> None:
        self.folder = Path(folder)
        self.rows: dict[int, dict[str, Any]] = {}
        try:
            make_folder(self.folder)
            self._file = open(self.folder / "rows.jsonl", "a+b")  # noqa: SIM115 (closed in __exit__)
        except OSError as error:
            raise OutputError(f"{folder}: {error.strerror}", path=str(folder)) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise UsageError(
                f"{folder}: another sweep is at work there", hint="wait for it, or end it"
            ) from error
        if anew:
            self._file.truncate(0)
        self._load(key)

    def _load(self, key: str) -> None:
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        lines = [json.loads(line) for line in whole.splitlines()]
        if not lines:
            self._write({"plan": key})
        elif lines[0].get("plan") != key:
            self._file.close()
            raise UsageError(
                f"{self.folder}: holds rows of another plan, program or version",
                hint="choose another folder with --out, or begin again with --anew",
            )
        self.rows = {line["index"]: line["row"] for line in lines[1:]}

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, index: int, row: dict[str, Any]) -> None:
        """Keep the row of a point."""
        if index not in self.rows:
            self._write({"index": index, "row": row})
            self.rows[index] = row

    def table(self) -> Table:
        """All rows that are there, in the order of the plan."""
        return Table([{"point": index, **self.rows[index]} for index in sorted(self.rows)])

    def write_parquet(self) -> Path:
        """The table as `runs.parquet`, whole or not at all."""
        try:
            from pyarrow import parquet
        except ImportError as error:
            raise RockcreekError(
                "Parquet needs pyarrow", hint="pip install 'rockcreek[sweep]'"
            ) from error
        target = self.folder / "runs.parquet"
        table = io.BytesIO()
        parquet.write_table(frames.to_arrow(self.table()), table)
        write_whole(target, table.getvalue(), force=True)
        return target

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._file.close()
