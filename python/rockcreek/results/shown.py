"""What notebooks see of a result: data frames, and the die as a picture."""

from __future__ import annotations

from abc import abstractmethod
from html import escape
from typing import Any

from rockcreek.errors import UsageError
from rockcreek.results import die, frames, rows


class Shown:
    """The part of `Result` that shows it."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""

    def rows(self, table: str = "cores") -> list[dict[str, Any]]:
        """The rows of `runs` (one), `cores` (each with its counters) or `messages`."""
        if table not in rows.TABLES:
            raise UsageError(
                f"there is no table {table!r}", hint=f"there are {', '.join(rows.TABLES)}"
            )
        return rows.of(self.to_dict(), table)

    def to_arrow(self, table: str = "cores") -> Any:
        """The same as a `pyarrow.Table` (extra `table`)."""
        return frames.to_arrow(self.rows(table))

    def to_pandas(self, table: str = "cores") -> Any:
        """The same as a `pandas.DataFrame` (extra `notebook`)."""
        return frames.to_pandas(self.rows(table))

    def die(self, metric: str = "ipc") -> str:
        """The die as SVG, coloured by `ipc`, `waiting`, `misses`, `instructions` or `energy`."""
        if metric not in die.METRICS:
            raise UsageError(
                f"there is no metric {metric!r}", hint=f"there are {', '.join(die.METRICS)}"
            )
        result = self.to_dict()
        return die.draw(result["cores"], die.values(result, metric), die.METRICS[metric])

    def _repr_html_(self) -> str:
        result = self.to_dict()
        told = (
            f"<b>{escape(result['program']['name'])}</b> on {len(result['cores'])} cores:"
            f" {escape(result['end'])} after {result['time_ps'] / 1e6:.3f} us,"
            f" {result['instructions']} instructions"
        )
        bars = die.timeline(result["cores"], result["time_ps"])
        return f"<div><p>{told}</p>{self.die()}<br>{bars}</div>"
