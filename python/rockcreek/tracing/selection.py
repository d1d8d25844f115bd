"""What a trace is to show: `--trace-only KEY=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rockcreek.description import core_lists
from rockcreek.errors import UsageError
from rockcreek.units import parse_duration_ps

FUNCTIONS, KERNEL, MESSAGES, MARKS = "functions", "kernel", "messages", "marks"
LINKS, MEMORY, CLOCKS, POWER = "links", "memory", "clocks", "power"
KINDS = (FUNCTIONS, KERNEL, MESSAGES, MARKS, LINKS, MEMORY, CLOCKS, POWER)
# Kinds that need what cores call.
CALLS = frozenset((FUNCTIONS, KERNEL, MESSAGES, MARKS))
SAMPLED = frozenset((LINKS, MEMORY, POWER))
FOREVER_PS = (1 << 63) - 1
SHORTEST_PS = 10**6
EVERY_PS = 10**8
_EXAMPLES = "time=1ms..3ms, core=0-3, kind=functions,messages or shortest=10us"


@dataclass(frozen=True)
class Selection:
    """By default everything, but slices shorter than a microsecond."""

    from_ps: int = 0
    to_ps: int = FOREVER_PS
    cores: frozenset[int] | None = None  # None: all that run
    kinds: frozenset[str] = frozenset(KINDS)
    shortest_ps: int = SHORTEST_PS

    def shows(self, core: int) -> bool:
        return self.cores is None or core in self.cores

    def check_cores(self, running: Sequence[int], on_chip: int) -> None:
        """Refuse cores that the chip has not got, and a choice of which no core runs."""
        if self.cores is None:
            return
        absent = [core for core in sorted(self.cores) if core >= on_chip]
        if absent or not self.cores & set(running):
            what = f"there is no core {absent[0]}" if absent else "none of these cores runs"
            raise UsageError(
                f"--trace-only core=...: {what}",
                hint=f"cores of this run: {', '.join(map(str, running))}",
            )


def parse(texts: Iterable[str]) -> Selection:
    """The selection that the options say."""
    chosen = Selection()
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator or key not in _PARSERS:
            raise UsageError(
                f"--trace-only {text}: not time=, core=, kind= or shortest=", hint=_EXAMPLES
            )
        chosen = _PARSERS[key](chosen, text, value)
    return chosen


def _time(chosen: Selection, text: str, value: str) -> Selection:
    first, separator, last = value.partition("..")
    if not separator:
        raise UsageError(
            f"--trace-only {text}: not FROM..TO", hint="such as time=1ms..3ms or 1ms.."
        )
    from_ps = _duration(text, first) if first else 0
    to_ps = _duration(text, last) if last else FOREVER_PS
    if to_ps < from_ps:
        raise UsageError(f"--trace-only {text}: ends before it begins", hint=_EXAMPLES)
    return replace(chosen, from_ps=from_ps, to_ps=to_ps)


def _core(chosen: Selection, text: str, value: str) -> Selection:
    try:
        return replace(chosen, cores=frozenset(core_lists.parse_spans(value)))
    except core_lists.NoCoreListError as error:
        raise UsageError(
            f"--trace-only {text}: not a list of core numbers", hint="such as core=0,10,40-47"
        ) from error


def _kind(chosen: Selection, text: str, value: str) -> Selection:
    kinds = frozenset(value.split(","))
    unknown = sorted(kinds - set(KINDS))
    if unknown:
        raise UsageError(
            f"--trace-only {text}: there is no kind '{unknown[0]}'",
            hint=f"kinds are {', '.join(KINDS)}",
        )
    return replace(chosen, kinds=kinds)


def _shortest(chosen: Selection, text: str, value: str) -> Selection:
    return replace(chosen, shortest_ps=_duration(text, value))


def _duration(text: str, value: str) -> int:
    try:
        return parse_duration_ps(value)
    except UsageError as error:
        raise UsageError(f"--trace-only {text}: {error}", hint=error.hint) from error


_PARSERS = {"time": _time, "core": _core, "kind": _kind, "shortest": _shortest}
