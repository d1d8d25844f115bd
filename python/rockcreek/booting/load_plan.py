"""What `rck boot` is to load where: its arguments, checked against the chip before anything runs.

A start is LUT data, then memory images of controllers, then raw images through the cores' LUTs,
then multiboot kernels. A core without a kernel begins at the reset vector, in real mode, in
whatever these left at FFFFFFF0 (LUT slot 0xFF). A kernel may also be a Linux image.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rockcreek.booting import linux_image, overlaps, plan_file
from rockcreek.booting.plan_file import Part
from rockcreek.chip import Chip
from rockcreek.description import Description, core_lists, templates
from rockcreek.errors import InputError, UsageError
from rockcreek.inspection import chip_state
from rockcreek.software import image
from rockcreek.software.image import Image
from rockcreek.units import parse_duration_ps

_CORES_HINT = "write numbers and ranges such as 0,10,40-47, or `all`"
_MEMORY_OBJECT = re.compile(r"mch_([0-9]{1,6})_([0-9]{1,6})\.32\.obj")
_ADDRESS_END = 1 << 32


@dataclass(frozen=True)
class Placed:
    """A file for some cores; `cores` is None if none were named."""

    file: Image
    cores: tuple[int, ...] | None
    address: int = 0


@dataclass(frozen=True)
class MemoryObject:
    """A memory image and the number of its controller."""

    file: Image
    controller: int


@dataclass(frozen=True)
class Plan:
    """Everything that is loaded, and which cores are let go."""

    cores: tuple[int, ...]
    held: tuple[int, ...]
    # Which of the held cores the host releases later, and when.
    releases: tuple[tuple[int, int], ...]
    kernels: dict[int, Image]
    command_line: str
    modules: tuple[tuple[Image, str], ...]
    images: tuple[Placed, ...]
    objects: tuple[MemoryObject, ...]
    luts: tuple[Image, ...]
    linux: linux_image.Start = field(default_factory=linux_image.Start)
    own: Mapping[int, Part] = field(default_factory=dict)  # of cores of a plan's file

    @property
    def all_modules(self) -> tuple[Image, ...]:
        """The files of all cores' modules."""
        of_plan = (pair for part in self.own.values() for pair in part.modules)
        return tuple(file for file, _ in (*self.modules, *of_plan))

    @property
    def released(self) -> tuple[int, ...]:
        return tuple(core for core in self.cores if core not in self.held)

    @property
    def main_image(self) -> Image:
        """The image that a result names as the program: the first kernel, else the first file."""
        files = [*self.kernels.values(), *(placed.file for placed in self.images)]
        return (files + [part.file for part in self.objects])[0]

    def load(self, chip: Chip) -> None:
        """Put everything into the chip's memory; no time passes."""
        from rockcreek import _native

        native = chip._native
        for lut in self.luts:
            with _text_errors(lut):
                _native.load_lut_data(native, lut.data)
        for part in self.objects:
            with _text_errors(part.file):
                _native.load_memory_object(native, part.controller, part.file.data)
        for core, address, file in self._placed():
            try:
                _native.place(native, core, address, file.data)
            except _native.ImageError as error:
                hint = "see the core's memory map: private memory begins at 0"
                raise _bad(file, f"core {core}: {error}", hint) from error
        for core, kernel in self.kernels.items():
            own = self.own.get(core)
            given = self.modules if own is None else own.modules
            text = self.command_line if own is None else own.command_line
            line = templates.filled(text, core, chip.description)
            if linux_image.is_kernel(kernel.data):
                native.load(core, self._wrapped(chip, core, kernel, line), "", [])
                continue
            try:
                native.load(core, kernel.data, line, [(file.data, name) for file, name in given])
            except _native.ImageError as error:
                raise _bad(kernel, str(error), hint_of_image(str(error))) from error

        overlaps.check(chip, self._placed())

    def _placed(self) -> Iterator[tuple[int, int, Image]]:
        for placed in self.images:
            for core in self.cores if placed.cores is None else placed.cores:
                yield core, placed.address, placed.file

    def _wrapped(self, chip: Chip, core: int, kernel: Image, line: str) -> bytes:
        """A Linux image with what it is given, in the memory that this core's LUT shows."""
        lut = chip_state.lut(chip, core)
        slots = [
            tuple(lut[n].values()) if n in lut else None for n in range(max(lut, default=-1) + 1)
        ]
        segment = (1 << 32) // chip_state.lut_entries(chip)
        end = linux_image.own_memory(slots, segment)
        try:
            return linux_image.wrap(kernel.data, replace(self.linux, command_line=line), end)
        except linux_image.TooLittleMemory as error:
            raise _bad(kernel, str(error), f"--memory gives it up to {end >> 20}M") from error
        except ValueError as error:
            hint = "the kernel's documentation has its boot protocol"
            raise _bad(kernel, str(error), hint) from error


def plan(
    description: Description,
    *,
    kernels: Sequence[str] = (),
    file: str | None = None,
    cores: str | None = None,
    command_line: str = "",
    modules: Sequence[str] = (),
    images: Sequence[str] = (),
    objects: Sequence[str] = (),
    luts: Sequence[str] = (),
    hold: str | None = None,
    releases: Sequence[str] = (),
    initrd: str | None = None,
    platform: str | None = None,
    memory: str | None = None,
) -> Plan:
    """Check the texts of the command line and read the files that they name."""
    if not (kernels or images or objects or file):
        raise UsageError(
            "there is nothing to boot",
            hint="name a multiboot kernel, or load images: `rck boot --load boot.bin@0xFF000000`",
        )
    total = description.core_count
    parts = [] if file is None else plan_file.read(file, partial(_cores_of, total))
    kernel_files = [_placed(text, total) for text in kernels]
    kernel_files += [Placed(part.kernel, part.cores) for part in parts]
    image_files = [_image(text, total) for text in images]
    named = [part.cores for part in (*kernel_files, *image_files)]
    if cores is not None:
        chosen = parse_cores(cores, total, "--cores")
    elif objects or None in named:
        chosen = tuple(range(total))
    else:
        chosen = tuple(sorted({core for part in named if part is not None for core in part}))
    later = _releases(releases, total)
    held = () if hold is None else parse_cores(hold, total, "--hold")
    held += tuple(core for core, _ in later if core not in held)
    _check_held(chosen, held, later)
    result = Plan(
        cores=chosen,
        held=held,
        releases=later,
        kernels=_kernel_of_each(kernel_files, chosen),
        command_line=command_line,
        modules=tuple(_module(text) for text in modules),
        images=tuple(image_files),
        objects=tuple(_memory_object(text, description) for text in objects),
        luts=tuple(image.read(path) for path in luts),
        linux=linux_image.Start(
            initrd=b"" if initrd is None else image.read(initrd).data,
            platform=0 if platform is None else linux_image.platform(platform),
            memory=None if memory is None else linux_image.parse_size(memory),
        ),
        own={core: part for part in parts for core in part.cores},
    )
    _check_all_have_something(result)
    plan_file.check_takers(
        result.kernels, result.own, {"--append": command_line, "--module": modules}
    )
    _check_options_of_linux(
        result, {"--initrd": initrd, "--platform": platform, "--memory": memory}
    )
    return result


def _cores_of(total: int, text: str, where: str) -> tuple[int, ...]:
    return parse_cores(text, total, where)


def parse_cores(text: str, total: int, option: str) -> tuple[int, ...]:
    """Core numbers in the order given.

    >>> parse_cores("0,10,44-47", 48, "--cores")
    (0, 10, 44, 45, 46, 47)
    """
    if text == "all":
        return tuple(range(total))
    try:
        cores = core_lists.parse_spans(text)
    except core_lists.NoCoreListError as part:
        problem = f"{option}: '{part}' is no core or range of cores"
        raise UsageError(problem, hint=_CORES_HINT) from None
    if max(cores) >= total:
        problem = f"{option}: '{text}': the chip has cores 0 to {total - 1}"
        raise UsageError(problem, hint=_CORES_HINT)
    repeated = sorted(core for core, count in Counter(cores).items() if count > 1)
    if repeated:
        raise UsageError(f"{option}: core {repeated[0]} is named twice", hint=_CORES_HINT)
    return tuple(cores)


def _releases(texts: Sequence[str], total: int) -> tuple[tuple[int, int], ...]:
    """`LIST@TIME`: a core and its instant in ps, for each."""
    found: dict[int, int] = {}
    for text in texts:
        cores, separator, time = text.rpartition("@")
        if not separator:
            raise UsageError(
                f"--release {text}: this is not of the form LIST@TIME",
                hint="for example --release 1-47@5ms",
            )
        for core in parse_cores(cores, total, "--release"):
            if core in found:
                raise UsageError(f"--release: core {core} is released twice", hint=_CORES_HINT)
            found[core] = parse_duration_ps(time)
    return tuple(found.items())


def _split_cores(text: str, total: int) -> tuple[str, tuple[int, ...] | None]:
    """`FILE:core=LIST`: the file, and the cores if there are some."""
    head, separator, tail = text.rpartition(":core=")
    return (head, parse_cores(tail, total, text)) if separator else (text, None)


def _placed(text: str, total: int) -> Placed:
    path, cores = _split_cores(text, total)
    return Placed(image.read(path), cores)


def _image(text: str, total: int) -> Placed:
    rest, cores = _split_cores(text, total)
    path, separator, number = rest.rpartition("@")
    try:
        address = int(number, 0)
    except ValueError:
        address = -1
    if not separator or not path or not 0 <= address < _ADDRESS_END:
        raise UsageError(
            f"--load {text}: this is not of the form IMAGE@ADDRESS[:core=LIST]",
            hint="for example --load boot.bin@0xFFFF0000:core=0,1",
        )
    return Placed(image.read(path), cores, address)


def _module(text: str) -> tuple[Image, str]:
    """`FILE[=STRING]`; without a string the module is called as its file."""
    path, separator, string = text.partition("=")
    return image.read(path), string if separator else path


def _memory_object(text: str, description: Description) -> MemoryObject:
    controllers = [unit for unit in description.edge if unit.name.startswith("MC")]
    path, separator, number = text.rpartition("@")
    if separator and number.isdecimal():
        # int() refuses thousands of digits; no controller has a number of ten.
        if len(number) > 9 or int(number) >= len(controllers):
            last = len(controllers) - 1
            raise UsageError(
                f"--object {text}: there is no memory controller {number[:20]}",
                hint=f"the chip '{description.name}' has controllers 0 to {last}",
            )
        return MemoryObject(image.read(path), int(number))
    match = _MEMORY_OBJECT.fullmatch(Path(text).name)
    at = (int(match[1]), int(match[2])) if match else None
    for index, unit in enumerate(controllers):
        if (unit.x, unit.y) == at:
            return MemoryObject(image.read(text), index)
    raise UsageError(
        f"--object {text}: the name does not say which controller's memory this is",
        hint="name the controller, --object FILE@0, or the file as sccMerge does: mch_X_Y.32.obj",
    )


def _kernel_of_each(files: Iterable[Placed], chosen: tuple[int, ...]) -> dict[int, Image]:
    """Kernels with a list of cores come first; one without gets the cores that are left."""
    kernels: dict[int, Image] = {}
    general: Image | None = None
    for placed in files:
        if placed.cores is None:
            if general is not None:
                raise UsageError(
                    f"{general.path} and {placed.file.path}: which core boots which kernel?",
                    hint="add the cores: `rck boot a.elf:core=0 b.elf:core=1-47`",
                )
            general = placed.file
            continue
        for core in placed.cores:
            if core in kernels or core not in chosen:
                what = "has two kernels" if core in kernels else "is not among --cores"
                raise UsageError(f"core {core} {what}", hint=_CORES_HINT)
            kernels[core] = placed.file
    rest = [core for core in chosen if core not in kernels] if general is not None else []
    return kernels | {core: general for core in rest if general is not None}


def _check_held(
    chosen: tuple[int, ...], held: tuple[int, ...], later: tuple[tuple[int, int], ...]
) -> None:
    strangers = [core for core in held if core not in chosen]
    if strangers:
        raise UsageError(
            f"--hold or --release: core {strangers[0]} boots nothing, so it stays in reset anyway",
            hint="name it in --cores as well, or leave it out",
        )
    if set(held) == set(chosen) and not later:
        raise UsageError(
            "--hold: every core is held", hint="let one core go, now or with --release LIST@TIME"
        )


def _check_all_have_something(result: Plan) -> None:
    everywhere = bool(result.objects) or any(part.cores is None for part in result.images)
    for core in () if everywhere else result.cores:
        own = any(core in (part.cores or ()) for part in result.images)
        if core not in result.kernels and not own:
            raise UsageError(
                f"core {core} has neither a kernel nor an image",
                hint="name fewer --cores, or give it something to boot",
            )


def _check_options_of_linux(result: Plan, given: Mapping[str, str | None]) -> None:
    is_linux = {linux_image.is_kernel(kernel.data) for kernel in result.kernels.values()}
    for option, value in given.items():
        if value is not None and True not in is_linux:
            raise UsageError(
                f"{option}: no kernel here is a bzImage of Linux",
                hint="multiboot kernels get files by --module, and all memory",
            )
    hint = "its initial file system is --initrd FILE"
    if True in is_linux and result.modules:
        raise UsageError("--module: a bzImage takes no modules", hint=hint)
    for core, part in result.own.items():
        if part.modules and linux_image.is_kernel(part.kernel.data):
            raise UsageError(
                f"--plan: modules of core {core}: a bzImage takes no modules", hint=hint
            )


def hint_of_image(problem: str) -> str:
    """What to do about a kernel or a module that cannot be loaded.

    >>> hint_of_image("module big needs 700000000 bytes, and 686616576 ... are free")
    "kernel and modules share the core's private memory: pass less by --module"
    """
    if problem.startswith("module "):
        return "kernel and modules share the core's private memory: pass less by --module"
    return (
        "KERNEL is a multiboot ELF file or a bzImage of Linux; "
        "other images come with --load IMAGE@ADDRESS"
    )


@contextmanager
def _text_errors(file: Image) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise _bad(file, str(error), "make it again with sccMerge, or correct the line") from error


def _bad(file: Image, what: str, hint: str) -> InputError:
    return InputError(f"{file.path}: {what}", path=str(file.path), hint=hint)
