"""What long runs of attacks have tried, a line each in a file below out/trust: a stopped call is
gone on with by the next one."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict
from typing import TYPE_CHECKING, Generic, TypeVar

from guest_programs import ROOT

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Line = TypeVar("Line", bound=DataclassInstance)
else:
    Line = TypeVar("Line")


class Lines(Generic[Line]):
    """All lines so far. Threads may add to them."""

    def __init__(self, name: str, kind: type[Line], *, anew: bool = False) -> None:
        self._file = ROOT / "out/trust" / f"{name}.jsonl"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if anew:
            self._file.unlink(missing_ok=True)
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        self._lines = [kind(**json.loads(line)) for line in lines]
        self._lock = threading.Lock()

    def add(self, line: Line) -> None:
        with self._lock, self._file.open("a") as file:
            file.write(json.dumps(asdict(line)) + "\n")
            self._lines.append(line)

    def all(self) -> list[Line]:
        return list(self._lines)
