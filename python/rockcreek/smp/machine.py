"""A Linux for many processors under RockyVisor: what its hypervisor is given, and its run.

The hypervisor (systems/rockyvisor) is a multiboot kernel, whose first module is the guest: here the
memory image of a Linux with its parameters, command line and initial file system.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rockcreek import description as descriptions
from rockcreek import resources
from rockcreek.booting import linux_image
from rockcreek.booting.boot_job import BootJob, execute
from rockcreek.booting.load_plan import parse_cores
from rockcreek.consoles.console import Sink
from rockcreek.consoles.guest_input import Source
from rockcreek.errors import InputError, NotFoundError, UsageError
from rockcreek.linux import images
from rockcreek.reading import documents
from rockcreek.results.result import Result
from rockcreek.running.options import TermValues
from rockcreek.smp import kernel_file
from rockcreek.smp.kernel_file import Kernel, KernelError
from rockcreek.smp.sensitive import Symbols
from rockcreek.software.image import Image

# The hypervisor has the end of each address space (VISOR_BASE in systems/rockyvisor/layout.h).
RESERVED = "reservetop=128M"
# Linux waits 10 ms before it starts a processor, for chips older than this one's table says.
START = "cpu_init_udelay=0"
# The Linux of `make smp-linux` has this many ticks a second (CONFIG_HZ_100 in its smp.config).
HERTZ = 100
# And was built for so many processors (CONFIG_NR_CPUS there).
BUILT_FOR = 48
# Restart and panic are writes to port CF9, of different values, which end the machine with 0 and 1.
END = "reboot=p,panic_warm panic=-1"
# MB of the guest's memory, and virtual processors of a core: as the hypervisor's options.c allows.
MEMORY, LEAST, MOST = 32, 2, 48
PROCESSORS_MOST = 4
# How a file begins that Linux unpacks: cpio; gzip, xz, bzip2, lzma, lz4, zstd, lzo.
_FILE_SYSTEMS = (
    b"070701", b"070702", b"\x1f\x8b", b"\xfd7zXZ", b"BZh",
    b"\x5d\0\0", b"\x02\x21\x4c\x18", b"\x28\xb5\x2f\xfd", b"\x89LZO",
)  # fmt: skip
_IMAGE = "without --image, rck smp takes the kernel of `make smp-linux`"
_KS = 10**9  # periods in ps that a kHz has


@dataclass(frozen=True)
class Machine:
    """Which guest, on what."""

    kernel: Kernel
    initrd: bytes
    words: str
    cores: str = "0"
    processors: int = 1  # virtual ones of each core
    memory: int = MEMORY
    reports: bool = False
    lists_pages: bool = False  # on COM2, at its end
    hertz: int | None = None  # of the kernel's ticks, if it is known
    asks_for_input: bool = False  # its software has our driver, and COM1 has none
    calls: bool = False  # it was built to call the hypervisor (systems/rockyvisor/hypercalls.h)

    def __post_init__(self) -> None:
        if not LEAST <= self.memory <= MOST:
            raise UsageError(f"--memory: a guest has {LEAST} to {MOST} MB, not {self.memory}")
        if not 1 <= self.processors <= PROCESSORS_MOST:
            has = f"a core has 1 to {PROCESSORS_MOST} virtual processors"
            raise UsageError(f"--vcpus: {has}, not {self.processors}")

    def command_line(self, cycle_ps: int) -> str:
        """Linux's: what the machine lacks is not looked for, and time is the core's own clock."""
        khz = _KS // cycle_ps
        clock = f"tsc_early_khz={khz} tsc=reliable"
        if self.hertz is not None:  # else each processor measures it, for 0.1 s
            clock += f" lpj={khz * 1000 // self.hertz}"
        return f"{RESERVED} console=ttyS0 {clock} noapic {START} {END} {self.words}".strip()

    def options(self, core_count: int) -> str:
        """The hypervisor's own, on a chip of so many cores."""
        words = " report" * self.reports + " pages" * self.lists_pages
        words += " input" * self.asks_for_input + " hypercalls" * self.calls
        chosen = parse_cores(self.cores, core_count, "--cores")
        count = len(chosen) * self.processors
        if self.hertz is not None and count > BUILT_FOR:
            has = f"{self.processors} on each of {len(chosen)} cores are {count} processors"
            hint = "fewer --vcpus or cores; or --image with a kernel of your own"
            raise UsageError(f"--vcpus: {has}; the kernel was built for {BUILT_FOR}", hint=hint)
        cores = ",".join(map(str, chosen))
        return f"cores={cores} vcpus={self.processors} memory={self.memory}{words}"

    def guest(self, cycle_ps: int) -> bytes:
        """The first module: a multiboot kernel that is in place and enters Linux."""
        start = linux_image.Start(self.command_line(cycle_ps), self.initrd)
        try:
            return linux_image.wrap(self.kernel.image, start, self.memory << 20)
        except ValueError as error:
            raise UsageError(f"the kernel {error}", hint=f"--memory takes up to {MOST}M") from error


def core_count(cores: str) -> int:
    """Of a list of cores."""
    return len(parse_cores(cores, descriptions.load("scc").core_count, "--cores"))


def read_kernel(path: str | None, map_path: str | None, *, calls: bool = False) -> Kernel:
    """A user's own bzImage, or that of `make smp-linux` (`make smp-linux-hypercalls`)."""
    if path is None:
        found = images.find(images.CALLING_LINUX if calls else images.SMP_LINUX)
        path, map_path = str(found.kernel), str(found.files[images.MAP])
    symbols, map_text = Symbols(), None
    if map_path is not None:
        try:
            map_text = documents.text(Path(map_path))
            symbols = kernel_file.system_map(map_text)
        except ValueError as error:
            raise InputError(f"{map_path} is no System.map: {error}", path=map_path) from error
    try:
        kernel = kernel_file.read(documents.data(Path(path)), symbols)
    except KernelError as error:
        raise InputError(f"{path} {error}", path=path, hint=_IMAGE) from error
    return replace(kernel, map_text=map_text)


def read_initrd(path: str | None) -> bytes:
    """A user's initial file system, or none."""
    if path is None:
        return b""
    data = documents.data(Path(path))
    if not data.startswith(_FILE_SYSTEMS):
        text = f"{path} is no initial file system: neither a cpio archive nor packed"
        raise InputError(text, path=path, hint="find . | cpio -o -H newc > FILE makes one")
    return data


def run(
    machine: Machine,
    terms: TermValues,
    console: int | None = None,
    *,
    share: str | None = None,
    stdin: Source | None = None,
    notes: Sink | None = None,
) -> Result:
    """Boots it, until it has ended; what the hypervisors list goes to `notes`."""
    visor = resources.GUEST / "rockyvisor/visor.elf"
    if not visor.is_file():
        raise NotFoundError(f"no {visor}", path=str(visor), hint="make setup")
    chip = descriptions.load("scc").set_up(clocks=terms.get("clocks"))
    guest = Image(Path("guest.elf"), machine.guest(chip.core_period_ps))
    job = BootJob(
        [str(visor)],
        cores=machine.cores,
        append=machine.options(chip.core_count),
        made_modules=[(guest, "guest")],
        console=console,
        share=share,
        stdin=stdin,
        notes=notes,
        **terms,
    )
    return execute(job)
