"""Mistakes of programs of MPI that the calls of all ranks show, each reported once.

Errors that MPI finds come with the line of the program. What MPI accepts in silence is compared
between ranks: collective calls of MPI_COMM_WORLD, types of messages, requests that nobody waits
for, calls from threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rockcreek.chip import Chip, Exit
from rockcreek.deadlocks import calls
from rockcreek.deadlocks.transfers import Sent
from rockcreek.inspection import return_values
from rockcreek.inspection.backtrace import Frame, Locator
from rockcreek.ranks import calls_of_mpi, error_words
from rockcreek.ranks.calls_of_mpi import FUNCTIONS, Function, Kind
from rockcreek.ranks.collectives import Collective, Collectives
from rockcreek.ranks.messages_by_type import Half, Pairs
from rockcreek.software import libraries
from rockcreek.software.image import Image
from rockcreek.software.libraries import MPI_ERROR

# Each error passes through the first, with its code third, and those that end the program through
# the second; calls outside MPI_Init and MPI_Finalize pass through the third.
_ABORT, _OUTSIDE = "MPID_Abort", "MPIR_Err_Uninitialized"
# Of a program with these a function of its own may hear of errors.
_HANDLERS = ("MPI_Comm_create_errhandler", "MPI_Errhandler_create")
_INITS = ("MPI_Init", "MPI_Init_thread")
# As MPI's errors name what is not watched.
_NOT_WATCHED = [name.replace("MPI_", "internal_").encode() for name in calls_of_mpi.HOT]
_LONGEST_NAME = 32
# So far from the stack at MPI_Init lies no frame of the main thread.
_STACK_BYTES = 16 << 20
_MOST = 20  # places that are reported
_MOST_WAITED = 4096  # requests of one call that are looked at
_DIFFERENT = {
    "call": ("{0} against {1}", "all ranks must make the same collective calls, in one order"),
    "root": ("root {0.root} against {1.root}", "all ranks must name one root"),
    "size": ("{0.size} bytes against {1.size}", "all ranks must give one count and type"),
}


@dataclass
class _Rank:
    """What one rank has called so far."""

    core: int
    state: str = "before"  # running, ended
    started: int = 0  # where MPI_Init returned to
    stack: int = 0
    last: tuple[str, list[int]] = ("", [0] * 8)  # the program's last call
    error: int = 0  # of that call, until it is reported
    failed: bool = False
    requests: dict[int, tuple[str, int]] = field(default_factory=dict)
    # Where a request was ever started; those that another one overwrote, by their place in the
    # program: which call did, where, and of what.
    addresses: set[int] = field(default_factory=set)
    overwritten: dict[int, tuple[str, int, str]] = field(default_factory=dict)
    # A request was waited for at an address where none was started: the program copies them.
    moves_requests: bool = False


class Mistakes:
    """Takes the calls of MPI's functions that the probes have recorded."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> None:
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._label = chip.description.core_label
        self._rank = {core: rank for rank, core in enumerate(cores)}
        self._ranks = [_Rank(core) for core in cores]
        self._world, self._pairs = Collectives(len(cores)), Pairs()
        self._handles_errors = any(name in program.symbols for name in _HANDLERS)
        # A coroutine of the main thread has a stack elsewhere, too.
        self._has_coroutines = "makecontext" in program.symbols
        self._makes_communicators = False
        self._ignored: dict[int, bool] = {}  # by the address to which a call returns
        self._told: set[object] = set()
        self._lines: list[str] = []
        self._names = _watched(program)
        for core in cores:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        """Takes the calls that the probes have recorded."""
        for core, function, stack, words in noted:
            name, rank = self._names.get(function), self._rank.get(core)
            if name is None or rank is None:
                continue
            if name == MPI_ERROR:
                self._note_error(rank, words[2], words[3])
            elif name == _ABORT:
                self._ranks[rank].failed = True
                self._report_error(rank)
            elif name == _OUTSIDE:
                self._note_outside(rank)
            elif not self._is_library(self._program.function_at(words[0] - 1) or ""):
                self._note_call(rank, name, stack, words)

    def _is_library(self, name: str) -> bool:
        """Whether a function is MPI's: one of the program may begin with `MPI_`, too."""
        own = name.startswith("MPI_") and f"P{name}" not in self._program.symbols
        return name.startswith(calls.OF_MPI) and not own

    def _note_call(self, rank: int, name: str, stack: int, words: list[int]) -> None:
        one, function = self._ranks[rank], FUNCTIONS.get(name)
        one.last, one.error = (name, words), 0
        if name in _INITS:
            one.state, one.started, one.stack = "running", words[0], stack
        elif name == "MPI_Finalize":
            self._finalize(rank)
        elif one.state == "running" and self._is_elsewhere(stack, one.stack):
            self._tell(
                rank, ("thread", words[0]), f"{name} is called by a thread at"
                f" {self._at(words[0])}: MPI has no threads here (MPI_THREAD_SINGLE)",
                "call MPI from the thread of MPI_Init alone, outside parallel regions",
            )  # fmt: skip
        self._makes_communicators |= name.startswith(calls_of_mpi.MAKE_COMMUNICATORS)
        if function is not None and one.state == "running":
            self._compare(rank, name, function, words)
        if name in calls_of_mpi.EXCHANGES and one.state == "running":
            self._parts(rank, name, words)

    def _is_elsewhere(self, stack: int, main: int) -> bool:
        """Whether this is the stack of another thread than the main one."""
        return abs(stack - main) > _STACK_BYTES and not self._has_coroutines

    def _compare(self, rank: int, name: str, function: Function, words: list[int]) -> None:
        if function.kind == Kind.HIDDEN:
            self._pairs.leave_out(rank)
        elif function.kind == Kind.COLLECTIVE:
            self._collective(rank, name, function, words)
        elif function.kind in (Kind.SEND, Kind.RECEIVE):
            self._message(rank, name, function, words)
        if function.request is not None:
            self._requests(rank, name, function, words)

    def _collective(self, rank: int, name: str, function: Function, words: list[int]) -> None:
        if function.comm is None or words[function.comm] != calls_of_mpi.WORLD:
            return
        size = None
        if function.count is not None and function.type is not None:
            in_place = function.buffer and words[function.buffer] == calls_of_mpi.IN_PLACE
            bytes_of = function.bytes_of(words[function.count], words[function.type])
            size = None if in_place else bytes_of
        root = None if function.root is None else words[function.root]
        mine = Collective(rank, name, root, size, words[0])
        found = self._world.take(mine)
        if found is None:
            return
        what, other = found
        text, hint = _DIFFERENT[what]
        differ = text.format(other, mine) if what != "call" else f"{other.name} against {name}"
        self._tell(
            rank, "collective", f"collective calls of MPI_COMM_WORLD differ ({differ}): rank"
            f" {other.rank} is in {other.name} at {self._at(other.back)}, rank {rank} in {name} at"
            f" {self._at(words[0])}", hint,
        )  # fmt: skip

    def _parts(self, rank: int, name: str, words: list[int]) -> None:
        """What the call itself shows: parts of unequal size."""
        exchange = calls_of_mpi.EXCHANGES[name]
        if exchange.comm is not None and words[exchange.comm] != calls_of_mpi.WORLD:
            return
        of_world = not self._makes_communicators
        if exchange.root is not None and not (of_world and words[exchange.root] == rank):
            return
        parts = exchange.parts(words)
        if parts is not None and parts[0] != parts[1]:
            self._tell(
                rank, ("parts", words[0]), f"{name} at {self._at(words[0])} sends {parts[0]:,}"
                f" bytes to a rank, and receives {parts[1]:,} bytes from one",
                "both counts are those of one rank's part, not of all parts together",
            )  # fmt: skip

    def _message(self, rank: int, name: str, function: Function, words: list[int]) -> None:
        assert None not in (function.peer, function.tag, function.comm, function.type)
        peer, tag = words[function.peer or 0], words[function.tag or 0]
        sends = function.kind == Kind.SEND
        if words[function.comm or 0] != calls_of_mpi.WORLD or peer == calls_of_mpi.PROC_NULL:
            return
        if not sends and (peer == calls_of_mpi.ANY_SOURCE or tag == calls_of_mpi.ANY_TAG):
            self._pairs.leave_out(rank)
            return
        source, target = (rank, peer) if sends else (peer, rank)
        empty = words[function.count or 0] == 0  # no element, so of any type
        handle = calls_of_mpi.UNTYPED[0] if empty and sends else words[function.type or 0]
        half = Half(name, source, target, tag, handle, words[0])
        other = self._pairs.take(half, sends=sends)
        if other is None:
            return
        send, receive = (half, other) if sends else (other, half)
        self._tell(
            receive.target, ("type", send.back, receive.back),
            f"{receive.name} at {self._at(receive.back)} receives another type than rank"
            f" {source} sends ({send.name} at {self._at(send.back)})",
            "give send and receive one datatype",
        )  # fmt: skip

    def _requests(self, rank: int, name: str, function: Function, words: list[int]) -> None:
        one = self._ranks[rank]
        place = words[function.request or 0]
        if function.kind == Kind.COMPLETION:
            count = 1 if function.requests is None else words[function.requests]
            places = range(place, place + 4 * min(count, _MOST_WAITED), 4)
            for at in places:
                one.requests.pop(at, None)
            if count > _MOST_WAITED or not one.addresses.issuperset(places):
                one.moves_requests = True
            return
        before = one.requests.get(place)
        if before is not None:
            one.overwritten.setdefault(before[1], (name, words[0], before[0]))
        one.addresses.add(place)
        one.requests[place] = name, words[0]

    def _finalize(self, rank: int) -> None:
        one = self._ranks[rank]
        one.state = "ended"
        if one.moves_requests:
            return
        for before, (name, back, other) in one.overwritten.items():
            self._tell(
                rank, ("request", before), f"{name} at {self._at(back)} overwrites the request of"
                f" {other} at {self._at(before)}, for which nobody waited",
                "wait for each request, or give each call one of its own",
            )  # fmt: skip
        for name, back in dict.fromkeys(one.requests.values()):
            self._tell(
                rank, ("request", back), f"nobody waited for the request of {name} at"
                f" {self._at(back)}", "the buffer may be used when MPI_Wait returns",
            )  # fmt: skip

    def _note_error(self, rank: int, who: int, code: int) -> None:
        """An error, which a program that handles errors itself may look at. `who`: where the name
        of the function stands that failed; of those that are not watched MPI's lines say all."""
        one = self._ranks[rank]
        if self._program.bytes_at(who, _LONGEST_NAME).partition(b"\0")[0] in _NOT_WATCHED:
            one.error = 0
            return
        back, one.error = one.last[1][0], code
        if back not in self._ignored:
            ignored = return_values.is_ignored(self._program, back)
            self._ignored[back] = ignored and not self._handles_errors
        if self._ignored[back]:
            self._report_error(rank)

    def _report_error(self, rank: int) -> None:
        one = self._ranks[rank]
        (name, words), code = one.last, one.error
        if code == 0 or not name:
            return
        one.error, one.failed = 0, True
        what, hint = error_words.of(name, code, words, rank, len(self._ranks))
        self._tell(rank, (words[0], code), f"{name} failed at {self._at(words[0])}: {what}", hint)

    def _note_outside(self, rank: int) -> None:
        one = self._ranks[rank]
        name, words = one.last
        one.failed = True
        where = f" at {self._at(words[0])}" if name else ""
        ended = one.state == "ended"
        what = "MPI_Finalize was called before" if ended else "MPI_Init was not called before"
        hint = "call MPI_Finalize last" if ended else "call MPI_Init first"
        self._tell(rank, "outside", f"{name or 'a call of MPI'}{where}: {what}", hint)

    def _at(self, back: int) -> Frame:
        return self._locator.at(back - 1)

    def _tell(self, rank: int, key: object, what: str, hint: str) -> None:
        """A line for the user, once for each place and mistake."""
        if key not in self._told and len(self._told) < _MOST:
            self._told.add(key)
            core = self._label(self._ranks[rank].core)
            self._lines.append(f"rank {rank} (core {core}): {what}\nhint: {hint}")

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def not_received(self) -> list[Sent]:
        """Sends that no receive took."""
        return [
            Sent(one.source, one.target, one.tag, one.name, self._at(one.back))
            for one in self._pairs.not_received()
        ]

    def finish(self, exits: Mapping[int, Exit]) -> None:
        """The chip has stopped, and these cores have ended."""
        if any(one.failed for one in self._ranks):
            return
        if any(core not in exits for core in self._rank):
            self._say_who_has_ended()
        elif all(exits[core].reason == "exit" for core in self._rank):
            self._say_what_is_missing(exits)

    def _say_what_is_missing(self, exits: Mapping[int, Exit]) -> None:
        """Of a program that has ended by itself: the collective that some did not make, or
        MPI_Finalize."""
        left = [rank for rank, one in enumerate(self._ranks) if one.state == "running"]
        if left:
            rank = min(left, key=lambda one: exits[self._ranks[one].core].time_ps)
            if self._ranks[rank].last[0] != "MPI_Abort":
                self._tell(
                    rank, "end", "the program ended without MPI_Finalize (MPI_Init at"
                    f" {self._at(self._ranks[rank].started)})",
                    "call MPI_Finalize on every way out of main, or MPI_Abort",
                )  # fmt: skip
            return
        missing = self._world.not_by_all()
        if missing is not None:
            self._say_not_called(*missing)

    def _say_who_has_ended(self) -> None:
        """Of a program that has not ended: the collective that ranks did not make before
        MPI_Finalize."""
        missing = self._world.not_by_all()
        if missing is not None and all(self._ranks[one].state == "ended" for one in missing[1]):
            self._say_not_called(*missing)

    def _say_not_called(self, call: Collective, absent: list[int]) -> None:
        self._tell(
            call.rank, "collective", f"{call.name} at {self._at(call.back)} was not called by"
            f" {'rank' if len(absent) == 1 else 'ranks'} {', '.join(map(str, absent[:8]))}",
            _DIFFERENT["call"][1],
        )  # fmt: skip


def _watched(program: Image) -> dict[int, str]:
    """The functions of MPI by their address, and those through which errors pass."""
    symbols = program.symbols
    named = {
        at: name
        for name, at in symbols.items()
        if name.startswith("MPI_") and name not in calls_of_mpi.HOT
    }
    return named | {
        symbols[name]: name for name in (MPI_ERROR, _ABORT, _OUTSIDE) if name in symbols
    }


def watch(chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> Mistakes | None:
    """For a program of MPI with one MPI_COMM_WORLD."""
    names = program.symbols
    if not libraries.has_mpi(program) or any(world in names for world in calls_of_mpi.WORLDS):
        return None
    return Mistakes(chip, cores, program, kernel)
