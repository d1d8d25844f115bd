"""Where an access was made, and what it touched: functions, lines, owners of memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from rockcreek.checking.kinds.sites import CXX_FOLDER
from rockcreek.chip import Chip
from rockcreek.formats.engine import RawSite
from rockcreek.formats.findings import Frame, Site
from rockcreek.reading.sources import OURS
from rockcreek.software.image import Image

# Functions that a program's author did not write: who called them is of interest.
LIBRARY = re.compile(
    r"_*(i?RCCE_(?!APP)|ircce_|rcce_|sync_|(mem|str|w?mem)(cpy|move|set|cmp|len|chr)|bcopy|__)"
)
_CALL = 0xE8  # CALL rel32; of the other forms, FF /2 gives its length in its second byte
_TOP_WORDS = 6  # of the words that an access keeps; behind them return addresses by EBP
MPB_BYTES = 8192  # of each core
LINE_BYTES = 32
SHARED = 0x80000000  # where the default LUT of the SCC has the shared memory


class Places:
    """Names for the accesses of one run."""

    def __init__(self, chip: Chip, kernel: Image, program: Image) -> None:
        self._description = chip.description
        self._kernel = kernel
        self._program = program
        self._known: dict[tuple[int, bool], list[tuple[str | None, str | None, int | None]]] = {}
        by_address = sorted((address, name) for name, address in program.symbols.items())
        self._starts = [address for address, _ in by_address]

    def site(self, site: RawSite) -> Site:
        """An access as a result holds it: with function, line and callers."""
        user = site["user"]
        image = self._program if user else self._kernel
        chain = [site["eip"]]
        if calls := site.get("calls"):
            chain += [back - 1 for back in calls if self._returns_to(back, None)]
        elif user:
            chain += self._callers(site["eip"], site["stack"])
        frames = [frame for address in chain if address for frame in self._frames(address, image)]
        return {
            "core": site["core"],
            "address": site["address"],
            "size": site["size"],
            "value": site["value"],
            "time_ps": site["time_ps"],
            "memory_type": site["memory_type"],
            "eip": site["eip"],
            "image": image.name if user else "kernel",
            "frames": frames,
            "place": _own(frames),
        }

    def owner(self, unit: int, offset: int, address: int) -> str:
        """Whose memory it is."""
        tiles = self._description.columns * self._description.rows
        label = self._description.core_label
        if unit < tiles:
            core = unit * self._description.cores_per_tile + offset // MPB_BYTES
            return f"MPB of core {label(core)} + {offset % MPB_BYTES:#x}"
        if address >= SHARED:
            return f"shared memory + {address - SHARED:#x}"
        return f"memory at {address:#010x}"

    def memory(self, unit: int, offset: int, address: int) -> tuple[int | None, int] | None:
        """The core whose message buffer it is, none for shared memory, and the offset in that."""
        if unit < self._description.columns * self._description.rows:
            part, within = divmod(offset, MPB_BYTES)
            return unit * self._description.cores_per_tile + part, within
        byte = address // LINE_BYTES * LINE_BYTES + offset % LINE_BYTES
        return (None, byte - SHARED) if address >= SHARED else None

    def lock(self, number: int) -> str:
        """Whose test-and-set register it is."""
        return f"lock of core {self._description.core_label(number)}"

    def _frames(self, address: int, image: Image) -> list[Frame]:
        """The functions at an address: those that were put in place there come first."""
        key = (address, image is self._kernel)
        if key not in self._known:
            self._known[key] = image.lines.inlined(address)
        return [
            {"eip": address, "function": function, "file": file, "line": line}
            for function, file, line in self._known[key]
        ]

    def _callers(self, eip: int, stack: Sequence[int]) -> list[int]:
        """The calls that led to an instruction, innermost first, as far as the stack shows them."""
        callers: list[int] = []
        start = self._start_of(eip)
        top = [word for word in stack[:_TOP_WORDS] if self._returns_to(word, start)]
        # A function without a frame of its own has its return address on the top.
        words = [top[0], *stack[_TOP_WORDS:]] if top else list(stack[_TOP_WORDS:])
        for word in words:
            if self._returns_to(word, None) and word - 1 not in callers:
                callers.append(word - 1)
        return callers

    def _start_of(self, address: int) -> int | None:
        index = bisect_right(self._starts, address) - 1
        return self._starts[index] if index >= 0 else None

    def _returns_to(self, address: int, callee: int | None) -> bool:
        """Whether a call stands before this address; of `callee`, if that is named."""
        if not address or not self._program.holds_code(address):
            return False
        code = self._program.bytes_at(address - 5, 5)
        if len(code) == 5 and code[0] == _CALL:
            target = (address + int.from_bytes(code[1:], "little", signed=True)) & 0xFFFFFFFF
            return callee is None or target == callee
        indirect = any(
            code[-n] == 0xFF and code[1 - n] >> 3 & 7 == 2 for n in (2, 3) if len(code) > n
        )
        return callee is None and indirect


def _own(frames: Sequence[Frame]) -> int:
    """The number of the frame that is the program's own: the first that neither a library nor a
    header has, or, if there is none, the first that no library has, or the first one."""
    own = [
        number
        for number, frame in enumerate(frames)
        if frame["function"]
        and frame["line"]
        and LIBRARY.match(frame["function"]) is None
        and CXX_FOLDER not in (frame["file"] or "")
        and OURS.match(frame["file"] or "") is None
    ]
    in_sources = [number for number in own if not (frames[number]["file"] or "").endswith(".h")]
    return (in_sources or own or [0])[0]
