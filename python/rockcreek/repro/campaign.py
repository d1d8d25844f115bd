"""All runs of a study: side by side where asked, reported on the way, kept as they finish.

Each finished run is a file; a campaign that was interrupted goes on from the files that are
there. A run that fails stops no other one; those that failed are listed at the end. The numbers
do not depend on how many workers there were, or where: those are the sweep's.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from rockcreek.description import Description
from rockcreek.errors import InputError, ReportedError, RockcreekError, UsageError
from rockcreek.formats.study import Record
from rockcreek.outputs import make_folder, write_whole
from rockcreek.reading import records as records_of_runs
from rockcreek.repro import runs
from rockcreek.repro.points import Point
from rockcreek.repro.runs import Run
from rockcreek.repro.study import Study
from rockcreek.sweep import workers
from rockcreek.units import PS_PER_SECOND

_TERMINAL_PERIOD_S = 0.5
_LOG_PERIOD_S = 30.0
_SHOWN_MAX = 20


class _Failure(NamedTuple):
    """An error as it comes home from a worker."""

    message: str
    hint: str
    exit_code: int


# Of a run, or why there is none.
_Record = Record | RockcreekError


@dataclass
class Campaign:
    """The runs of one study and where their records are kept."""

    study: Study
    points: Sequence[Point]
    programs: dict[str, Path]
    chip: Description  # read once: what the keys of the points were made of
    folder: Path
    jobs: int = 1
    scheduler: str | None = None  # the address of a Dask cluster's
    fresh: bool = False  # run again what is there already
    verify: bool = False  # run everything twice, with and without skipping
    quiet: bool = False

    def execute(self) -> list[Run]:
        """All runs in the order of the points; those with a record are not run again."""
        if self.jobs < 1:
            raise UsageError(f"--jobs {self.jobs}: choose 1 or more")
        make_folder(self.folder)
        records = {} if self.fresh or self.verify else self._kept()
        missing = [point for point in self.points if point.key not in records]
        meter = _Meter(self.study.id, len(self.points), len(records), quiet=self.quiet)
        failed: list[RockcreekError] = []
        for record in self._performed(missing, meter, failed):
            records[record["key"]] = record
        if failed:
            raise _all_of(failed, len(self.points))
        return [runs.from_record(records[point.key]) for point in self.points]

    def _kept(self) -> dict[str, Record]:
        records: dict[str, Record] = {}
        for point in self.points:
            try:
                record = records_of_runs.load(str(self._path(point)))
            except InputError:
                continue  # not run yet, or damaged: it is run again
            if record["key"] == point.key:
                records[point.key] = record
        return records

    def _performed(
        self, missing: Sequence[Point], meter: _Meter, failed: list[RockcreekError]
    ) -> Iterator[Record]:
        """The records of these points as they finish, each written before it is handed on."""
        alone = self.jobs == 1 and self.scheduler is None
        with _told_to_go_on(self.study.id, meter):
            for point, record in self._in_turn(missing) if alone else self._side_by_side(missing):
                if isinstance(record, RockcreekError):
                    failed.append(record)
                    continue
                write_whole(self._path(point), json.dumps(record) + "\n", force=True)
                meter.finished(record["time_ps"])
                yield record

    def _in_turn(self, points: Sequence[Point]) -> Iterator[tuple[Point, _Record]]:
        for point in points:
            yield point, _opened(_perform(*self._task(point)))

    def _side_by_side(self, points: Sequence[Point]) -> Iterator[tuple[Point, _Record]]:
        tasks = [self._task(point) for point in points]
        ended = workers.perform(_perform, tasks, jobs=self.jobs, scheduler=self.scheduler)
        for number, told, why in ended:
            point = points[number]
            if why is None:
                yield point, _opened(told)
            else:
                name = f"study {self.study.id}: the run {point.label()}"
                yield point, RockcreekError(f"{name}: {why}", hint="the same command tries again")

    def _task(self, point: Point) -> tuple[Any, ...]:
        return self.study, point, str(self.programs[point.program]), self.chip, self.verify

    def _path(self, point: Point) -> Path:
        return self.folder / f"{point.key}.json"


def _perform(
    study: Study, point: Point, program: str, chip: Description, verify: bool
) -> Record | _Failure:
    """Performs one run in a worker; returns an error as its message, hint and exit code."""
    try:
        return runs.perform(study, point, program, chip, verify=verify)
    except RockcreekError as error:
        return _Failure(error.message, error.hint or "", int(error.exit_code))


def _opened(told: Record | _Failure) -> _Record:
    if isinstance(told, _Failure):
        return ReportedError(told.message, told.exit_code, hint=told.hint)
    return told


def _all_of(failed: Sequence[RockcreekError], points: int) -> RockcreekError:
    """One error that lists all runs that failed."""
    if len(failed) == 1:
        return failed[0]
    told = "\n".join(error.message for error in failed[:_SHOWN_MAX])
    more = len(failed) - _SHOWN_MAX
    rest = f"\nand {more} more" if more > 0 else ""
    text = f"{len(failed)} of {points} runs failed:\n{told}{rest}"
    return ReportedError(text, failed[0].exit_code, hint=failed[0].hint)


@contextmanager
def _told_to_go_on(study: str, meter: _Meter) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        meter.clear()
        print(
            f"rck: {study}: interrupted; {meter.done} of {meter.total} runs are kept: "
            "the same command goes on from there",
            file=sys.stderr,
        )
        raise
    except RockcreekError:
        meter.clear()
        raise
    meter.clear()


class _Meter:
    """One line on a terminal, or a line now and then in a log."""

    def __init__(
        self, study: str, total: int, done: int, *, quiet: bool, stream: TextIO | None = None
    ) -> None:
        self._stream = stream or sys.stderr
        self._study = study
        self.total, self.done = total, done
        self._kept = done
        self._quiet = quiet
        self._terminal = self._stream.isatty()
        self._simulated_ps = 0
        self._start = time.monotonic()
        self._next = self._start + (0 if self._terminal else _LOG_PERIOD_S)
        self._shown = False

    def finished(self, time_ps: int) -> None:
        """One more run has ended."""
        self.done += 1
        self._simulated_ps += time_ps
        now = time.monotonic()
        if self._quiet or now < self._next:
            return
        self._next = now + (_TERMINAL_PERIOD_S if self._terminal else _LOG_PERIOD_S)
        text = self._text(now - self._start)
        self._write(f"\r\x1b[K{text}" if self._terminal else f"{text}\n")
        self._shown = self._terminal

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._write("\r\x1b[K")
            self._shown = False

    def _text(self, wall_s: float) -> str:
        ran = self.done - self._kept
        left = wall_s / ran * (self.total - self.done)
        kept = f" ({self._kept} kept)" if self._kept else ""
        return (
            f"rck: {self._study}: {self.done} of {self.total} runs{kept}, "
            f"{self._simulated_ps / PS_PER_SECOND:.3f} s simulated in {wall_s:.0f} s, "
            f"about {left:.0f} s left"
        )

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._quiet = True
