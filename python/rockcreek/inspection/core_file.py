"""Core files that gdb opens: of a program that its kernel interrupted, or of the core itself.

While our kernel runs on a core, the program's registers are on the kernel's stack, in the frame of
ring 3 that `where` follows as well (guest/kernel: trapframe.h); its memory is what ring 3 may use.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rockcreek.chip import Chip, Exit
from rockcreek.errors import OutputError
from rockcreek.inspection.backtrace import user_frame
from rockcreek.outputs import Output, make_folder, refuse_old
from rockcreek.software.image import Image

# The words of the frame, in order.
_FRAME = (
    "edi esi ebp pushal_esp ebx edx ecx eax gs fs es ds vector error eip cs eflags esp ss"
).split()
_GENERAL = "eax ecx edx ebx esp ebp esi edi".split()
_SEGMENTS = "cs ss ds es fs gs".split()
_Registers = tuple[int, int, list[int], list[int]]


def program_registers(chip: Chip, core: int, kernel: Image) -> _Registers | None:
    """Registers of ring 3 when this core last entered its kernel; None if it never did."""
    data = user_frame(chip, core, kernel)
    if data is None:
        return None
    frame = dict(zip(_FRAME, struct.unpack(f"<{len(_FRAME)}I", data), strict=True))
    if frame["cs"] & 3 != 3:
        return None
    general, segments = ([frame[name] for name in names] for names in (_GENERAL, _SEGMENTS))
    return frame["eip"], frame["eflags"], general, segments


def write(
    chip: Chip,
    core: int,
    to: str | Output,
    *,
    kernel: Image | None,
    program: Image,
    arguments: Iterable[str] = (),
    end: Exit | None = None,
) -> None:
    """One core's file: of the program if `kernel` is ours and serves one, else of the core."""
    registers = None
    user = False
    if kernel is not None and (end is None or end.reason != "panic"):
        user = chip.core(core)["cpl"] == 3
        if not user:
            registers = program_registers(chip, core, kernel)
            user = registers is not None
    chip.core_file(
        core,
        to,
        name=program.name,
        arguments=" ".join([program.name, *arguments]),
        signal=end.code if end is not None and end.reason == "signal" else 0,
        user_only=user,
        registers=registers,
    )


def check_folder(folder: str, *, force: bool) -> None:
    """Make the folder; refuse before the run to overwrite core files of another one."""
    refuse_old(sorted(make_folder(folder).glob("core.[0-9]*")), force=force)


def write_all(
    chip: Chip,
    folder: str,
    cores: Iterable[int],
    ends: Mapping[int, Exit],
    *,
    kernel: Image | None,
    program: Image,
    arguments: Iterable[str],
    say: Callable[[str], None],
) -> list[OutputError]:
    """A file for each core that did not end well, or had not ended: `core.07`; what failed."""
    arguments, failed = tuple(arguments), []
    for core in cores:
        end = ends.get(core)
        if end is not None and end.reason == "exit":
            continue
        path = str(Path(folder) / f"core.{chip.description.core_label(core)}")
        try:
            write(chip, core, path, kernel=kernel, program=program, arguments=arguments, end=end)
        except OutputError as error:
            failed.append(error)
            continue
        code = program if kernel is None or end is None or end.reason != "panic" else kernel
        say(f"rck: core file of core {core}: gdb {code.path} {path}")
    return failed
