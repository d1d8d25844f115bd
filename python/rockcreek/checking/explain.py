"""One finding as a story, with a picture of who had which copy when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rockcreek.checking.places import line_of, name, own_frame
from rockcreek.checking.remedies import value
from rockcreek.checking.report import describe
from rockcreek.errors import InputError, NotFoundError, UsageError
from rockcreek.units import format_ps

_WIDTH = 24


def read(text: str) -> dict[str, Any]:
    """The finding that `FILE#n` names."""
    path, separator, number = text.rpartition("#")
    if not separator or not number.isdigit():
        raise UsageError(
            f"'{text}' is not of the form FILE#n", hint="for example `rck explain r.json#1`"
        )
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        findings = document["check"]["findings"]
    except OSError as error:
        raise NotFoundError(
            f"{path}: {error.strerror}",
            path=path,
            hint="`rck run --check coherence --json FILE prog` writes one",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: holds no findings of a checked run",
            path=path,
            hint="`rck run --check coherence --json FILE prog` writes one",
        ) from error
    for finding in findings:
        if finding["number"] == int(number):
            return dict(finding)
    raise UsageError(f"{path} has no finding {number}", hint=f"it has {len(findings)}, from 1 on")


def story(finding: Mapping[str, Any]) -> str:
    """The finding, what happened in the order of time, and the picture."""
    steps = sorted(_steps(finding), key=lambda step: step[0])
    cores = sorted({core for _, core, _, _ in steps})
    columns = {core: number for number, core in enumerate(cores)}
    lines = [*describe(finding), "", f"{finding['what']}, in the order of time:", ""]
    head = "".join(f"{f'core {core:02}':<{_WIDTH}}" for core in cores)
    lines.append(f"{'':<14}{head}")
    for time_ps, core, short, _ in steps:
        cell = " " * (_WIDTH * columns[core]) + short
        lines.append(f"{format_ps(time_ps):>12}  {cell}")
    lines.append("")
    for number, (_, core, _, long) in enumerate(steps, 1):
        lines.append(f"{number}. core {core}: {long}")
    lines += ["", f"What to do: {finding['remedy']}."]
    return "\n".join(lines)


def _steps(finding: Mapping[str, Any]) -> list[tuple[int, int, str, str]]:
    """Time, core, a word for the picture, a sentence."""
    victim, culprit, order = finding["victim"], finding["culprit"], finding["order"]
    kind, steps = finding["kind"], []
    if kind in ("stale-read", "mixed-mapping", "stale-poll"):
        steps.append(
            (
                finding["since_ps"],
                victim["core"],
                f"{finding['level']} <- old",
                f"the line comes into {finding['level']}, with {value(victim)}",
            )
        )
    if culprit is not None and culprit["frames"]:
        where = f" -> {finding['level']}" if kind == "stuck-write" else ""
        steps.append(
            (
                culprit["time_ps"],
                culprit["core"],
                f"writes {value(culprit)}{where}",
                f"{name(own_frame(culprit))} writes {value(culprit)}"
                + (f"; it stays in the {finding['level']}" if where else ""),
            )
        )
    if order is not None and kind in ("stale-read", "mixed-mapping", "stuck-write"):
        released, acquired = order["released"], order["acquired"]
        steps.append(
            (
                released["time_ps"],
                released["core"],
                f"{order['kind']} >>",
                f"{line_of(released)} tells the others ({order['kind']})",
            )
        )
        steps.append(
            (
                acquired["time_ps"],
                acquired["core"],
                f">> {order['kind']}",
                f"{line_of(acquired)} sees that",
            )
        )
    verb = {"lost-update": "writes", "lost-write": "writes", "lock-misuse": "releases"}
    verb |= {"double-write": "writes", "never-read": "writes"}
    word = verb.get(kind, "reads")
    steps.append(
        (
            victim["time_ps"],
            victim["core"],
            f"{word} {value(victim)}" + (" (!)" if word == "reads" else ""),
            f"{name(own_frame(victim))} {word} {value(victim)}",
        )
    )
    return steps
