"""Records a run: begins the chip's trace, gives it names, writes the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rockcreek.chip import Chip
from rockcreek.microkernel import gates
from rockcreek.microkernel.gates import GateReader
from rockcreek.outputs import Output, Outputs
from rockcreek.results.messages import Call
from rockcreek.software.image import Image
from rockcreek.tracing import labels
from rockcreek.tracing.calls import Calls
from rockcreek.tracing.selection import (
    CALLS,
    FUNCTIONS,
    KERNEL,
    MARKS,
    MESSAGES,
    SAMPLED,
    Selection,
)
from rockcreek.units import format_ps

# A trace is kept in memory until the end of the run, viewers take no larger ones, and the guest
# says how fast it grows.
MOST_BYTES = 1 << 30
_UI = "open it in https://ui.perfetto.dev or any viewer of Perfetto traces"


class Recorder:
    """The trace of one run. `images` are those of ring 0 and of ring 3; `personality`: a kernel's
    server for programs, in ring 3 beside them."""

    def __init__(
        self,
        chip: Chip,
        cores: Sequence[int],
        images: tuple[Image, Image],
        selection: Selection,
        every_ps: int,
        *,
        flame: bool = False,
        personality: Image | None = None,
    ) -> None:
        from rockcreek import _native

        selection.check_cores(cores, chip.description.core_count)
        self._chip = chip
        kinds, (kernel, program) = selection.kinds, images
        self._calls = Calls(cores, program, messages=MESSAGES in kinds, marks=MARKS in kinds)
        self._trace = _native.Trace(
            (selection.from_ps, selection.to_ps),
            selection.shortest_ps,
            FUNCTIONS in kinds,
            KERNEL in kinds,
            MOST_BYTES,
        )
        self._name_tracks([core for core in cores if selection.shows(core)], kinds, flame=flame)
        self._trace.name_functions(False, kernel.functions)
        self._trace.name_functions(True, program.functions)
        if personality is not None:
            self._trace.name_functions(True, personality.functions)
        self._gates = GateReader(chip, kernel, None if program is kernel else program)
        self._sees_gates = self._gates.sees and MESSAGES in kinds
        vectors = gates.VECTORS if self._sees_gates else {}
        self._trace.name_vectors(sorted({**labels.VECTORS, **vectors}.items()))
        self._trace.watch([*self._calls.ends, *vectors], list(self._calls.marks))
        entries = sorted({address for image in images for address, _, _ in image.functions})
        wanted = bool(kinds & CALLS) or flame
        # A flame graph has all calls.
        chip.start_trace(
            entries if wanted else None,
            0 if flame else selection.shortest_ps,
            [*self._calls.ends, *self._calls.marks],
            every_ps if kinds & SAMPLED else 0,
        )

    def _name_tracks(self, cores: Sequence[int], kinds: frozenset[str], *, flame: bool) -> None:
        description = self._chip.description
        tiles = sorted({core // description.cores_per_tile for core in cores})
        for tile in tiles:
            self._trace.add_process(labels.tile(description, tile), tile + 1)
        for core in cores if kinds & CALLS or flame else ():
            pid = core // description.cores_per_tile + 1
            self._trace.add_core(core, pid, f"core {description.core_label(core)}", flame)
        self._trace.name_counters(labels.counters(description, kinds))

    def watch(self, cores: Iterable[int]) -> None:
        """Notes the calls that mean something: after all who only count them."""
        cores = list(cores)
        for core in cores if self._calls.addresses else ():
            self._chip.set_probes(core, self._calls.addresses, calls=True)
        if self._sees_gates:
            self._gates.watch(cores)

    @property
    def sees_calls(self) -> bool:
        """Whether calls must be taken from the chip."""
        return bool(self._calls.addresses) or self._sees_gates

    def take(self, calls: Iterable[Call], *, all: bool) -> None:
        """What the chip has noted; the calls were taken before."""
        self._chip.feed_trace(self._trace, all=all)
        calls = list(calls)
        for core, sent, ends in self._gates.read(calls) if self._sees_gates else ():
            name = f"{gates.VECTORS[sent.vector]}: {ends.thread} to `{ends.gate}`"
            self._trace.note(core, *sent.entry, ("call", name, "message", [], None, 0))
        for call in calls:
            note = self._calls.read(call)
            if note is not None:
                self._trace.note(call[0], call[1], call[2], note)
        self._trace.settle(self._chip.time_ps)

    def finish(self, outputs: Outputs, say: Callable[[str], None]) -> None:
        """Write the files at the end of the run."""
        end_ps = self._chip.time_ps
        trace, flame = outputs.get("trace"), outputs.get("flame")
        if trace is None:
            self._trace.finish(None, end_ps)
        else:
            outputs.write("trace", lambda to: self._write(to, end_ps, say))
        if flame is not None:
            outputs.write("flame", lambda to: self._write_flame(to, say))

    def _write_flame(self, to: Output, say: Callable[[str], None]) -> None:
        dropped = to.fill(self._trace.flame)
        say(f"rck: flame graph: {to.path}, stacks and nanoseconds, for speedscope.app and others")
        if dropped:
            say(
                f"rck: flame graph: {dropped:,} calls or stacks are beyond a core's bounds: calls"
                " beyond 128 functions deep or 65,536 stacks count as their callers' time, stacks"
                " beyond 64 MB are left out"
            )

    def _write(self, to: Output, end_ps: int, say: Callable[[str], None]) -> None:
        size, events = to.fill(lambda descriptor: self._trace.finish(descriptor, end_ps))
        say(f"rck: trace: {events:,} events, {size / 1e6:,.1f} MB in {to.path}; {_UI}")
        if (full_ps := self._trace.full_ps()) is not None:
            say(
                f"rck: trace: it was full at {format_ps(full_ps)} of simulated time and ends there;"
                " choose a span of time or longer slices with --trace-only"
            )
        if dropped := self._trace.marks_dropped():
            say(
                f"rck: trace: {dropped:,} marks are not in it: a core has 1,024 open regions and"
                " 4,096 names of values at most"
            )
