"""`rck boot --plan FILE`: which image goes onto which cores, with what.

[[boot]]
cores = "0-3"
kernel = "kernel.elf"                 # files are looked for from the plan's folder
append = "core={core} mhz={mhz}"
modules = ["server.elf", "tree=/etc"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from rockcreek.errors import UsageError
from rockcreek.reading import documents
from rockcreek.software import image
from rockcreek.software.image import Image

_HINT = "a part `[[boot]]` has cores and kernel, and may have append and modules"


class _Entry(Struct, forbid_unknown_fields=True):
    cores: str
    kernel: str
    append: str = ""
    modules: list[str] = []


class _Document(Struct, forbid_unknown_fields=True):
    boot: list[_Entry]


@dataclass(frozen=True)
class Part:
    """What some cores boot."""

    cores: tuple[int, ...]
    kernel: Image
    command_line: str
    modules: tuple[tuple[Image, str], ...]


def read(path: str, cores_of: Callable[[str, str], tuple[int, ...]]) -> list[Part]:
    """The parts of a plan; `cores_of`: the cores of a list, which stands there."""
    document = documents.typed(documents.toml(path), _Document, path, hint=_HINT)
    if not document.boot:
        raise UsageError(f"--plan {path}: it has no part", hint=_HINT)
    folder = Path(path).parent
    return [
        Part(
            cores_of(entry.cores, f"{path}: boot {number}: cores"),
            image.read(folder / entry.kernel),
            entry.append,
            tuple(_module(folder, text) for text in entry.modules),
        )
        for number, entry in enumerate(document.boot, 1)
    ]


def check_takers(kernels: Iterable[int], own: Iterable[int], given: Mapping[str, object]) -> None:
    """An option for kernels needs one that no plan names. `kernels`: the cores that have kernels;
    `own`: those of a plan; `given`: the options' values."""
    if set(kernels) - set(own):
        return
    for option, value in given.items():
        if value:
            raise UsageError(
                f"{option}: there is no kernel to take it",
                hint="a part of a plan has its own append and modules; a raw image takes neither",
            )


def _module(folder: Path, text: str) -> tuple[Image, str]:
    """`FILE[=STRING]`, as for --module."""
    name, separator, string = text.partition("=")
    return image.read(folder / name), string if separator else name
