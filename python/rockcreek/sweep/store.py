"""The rows that are done, kept so that no kill loses or doubles one.

A line of `rows.jsonl` is written whole and made durable before the next; a line that a kill has
torn is cut off when the sweep goes on, one that the disk has changed is passed over, named, and its
run is made again. The Parquet file is made of all lines, in the plan's order.
"""

from __future__ import annotations

import fcntl
import io
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from rockcreek.campaigns.table import Table
from rockcreek.errors import OutputError, RockcreekError, UsageError
from rockcreek.formats.rows import Row
from rockcreek.outputs import make_folder, write_whole
from rockcreek.reading import rows
from rockcreek.results import frames


class Store:
    """The folder of a sweep; only one sweep at a time may have it open."""

    def __init__(self, folder: str | Path, key: str, *, anew: bool = False) -> None:
        self.folder = Path(folder)
        self.rows: dict[int, Row] = {}
        self.damaged: list[int] = []  # lines of the file, whose runs are made again
        self._key = key
        try:
            make_folder(self.folder)
            self._file = open(self.folder / "rows.jsonl", "a+b", buffering=0)  # noqa: SIM115 (closed in __exit__)
        except OSError as error:
            raise OutputError(f"{folder}: {error.strerror}", path=str(folder)) from error
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.close()  # of what has no end there is no row to go on from
            path = str(self.folder / "rows.jsonl")
            raise OutputError(
                f"{path}: is no regular file", path=path, hint="choose another folder with --out"
            )
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise UsageError(
                f"{folder}: another sweep is at work there", hint="wait for it, or end it"
            ) from error
        try:
            if anew:
                self._file.truncate(0)
            self._load(key)
        except OSError as error:
            self._file.close()
            raise self._error(error) from error

    def _error(self, error: OSError) -> OutputError:
        path = str(self.folder / "rows.jsonl")
        return OutputError(
            f"{path}: {error.strerror}",
            path=path,
            hint="the rows before are kept: the same command goes on from them",
        )

    def _load(self, key: str) -> None:
        """All good rows; a plan that is another one's is refused, a damaged line stays as it is."""
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        plans: set[str] = set()
        for number, line in enumerate(whole.split(b"\n")[:-1], 1):
            found = rows.read_row(line, key)
            plan = None if found else rows.read_head(line)
            if found is not None:
                self.rows[found[0]] = found[1]
            elif plan is not None:
                plans.add(plan)
            else:
                self.damaged.append(number)
        if not self.rows and plans - {key}:
            self._file.close()
            raise UsageError(
                f"{self.folder}: holds rows of another plan, program or version",
                hint="choose another folder with --out, or begin again with --anew",
            )
        if key not in plans:
            self._write(rows.head(key))

    def _write(self, line: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            # What is there of the line would spoil the next one.
            with suppress(OSError):
                self._file.truncate(end)
            raise self._error(error) from error

    def add(self, index: int, row: Row) -> None:
        """Keep the row of a point."""
        if index not in self.rows:
            self._write(rows.line(self._key, index, row))
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
