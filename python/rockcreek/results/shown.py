"""What notebooks see of a result: data frames, the die and the timeline as pictures."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from rockcreek.errors import UsageError

if TYPE_CHECKING:
    from rockcreek.formats.result import Result
    from rockcreek.formats.rows import Row
    from rockcreek.pictures.metrics import Moment


class Shown:
    """The part of `Result` that shows it."""

    @abstractmethod
    def to_dict(self) -> Result:
        """The JSON document."""

    def rows(self, table: str = "cores") -> list[Row]:
        """The rows of `runs` (one), `cores` (each with its counters) or `messages`."""
        from rockcreek.results import rows

        if table not in rows.TABLES:
            raise UsageError(
                f"there is no table {table!r}", hint=f"there are {', '.join(rows.TABLES)}"
            )
        return rows.of(self.to_dict(), table)

    def to_arrow(self, table: str = "cores") -> Any:
        """The rows as a `pyarrow.Table` (extra `table`)."""
        from rockcreek.results import frames

        return frames.to_arrow(self.rows(table))

    def to_pandas(self, table: str = "cores") -> Any:
        """The rows as a `pandas.DataFrame` (extra `notebook`)."""
        from rockcreek.results import frames

        return frames.to_pandas(self.rows(table))

    def die(self, metric: str = "ipc", *, at_ps: int | None = None) -> Picture:
        """The die coloured by `ipc`, `waiting`, `misses`, `instructions`, `energy` or `power`; of
        the whole run, or of the moment at `at_ps` in a run with `sample_every_ps`."""
        from rockcreek.pictures import die, metrics

        result = self._with(metric)
        at = None if at_ps is None else metrics.at(self._moments(result, metric), at_ps)
        return Picture(die.draw(result, metric, at=at))

    def animation(self, metric: str = "ipc") -> Picture:
        """The die over time; of a run with `sample_every_ps`."""
        from rockcreek.pictures import die

        result = self._with(metric)
        return Picture(die.animate(result, metric, self._moments(result, metric)))

    def timeline(self, metric: str = "ipc") -> Picture:
        """A row for each core: the metric over time if there are samples, else when it ended."""
        from rockcreek.pictures import timeline

        return Picture(timeline.draw(self._with(metric), metric))

    def _with(self, metric: str) -> Result:
        from rockcreek.pictures.metrics import ENERGIES, METRICS

        if metric not in METRICS:
            raise UsageError(
                f"there is no metric {metric!r}", hint=f"there are {', '.join(METRICS)}"
            )
        result = self.to_dict()
        if metric in ENERGIES and "energy" not in result:
            raise UsageError(f"{metric}: the run recorded no energy", hint="run it with power=True")
        return result

    @staticmethod
    def _moments(result: Result, metric: str) -> list[Moment]:
        from rockcreek.pictures import metrics

        found = metrics.moments(result, metric)
        if not found:
            raise UsageError(
                "the run took no samples", hint="run it with sample_every_ps=10**9, for example"
            )
        return found

    def _repr_html_(self) -> str:
        from html import escape

        result = self.to_dict()
        told = (
            f"<b>{escape(result['program']['name'])}</b> on {len(result['cores'])} cores:"
            f" {escape(result['end'])} after {result['time_ps'] / 1e6:.3f} us,"
            f" {result['instructions']} instructions"
        )
        return f"<div><p>{told}</p>{self.die()}<br>{self.timeline()}</div>"


class Picture(str):
    """SVG: a text that notebooks draw."""

    def __repr__(self) -> str:
        return f"<Picture: {len(self):,} characters of SVG; `str` of it is the text>"

    def _repr_svg_(self) -> str:
        return str(self)
