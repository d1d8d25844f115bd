"""A small table: rows of the same columns, to be chosen from, sorted and grouped."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rockcreek.errors import UsageError
from rockcreek.formats.rows import Row


class Table(Sequence[Row]):
    """Rows with the columns of all of them; what a row does not have is None.

    >>> table = Table([{"n": 2, "ms": 5.0}, {"n": 4, "ms": 3.0}, {"n": 4, "w": 31}])
    >>> table.columns
    ['n', 'ms', 'w']
    >>> table.where(n=4).column("ms")
    [3.0, None]
    >>> [row["n"] for row in table.where(lambda row: row["ms"] is not None).sort("ms")]
    [4, 2]
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.columns = list(dict.fromkeys(name for row in rows for name in row))
        self._rows: list[Row] = [{name: row.get(name) for name in self.columns} for row in rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __repr__(self) -> str:
        return f"Table of {len(self)} rows: {', '.join(self.columns)}"

    def where(self, test: Callable[[Row], bool] | None = None, **equal: Any) -> Table:
        """The rows that pass the test and have these values."""
        for name in equal:
            self._check(name)
        return Table(
            [
                row
                for row in self._rows
                if (test is None or test(row))
                and all(row[name] == value for name, value in equal.items())
            ]
        )

    def sort(self, name: str, *, descending: bool = False) -> Table:
        """Ordered by a column; rows without a value last."""
        self._check(name)
        known = sorted(
            (row for row in self._rows if row[name] is not None),
            key=lambda row: row[name],
            reverse=descending,
        )
        return Table([*known, *(row for row in self._rows if row[name] is None)])

    def column(self, name: str) -> list[Any]:
        """The values of a column."""
        self._check(name)
        return [row[name] for row in self._rows]

    def by(self, name: str) -> dict[Any, Table]:
        """A table for each value of a column, in order of appearance."""
        self._check(name)
        groups: dict[Any, list[Row]] = {}
        for row in self._rows:
            groups.setdefault(row[name], []).append(row)
        return {value: Table(rows) for value, rows in groups.items()}

    def to_csv(self) -> str:
        """The table as text with commas, as spreadsheets read it; empty where a row has no value.

        >>> print(Table([{"n": 2, "name": 'a "b", c'}, {"n": 4}]).to_csv(), end="")
        n,name
        2,"a ""b"", c"
        4,
        """
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        return text.getvalue()

    def _check(self, name: str) -> None:
        if name not in self.columns:
            raise UsageError(
                f"there is no column {name!r}", hint=f"there are {', '.join(self.columns)}"
            )
