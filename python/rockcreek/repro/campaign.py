"""All runs of a study: side by side where asked, told on the way, kept as they finish.

Each finished run is a file; a campaign that was interrupted goes on from the files that are
there. The numbers do not depend on how many processes there were.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from rockcreek.description import Description
from rockcreek.errors import RockcreekError, UsageError
from rockcreek.repro import runs
from rockcreek.repro.points import Point
from rockcreek.repro.runs import Run
from rockcreek.repro.study import Study
from rockcreek.units import PS_PER_SECOND

_TERMINAL_PERIOD_S = 0.5
_LOG_PERIOD_S = 30.0


@dataclass
class Campaign:
    """The runs of one study and where their records are kept."""

    study: Study
    points: Sequence[Point]
    programs: dict[str, Path]
    chip: Description  # read once: what the keys of the points were made of
    folder: Path
    jobs: int = 1
    fresh: bool = False  # run again what is there already
    verify: bool = False  # run everything twice, with and without skipping
    quiet: bool = False

    def execute(self) -> list[Run]:
        """All runs in the order of the points; those with a record are not run again."""
        if self.jobs < 1:
            raise UsageError(f"--jobs {self.jobs}: choose 1 or more")
        self.folder.mkdir(parents=True, exist_ok=True)
        records = {} if self.fresh or self.verify else self._kept()
        missing = [point for point in self.points if point.key not in records]
        meter = _Meter(self.study.id, len(self.points), len(records), quiet=self.quiet)
        for record in self._performed(missing, meter):
            records[record["key"]] = record
        return [runs.from_record(records[point.key]) for point in self.points]

    def _kept(self) -> dict[str, Any]:
        records = {}
        for point in self.points:
            try:
                record = json.loads(self._path(point).read_text())
            except (OSError, ValueError):
                continue  # not run yet, or written only in part
            records[point.key] = record
        return records

    def _performed(self, missing: Sequence[Point], meter: _Meter) -> Iterator[dict[str, Any]]:
        """The records of these points as they finish, each written before it is handed on."""
        with _told_to_go_on(self.study.id, meter):
            for point, record in (
                self._in_turn(missing) if self.jobs == 1 else self._side_by_side(missing)
            ):
                _write(self._path(point), record)
                meter.finished(record["time_ps"])
                yield record

    def _in_turn(self, points: Sequence[Point]) -> Iterator[tuple[Point, dict[str, Any]]]:
        for point in points:
            program = str(self.programs[point.program])
            yield point, runs.perform(self.study, point, program, self.chip, verify=self.verify)

    def _side_by_side(self, points: Sequence[Point]) -> Iterator[tuple[Point, dict[str, Any]]]:
        pool = ProcessPoolExecutor(min(self.jobs, max(len(points), 1)))
        try:
            pending: dict[Future[dict[str, Any]], Point] = {}
            for point in points:
                program = str(self.programs[point.program])
                future = pool.submit(
                    runs.perform, self.study, point, program, self.chip, verify=self.verify
                )
                pending[future] = point
            while pending:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield pending.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _path(self, point: Point) -> Path:
        return self.folder / f"{point.key}.json"


def _write(path: Path, record: dict[str, Any]) -> None:
    """All of the record or nothing: a rename is one step."""
    partial = path.with_suffix(f".{os.getpid()}.part")
    partial.write_text(json.dumps(record) + "\n")
    partial.replace(path)


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
