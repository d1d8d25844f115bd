"""The kernels that a program may run under: `rck run --kernel NAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rockcreek import resources
from rockcreek.errors import NotFoundError, UsageError
from rockcreek.software import image
from rockcreek.software.image import Image

OWN, L4 = "rck", "l4"
NAMES = (OWN, L4)
_SCC = (6, 4, 2)  # columns, rows, cores of a tile
# What the microkernel's root task starts: the server of the chip, and the personality, which takes
# the last module as program.
_PLAN = b"task io io.elf devices priority 15\ntask posix posix.elf kernel 10240 uses io\n"
_PERSONALITY = "posix.elf"
_SERVERS = ("sigma0.elf", "root.elf", "io.elf", _PERSONALITY)


@dataclass(frozen=True)
class Kernel:
    """An image, and the modules that it gets before the program."""

    image: Image
    modules: tuple[tuple[bytes, str], ...] = ()
    # Of its servers the one that lies above the addresses of programs, alone.
    personality: Image | None = None

    def with_program(self, program: Image) -> list[tuple[bytes, str]]:
        return [*self.modules, (program.data, program.name)]


def choose(name: str, asked: Mapping[str, object]) -> Kernel:
    """The kernel of this name; `asked`: options that only our own kernel serves."""
    if name == OWN:
        return Kernel(image.read(resources.kernel_path()))
    if name != L4:
        raise UsageError(
            f"--kernel: there is no kernel '{name}'", hint=f"known: {', '.join(NAMES)}"
        )
    for option, value in asked.items():
        if value:
            raise UsageError(
                f"{option}: the kernel l4 does not serve it",
                hint="leave it out, or leave out --kernel l4",
            )
    return Kernel(
        image.read(_file("kernel.elf")),
        (*((image.read(_file(name)).data, name) for name in _SERVERS), (_PLAN, "plan.txt")),
        image.read(_file(_PERSONALITY)),
    )


def check_chip(name: str, chip: str, shape: tuple[int, int, int]) -> None:
    """Refuse a chip that is not of the SCC's shape (columns, rows, cores of a tile) under the
    microkernel, which knows the places of the SCC's cores and buffers alone."""
    if name == L4 and shape != _SCC:
        raise UsageError(
            f"--kernel l4: it runs on the SCC's 48 cores, and the chip '{chip}' is another one",
            hint="leave out --chip, or leave out --kernel l4",
        )


def _file(name: str) -> str:
    path = resources.GUEST / "l4" / name
    if not path.is_file():
        raise NotFoundError(
            f"the microkernel's file {path} is missing",
            path=str(path),
            hint="build it with `make setup` (in a checkout), or install the package again",
        )
    return str(path)
