"""Where is a core? Function and line of its EIP, and its callers by their EBP frames.

Used for a core that waits when a run is ended, and for a guest fault. Reading costs no
simulated time. A core that is inside its kernel is followed to the user code that entered it: the
kernel keeps the frame of ring 3 in its variable `user_frame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath

from rockcreek import printable
from rockcreek.chip import Chip
from rockcreek.inspection.return_values import called_at, is_through_a_pointer
from rockcreek.software.image import Image

_DEPTH_MAX = 24
# The kernel's variable that points to the registers of ring 3 (guest/kernel: trapframe.h), and
# where in them EBP and EIP are.
_USER_FRAME = "user_frame"
_FRAME_EBP = 8
_FRAME_EIP = 56
_FRAME_ESP = 68
_FRAME_BYTES = 76
# push %ebp; mov %esp, %ebp: how a function begins, and `ret`, how it ends.
_PUSH_EBP_MOV = bytes.fromhex("5589e5")
_RET = bytes.fromhex("c3")
# Bytes below the stack pointer that are searched for what a function that has returned had called.
_BELOW = 4096
# Behind a system call of the C library whose sixth argument is in EBP: pop %ebp; add $4, %esp.
_END_OF_SYSTEM_CALL = bytes.fromhex("5d83c404")
# The layer under threads has the program's system calls: `crf_system_call` saves the registers, an
# argument of what it calls, and `crf_kernel` saves four and enters the kernel
# (systems/crf/pages/kernel_access.c).
_OUR_ENTRY, _OUR_SYSTEM_CALL = "crf_kernel", "crf_system_call"
_ENTRY_SAVES, _CALL_SAVES = 16, 28
# Core, address, length: its bytes, or None.
ReadMemory = Callable[[int, int, int], "bytes | None"]
# EIP, EBP, ESP.
_Registers = tuple[int, int, int]


@dataclass(frozen=True)
class Frame:
    """One level of a call chain."""

    eip: int
    function: str | None
    file: str | None
    line: int | None
    image: str

    def __str__(self) -> str:
        if self.function is None:
            return f"0x{self.eip:08x} ({self.image}, no symbol)"
        if self.file is None or self.line is None:
            return f"{self.function} ({self.image}, 0x{self.eip:08x})"
        return f"{self.function} ({PurePath(self.file).name}:{self.line})"


@dataclass(frozen=True)
class Level:
    """A function that was entered and not left: where it is, and its EBP."""

    eip: int
    base: int

    def argument(self, number: int) -> int:
        """The address of its argument 0, 1, ... by the i386 convention."""
        return self.base + 8 + 4 * number


@dataclass(frozen=True)
class Place:
    """A core's call chain, innermost first."""

    core: int
    state: str
    frames: tuple[Frame, ...]
    # The frames in numbers: of the program, and of the kernel if the core is in it.
    program: tuple[Level, ...] = ()
    kernel: tuple[Level, ...] = ()


class Locator:
    """Finds call chains on one chip whose cores run this kernel and this program."""

    def __init__(
        self, chip: Chip, kernel: Image, program: Image, read: ReadMemory | None = None
    ) -> None:
        """`read` instead of what the cores see now: the memory of a program that does not run."""
        self._chip = chip
        self._read = read or chip.read_linear
        self._kernel = kernel
        self._program = program
        self._known: dict[tuple[int, bool], Frame] = {}

    def waiting(self, cores: Iterable[int]) -> list[Place]:
        """Where each of these cores is now."""
        return [self.of_core(core) for core in cores]

    def of_core(self, core: int) -> Place:
        registers = self._chip.core(core)
        frames: list[Frame] = []
        kernel: list[Level] = []
        eip, ebp, esp = registers["eip"], registers["ebp"], registers["esp"]
        if registers["cpl"] == 0:
            kernel = self._levels(core, eip, ebp, self._kernel, esp)
            frames += self._frames([level.eip for level in kernel], self._kernel)[:1]
            user = self._user_registers(core)
            if user is None:
                return Place(core, registers["state"], tuple(frames), kernel=tuple(kernel))
            eip, ebp, esp = user
        program = self._levels(core, eip, ebp, self._program, esp)
        frames += self._frames([level.eip for level in program], self._program)
        return Place(core, registers["state"], tuple(frames), tuple(program), tuple(kernel))

    def at(self, eip: int) -> Frame:
        """An instruction of the program in words."""
        return self._frames([eip], self._program)[0]

    def of_thread(self, core: int, stack_pointer: int | None) -> tuple[Frame, ...]:
        """The chain of a thread that waits; without a stack pointer, of the one that the core is
        on. `scc_switch` leaves four registers there, EBP above three others, and the way back."""
        if stack_pointer is None:
            return self.of_core(core).frames
        ebp, back = self._word(core, stack_pointer + 12), self._word(core, stack_pointer + 16)
        if ebp is None or back is None or not self._program.holds_code(back):
            return ()
        levels = self._levels(core, back - 1, ebp, self._program)
        return tuple(self._frames([level.eip for level in levels], self._program))

    def of_registers(self, core: int, eip: int, ebp: int, esp: int) -> tuple[Frame, ...]:
        """The chain of a program that has entered its kernel with these registers."""
        levels = self._levels(core, eip, ebp, self._program, esp)
        return tuple(self._frames([level.eip for level in levels], self._program))

    def of_fault(self, core: int, eip: int, *, panic: bool, deepest: int = _DEPTH_MAX) -> Place:
        """The chain at a fault that the kernel reported for this EIP, so deep at most."""
        image = self._kernel if panic else self._program
        user = self._user_registers(core)
        ebp = user[1] if user is not None and not panic and user[0] == eip else 0
        levels = self._levels(core, eip, ebp, image, deepest=deepest)
        frames = self._frames([level.eip for level in levels], image)
        return Place(core, "ended", tuple(frames))

    def stack_pointer(self, core: int, eip: int) -> int | None:
        """ESP of ring 3 at a fault that the kernel reported for this EIP."""
        user = self._user_registers(core)
        return user[2] if user is not None and user[0] == eip else None

    def has_returned_to(self, core: int, eip: int) -> bool:
        """Whether the core had just returned (`ret`) to this address when it entered its kernel."""
        esp = self._stack_of_ring_3(core)
        return esp is not None and self._word(core, esp - 4) == eip

    def pointer_call(self, core: int) -> int | None:
        """The return address, if the core came by a call through a pointer."""
        esp = self._stack_of_ring_3(core)
        back = None if esp is None else self._word(core, esp)
        return back if back is not None and is_through_a_pointer(self._program, back) else None

    def last_call(self, core: int) -> Frame | None:
        """The call nearest below the stack pointer of ring 3 whose return address is still there:
        the last one by the function that has returned."""
        esp = self._stack_of_ring_3(core) or 0
        for at in range(esp - 8, max(esp - _BELOW, 0), -4):
            back = self._word(core, at)
            if back is None:
                return None
            if self._program.holds_code(back) and called_at(self._program, back) is not None:
                return self.at(back - 1)
        return None

    def _stack_of_ring_3(self, core: int) -> int | None:
        data = user_frame(self._chip, core, self._kernel)
        return None if data is None else _word(data, _FRAME_ESP)

    def _user_registers(self, core: int) -> tuple[int, int, int] | None:
        """EIP, EBP and ESP of ring 3 when this core last entered its kernel."""
        data = user_frame(self._chip, core, self._kernel)
        if data is None:
            return None
        eip, ebp, esp = (_word(data, at) for at in (_FRAME_EIP, _FRAME_EBP, _FRAME_ESP))
        return (eip, ebp, esp) if self._program.holds_code(eip) else None

    def _word(self, core: int, address: int) -> int | None:
        data = self._read(core, address, 4)
        return _word(data, 0) if data is not None and len(data) == 4 else None

    def _levels(
        self,
        core: int,
        eip: int,
        ebp: int,
        image: Image,
        esp: int | None = None,
        deepest: int = _DEPTH_MAX,
    ) -> list[Level]:
        levels: list[Level] = []
        left = None if esp is None else self._unframed(core, eip, ebp, esp)
        if left is not None and image.holds_code(left[0]):
            levels.append(Level(eip, 0))
            eip, ebp, esp = left
            ebp = self._behind_system_call(core, eip, ebp, esp)
        levels.append(Level(eip, ebp))
        while ebp and len(levels) < deepest:
            saved, back = self._word(core, ebp), self._word(core, ebp + 4)
            if saved is None or back is None:
                break
            if not image.holds_code(back):
                break
            # A return address belongs to the instruction behind the call.
            levels.append(Level(back - 1, saved))
            if image.function_at(back - 1) == _OUR_SYSTEM_CALL:
                self._add_caller(core, ebp, levels, image)
                saved = levels[-1].base
            if saved <= ebp:
                break
            ebp = saved
        return levels

    def _add_caller(self, core: int, ebp: int, levels: list[Level], image: Image) -> None:
        """The C library's function that called the layer under threads instead of the kernel."""
        at = (self._word(core, ebp + 8) or 0) + _CALL_SAVES
        back = self._word(core, at)
        if back is not None and image.holds_code(back):
            base = self._behind_system_call(core, back - 1, levels[-1].base, at + 4)
            levels.append(Level(back - 1, base))

    def _unframed(self, core: int, eip: int, ebp: int, esp: int) -> _Registers | None:
        """Where the caller is of a function that has not made its frame yet, or has left it."""
        if self._program.function_at(eip) == _OUR_ENTRY:
            back, base = self._word(core, esp + _ENTRY_SAVES), self._word(core, esp)
            return None if back is None else (back - 1, base or 0, esp + _ENTRY_SAVES + 4)
        code = self._read(core, eip - 1, 4) or b""
        if code[1:] == _PUSH_EBP_MOV or code[1:2] == _RET:
            at = esp
        elif code[:3] == _PUSH_EBP_MOV:
            at = esp + 4
        else:
            return None
        back = self._word(core, at)
        return None if back is None else (back - 1, ebp, at + 4)

    def _behind_system_call(self, core: int, eip: int, ebp: int, esp: int) -> int:
        """EBP where the C library has it as the last argument of a system call."""
        code = self._read(core, eip + 1, len(_END_OF_SYSTEM_CALL))
        return (self._word(core, esp) or 0) if code == _END_OF_SYSTEM_CALL else ebp

    def _frames(self, addresses: list[int], image: Image) -> list[Frame]:
        kernel = image is self._kernel
        new = [a for a in dict.fromkeys(addresses) if (a, kernel) not in self._known]
        for eip, (function, file, line) in zip(new, image.lines.places(new), strict=True):
            frame = Frame(eip, function, file, line, printable.name(image.name))
            self._known[eip, kernel] = frame
        chain = [self._known[address, kernel] for address in addresses]
        names = [frame.function for frame in chain]
        # What calls main is the C library's start: no news to anybody.
        return chain[: names.index("main") + 1] if "main" in names else chain


def user_frame(chip: Chip, core: int, kernel: Image) -> bytes | None:
    """The registers of ring 3 on the stack of this core's kernel, as they lie there."""
    variable = kernel.symbols.get(_USER_FRAME)
    data = chip.read_linear(core, variable, 4) if variable is not None else None
    pointer = _word(data, 0) if data is not None and len(data) == 4 else 0
    frame = chip.read_linear(core, pointer, _FRAME_BYTES) if pointer else None
    return frame if frame is not None and len(frame) == _FRAME_BYTES else None


def describe(places: Iterable[Place], chip: Chip) -> list[str]:
    """Words for people: cores with the same chain share an entry."""
    groups: dict[tuple[str, ...], list[Place]] = {}
    for place in places:
        groups.setdefault(tuple(map(str, place.frames)), []).append(place)
    lines = []
    for chain, members in groups.items():
        who = name_cores([place.core for place in members], chip)
        state = {"halted": "halted in", "shutdown": "shut down in", "reset": "in reset at"}.get(
            members[0].state, "in"
        )
        lines.append(f"{who} {state} {chain[0] if chain else 'unknown code'}")
        lines += [f"    called from {frame}" for frame in chain[1:]]
    return lines


def name_cores(cores: list[int], chip: Chip) -> str:
    """`core 07 (tile 3,0)`, or `cores 01-03,47`."""
    chip_description = chip.description
    label = chip_description.core_label
    if len(cores) == 1:
        x, y = chip_description.tile_of(cores[0])
        return f"core {label(cores[0])} (tile {x},{y})"
    runs: list[list[int]] = []
    for core in sorted(cores):
        if runs and core == runs[-1][1] + 1:
            runs[-1][1] = core
        else:
            runs.append([core, core])
    parts = [label(a) if a == b else f"{label(a)}-{label(b)}" for a, b in runs]
    return f"cores {','.join(parts)}"


def _word(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little")
