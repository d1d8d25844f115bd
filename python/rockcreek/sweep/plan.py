"""A plan: parameters that all runs share, those that vary, and points that are listed."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, cast

from rockcreek import description as descriptions
from rockcreek._version import __version__
from rockcreek.errors import InputError, UsageError
from rockcreek.printable import nearest
from rockcreek.reading import documents

# What a point may say, and the types that its values have.
PARAMETERS: dict[str, tuple[type, ...]] = {
    "program": (str,),
    "arguments": (list,),
    "n": (int,),
    "cores": (list,),
    "chip": (str,),
    "description": (str,),
    "clocks": (str,),
    "jitter": (int,),
    "until": (str,),
    "fault": (str,),
    "fault_seed": (int,),
    "power": (bool,),
    "messages": (bool,),
}
_HINT = "docs/guide/campaigns.md describes plans"


class Point(TypedDict, total=False):
    """A run: the parameters that its plan gives. A point that is checked has a program."""

    program: str
    arguments: list[str]
    n: int
    cores: list[int]
    chip: str
    description: str
    clocks: str
    jitter: int
    until: str
    fault: str
    fault_seed: int
    power: bool
    messages: bool


# Parameters of a run that nothing has checked yet.
Given = Mapping[str, object]


@dataclass(frozen=True)
class Plan:
    """The points, in their order, with absolute paths."""

    name: str
    points: tuple[Point, ...]

    @property
    def key(self) -> str:
        """A hash of all that results depend on: points, programs, chips, fault plans, version."""
        seen = hashlib.sha256(f"{__version__}\n{json.dumps(self.points)}".encode())
        programs = {point["program"] for point in self.points}
        for program in sorted(programs):
            seen.update(documents.data(program))
        for chip in sorted({point.get("chip", "scc") for point in self.points}):
            seen.update(descriptions.load(chip).sha256.encode())
        for fault in sorted({point.get("fault", "") for point in self.points}):
            if Path(fault).is_file():
                seen.update(documents.data(fault))
        return seen.hexdigest()


def read_plan(path: str | Path) -> Plan:
    """A plan from its TOML file; its paths begin at the file's folder."""
    document = documents.toml(path, hint=_HINT)
    varied, listed = document.pop("vary", {}), document.pop("point", [])
    if not isinstance(varied, dict) or not isinstance(listed, list):
        raise InputError(
            f"{path}: `vary` is a table and `point` a list of tables", path=str(path), hint=_HINT
        )
    try:
        return make_plan(
            document, vary=varied, points=listed, name=Path(path).stem, folder=Path(path).parent
        )
    except UsageError as error:
        raise InputError(f"{path}: {error.message}", path=str(path), hint=error.hint) from error


def make_plan(
    same: Given,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    points: Sequence[Given] = (),
    name: str = "plan",
    folder: str | Path = ".",
) -> Plan:
    """Each combination of the values that vary (the last one fastest), then the listed points.

    >>> plan = make_plan({"program": "a"}, vary={"n": [1, 2], "jitter": [7, 8]})
    >>> [(point["n"], point["jitter"]) for point in plan.points]
    [(1, 7), (1, 8), (2, 7), (2, 8)]
    """
    found: list[Given] = []
    varied = vary or {}
    for key, values in varied.items():
        if not isinstance(values, list | tuple):
            raise UsageError(f"vary.{key}: is no list of values", hint=_HINT)
    if varied or not points:
        for values in itertools.product(*varied.values()):
            found.append({**same, **dict(zip(varied, values, strict=True))})
    found += [{**same, **point} for point in points]
    return Plan(name, tuple(_checked(point, Path(folder)) for point in found))


def _checked(given: Given, folder: Path) -> Point:
    for key, value in given.items():
        if key not in PARAMETERS:
            raise UsageError(
                f"'{key}' is no parameter of a run{nearest(key, list(PARAMETERS))}", hint=_HINT
            )
        # In Python, true is an integer.
        right = isinstance(value, PARAMETERS[key]) and (
            not isinstance(value, bool) or bool in PARAMETERS[key]
        )
        if not right:
            raise UsageError(f"{key} = {value!r}: wants {PARAMETERS[key][0].__name__}", hint=_HINT)
    point = cast("Point", given)
    if "program" not in point:
        raise UsageError("a point has no `program`", hint=_HINT)
    changed: Point = {**point, "program": str((folder / point["program"]).absolute())}
    if "chip" in point and (folder / point["chip"]).is_file():
        changed["chip"] = str((folder / point["chip"]).absolute())
    if "fault" in point and (folder / point["fault"]).is_file():
        changed["fault"] = str((folder / point["fault"]).absolute())
    return changed
