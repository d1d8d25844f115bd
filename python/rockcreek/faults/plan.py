"""Plans of faults: a TOML file, or one line; and what the seed makes of it.

What is drawn depends on seed, fault and field alone: SHA-256 of the three, so that it is the same
on every host and in every version of Python.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from rockcreek.errors import InputError, UsageError
from rockcreek.faults.kinds import KINDS, MOST_VOLTS, Field, Placed, Where
from rockcreek.printable import nearest
from rockcreek.reading import documents
from rockcreek.units import parse_duration_ps

_COMMON = ("kind", "at", "probability")
_NUMBER = r"0[xX][0-9a-fA-F]{1,40}|[0-9]{1,40}"
_SPAN = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*")
ANY = "any"
_EXAMPLE = "for example mpb:core=1,offset=0x40,bit=3@2ms"
_SEED_MAX = 1 << 63


@dataclass(frozen=True)
class Origin:
    """A place in a plan (file, line), for messages."""

    source: str  # the file, or `--fault`
    positions: Mapping[str, str]  # "line 3, column 1" by key; "" is the fault itself

    def error(self, key: str, what: str, hint: str) -> InputError:
        at = self.positions.get(key) or self.positions.get("", "")
        text = f"{self.source}: {at}: {what}" if at else f"{self.source}: {what}"
        return PlanError(text, path=self.source, hint=hint)


class PlanError(InputError):
    """A plan of faults that makes no sense."""


@dataclass(frozen=True)
class Spec:
    """A fault as a plan has it: what is open is drawn later."""

    kind: str
    values: Mapping[str, object]
    origin: Origin


@dataclass(frozen=True)
class Plan:
    """The faults of a run, as a plan lists them, and the seed that draws them."""

    specs: tuple[Spec, ...]
    seed: int = 0

    def placed(self, where: Where, seed: int | None = None) -> list[Placed]:
        """The plan's faults for this run, with its seed or another."""
        seed = self.seed if seed is None else seed
        return [_Place(spec, where, seed, n).placed() for n, spec in enumerate(self.specs)]


def read(texts: Sequence[str]) -> Plan:
    """The plan of one or more `--fault`: files or lines; their faults add up."""
    plan = Plan(())
    for text in texts:
        part = _file(text) if text.endswith(".toml") or os.path.isfile(text) else _line(text)
        plan = replace(plan, specs=plan.specs + part.specs, seed=part.seed or plan.seed)
    if not plan.specs:
        raise UsageError("--fault: the plan has no fault", hint=_EXAMPLE)
    return plan


def _file(name: str) -> Plan:
    hint = f"correct the file, or give the fault itself, {_EXAMPLE}"
    text = documents.text(name, most=documents.MOST_TOML_BYTES, hint=hint)
    values = documents.toml_of(text, name, hint=hint)
    top, positions = _positions(text)
    origin = Origin(name, top)
    for key in values:
        if key not in ("seed", "fault"):
            raise origin.error(
                key, f"there is no key `{key}`", "a plan has `seed` and tables `[[fault]]`"
            )
    faults = values.get("fault", [])
    if not isinstance(faults, list) or not all(isinstance(one, dict) for one in faults):
        raise origin.error("fault", "`fault` is no list of tables", "write [[fault]]")
    specs = [
        _spec(one, Origin(name, positions[n] if n < len(positions) else {}))
        for n, one in enumerate(faults)
    ]
    return Plan(tuple(specs), _seed(values.get("seed", 0), origin))


def _positions(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Where keys stand in a TOML file: those at the top, and those of each `[[fault]]`."""
    top: dict[str, str] = {}
    faults: list[dict[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        column = len(line) - len(line.lstrip()) + 1
        if line.strip().startswith("[[fault]]"):
            faults.append({"": f"line {number}, column {column}"})
        match = re.match(r"\s*\"?([A-Za-z_-]+)\"?\s*=", line)
        if match is not None:
            (faults[-1] if faults else top)[match[1]] = f"line {number}, column {column}"
    return top, faults


def _line(text: str) -> Plan:
    """`seed=7; kind:key=value,key=value@time; ...`"""
    specs, seed, column = [], 0, 1
    for part in text.split(";"):
        start = column + len(part) - len(part.lstrip())
        column += len(part) + 1
        if not part.strip():
            continue
        if part.strip().startswith("seed="):
            origin = Origin("--fault", {"": f"column {start}"})
            seed = _seed(_value(part.strip().removeprefix("seed=")), origin)
            continue
        specs.append(_inline(part.strip(), start))
    return Plan(tuple(specs), seed)


def _inline(part: str, start: int) -> Spec:
    positions = {"": f"column {start}"}
    head, _, at = part.rpartition("@") if "@" in part else (part, "", "")
    kind, colon, fields = head.partition(":")
    values: dict[str, object] = {"kind": kind.strip()}
    if "@" in part:
        values["at"] = at.strip()
        positions["at"] = f"column {start + len(head)}"
    column = start + len(kind) + len(colon)
    for item in fields.split(",") if fields else ():
        key, sign, value = item.partition("=")
        key = key.strip()
        positions[key] = f"column {column}"
        column += len(item) + 1
        if not sign or not key:
            origin = Origin("--fault", positions)
            raise origin.error(key, f"`{item.strip()}` is not of the form key=value", _EXAMPLE)
        if key in values:
            raise Origin("--fault", positions).error(
                key, f"`{key}` is given twice", "once is enough"
            )
        values[key] = _value(value)
    return _spec(values, Origin("--fault", positions))


def _value(text: str) -> int | str:
    text = text.strip()
    return int(text, 0) if re.fullmatch(_NUMBER, text) and not re.match(r"0\d", text) else text


def _seed(value: object, origin: Origin) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _SEED_MAX:
        raise origin.error("seed", f"seed: {value!r} is no number from 0", "for example seed = 1")
    return value


def _spec(values: Mapping[str, object], origin: Origin) -> Spec:
    name = values.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        known = ", ".join(KINDS)
        near = nearest(str(name), list(KINDS))
        what = "the fault has no kind" if name is None else f"there is no fault `{name}`{near}"
        raise origin.error("kind", what, f"choose from {known}")
    fields = KINDS[name].fields
    for key in values:
        if key not in fields and key not in _COMMON:
            known = ", ".join((*fields, "at", "probability"))
            raise origin.error(
                key, f"{name} has no `{key}`{nearest(key, list(fields))}", f"it has {known}"
            )
    if "at" not in values:
        raise origin.error("", f"{name}: when? `at` is missing", 'for example at = "2ms"')
    spec = Spec(name, values, origin)
    _check_state(spec)
    return spec


def _check_state(spec: Spec) -> None:
    needed = {"slow": "delay", "lossy": "loss"}
    key = needed.get(str(spec.values.get("state"))) if spec.kind == "link" else None
    if key is not None and key not in spec.values:
        hint = 'delay = "100ns"' if key == "delay" else "loss = 0.01"
        raise spec.origin.error("state", f"a {spec.values['state']} link needs `{key}`", hint)
    if spec.kind in ("link", "lock") and spec.values.get("state", ANY) == ANY:
        known = "well, slow, lossy, dead" if spec.kind == "link" else "taken, free, well"
        raise spec.origin.error("state", f"{spec.kind}: `state` must be given", f"one of {known}")


class _Place:
    """Draws what a spec leaves open."""

    def __init__(self, spec: Spec, where: Where, seed: int, number: int) -> None:
        self._spec = spec
        self._where = where
        self._seed = seed
        self._number = number

    def _draw(self, name: str, count: int) -> int:
        """A number below `count`."""
        key = f"{self._seed}/{self._number}/{name}".encode()
        return int.from_bytes(hashlib.sha256(key).digest()[:16], "little") % count

    def placed(self) -> Placed:
        spec = self._spec
        place = dict(self._fields())
        given, chance = spec.values.get("probability", 1), -1.0
        if isinstance(given, int | float | str) and not isinstance(given, bool):
            with suppress(ValueError):
                chance = float(given)
        if not 0 <= chance <= 1:
            raise spec.origin.error(
                "probability",
                f"probability: {spec.values['probability']!r} is not between 0 and 1",
                "for example 0.5",
            )
        drawn = self._draw("probability", 1 << 53) < chance * (1 << 53)
        seed = self._draw("loss", 1 << 63)
        return Placed(self._number, spec.kind, place, self._instant(), drawn, seed)

    def _instant(self) -> int:
        text = str(self._spec.values["at"])
        first, dots, last = text.partition("..")
        try:
            start = parse_duration_ps(first)
            end = parse_duration_ps(last) if dots else start
        except UsageError as error:
            raise self._spec.origin.error("at", f"at: {error.message}", str(error.hint)) from error
        if end < start:
            raise self._spec.origin.error("at", f"at: {text} ends before it begins", "at = a..b")
        return start + self._draw("at", end - start + 1)

    def _fields(self) -> Iterator[tuple[str, int | str | float]]:
        for name, field in KINDS[self._spec.kind].fields.items():
            value = self._spec.values.get(name, ANY)
            if field.optional and name not in self._spec.values:
                continue
            yield name, self._field(name, field, value)

    def _field(self, name: str, field: Field, value: Any) -> int | str | float:
        if field.words:
            return self._word(name, field.words, value)
        if field.duration:
            try:
                return parse_duration_ps(str(value))
            except UsageError as error:
                raise self._error(name, error.message, str(error.hint)) from error
        if field.fraction:
            return self._fraction(name, value, 1, "0.01")
        if field.volts:
            return self._fraction(name, value, MOST_VOLTS, "0.7")
        assert field.span is not None
        low, high = field.span(self._where)
        if value == ANY and field.usual is not None:
            choice = field.usual(self._where)
            return choice[self._draw(name, len(choice))]
        first, last = (low, high) if value == ANY else self._span(name, value)
        if not low <= first <= last <= high:
            raise self._error(name, f"{value} is outside {low} to {high}", "numbers or a..b")
        return first + self._draw(name, last - first + 1)

    def _word(self, name: str, words: tuple[str, ...], value: Any) -> str:
        if value == ANY:
            # Not EIP and EFLAGS, unless they are named.
            some = words[:8] if name == "register" else words
            return some[self._draw(name, len(some))]
        if value not in words:
            near = nearest(str(value), list(words))
            raise self._error(
                name, f"there is no `{value}`{near}", f"choose from {', '.join(words)}"
            )
        return str(value)

    def _fraction(self, name: str, value: Any, most: float, example: str) -> float:
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = -1.0
        if not 0 <= found <= most:
            raise self._error(
                name, f"{value!r} is not between 0 and {most:g}", f"for example {example}"
            )
        return found

    def _span(self, name: str, value: Any) -> tuple[int, int]:
        if isinstance(value, int) and not isinstance(value, bool):
            return value, value
        text = str(value)
        match = _SPAN.fullmatch(text)
        if match is None:
            raise self._error(name, f"{value!r} is no number", "a number, a range a..b, or any")
        return int(match[1], 0), int(match[2], 0)

    def _error(self, name: str, what: str, hint: str) -> InputError:
        return self._spec.origin.error(name, f"{self._spec.kind}: {name}: {what}", hint)
