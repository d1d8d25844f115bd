"""Snapshots: what the front end must remember about a saved run, and how to take it up again.

The chip's own state is the engine's business (crates/chip/src/host_access/snapshot.rs). Beside it a
file holds a note of ours: which program ran on which cores, which folder was shared; or, of
`rck boot`, what was booted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from msgspec import Struct

from rockcreek.chip import Chip
from rockcreek.errors import InputError, UsageError
from rockcreek.reading import documents
from rockcreek.software import image
from rockcreek.software.image import Image


@dataclass(frozen=True)
class Note:
    """What a run was when it was saved."""

    program: str
    sha256: str
    arguments: list[str]
    cores: list[int]
    share: str | None
    messages: int
    # Name and folder of each --mount, in their order.
    mounts: list[list[str]] = field(default_factory=list)

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def load_program(self, path: str) -> Image:
        """The program, unchanged since."""
        return _unchanged(image.load_program(self.program), self.sha256, path)


@dataclass(frozen=True)
class BootNote:
    """What `rck boot` had booted when it was saved."""

    image: str
    sha256: str
    cores: list[int]
    command_line: str

    def to_json(self) -> str:
        return json.dumps({"boot": asdict(self)}, sort_keys=True)

    def load_image(self, path: str, at: str | None = None) -> Image:
        """The kernel (or first image), unchanged since: symbols come from it. `at`: where it is, if
        it may have moved."""
        return _unchanged(image.read(at or self.image), self.sha256, path)


class _Booted(Struct):
    boot: BootNote


def _unchanged(file: Image, sha256: str, path: str) -> Image:
    if file.sha256 != sha256:
        raise InputError(
            f"{file.path}: it has changed since the snapshot {path} was saved",
            path=str(file.path),
            hint="the snapshot holds the old program; run the new one from its start",
        )
    return file


def image_of(path: str, text: str) -> Image:
    """What stands for the software in any snapshot of ours."""
    try:
        return read_boot_note(path, text).load_image(path)
    except InputError:
        return read_note(path, text).load_program(path)


def read_boot_note(path: str, text: str) -> BootNote:
    """The note of a snapshot of `rck boot`."""
    try:
        return documents.typed(documents.json_of(text.encode(), path), _Booted, path).boot
    except InputError as error:
        raise InputError(
            f"{path}: this snapshot was not saved by `rck boot`",
            path=path,
            hint="restore it with `rck run --restore`, or with rockcreek.Chip.restore",
        ) from error


def read_note(path: str, text: str) -> Note:
    """The note of a snapshot of `rck run`."""
    try:
        return documents.typed(documents.json_of(text.encode(), path), Note, path)
    except InputError as error:
        raise InputError(
            f"{path}: this snapshot was not saved by `rck run`",
            path=path,
            hint="restore it with `rck boot --restore`, or with rockcreek.Chip.restore",
        ) from error


def open_for_looking(path: str) -> tuple[Chip, str]:
    """The chip in any snapshot, and its note; files that it has open are left alone."""
    return Chip.restore(path, None), Chip.note_of(path)


def restore(
    path: str | Path, share: str | None = None, mounts: Iterable[Sequence[str]] = ()
) -> tuple[Chip, Note]:
    """The chip of a saved run, and what it is now; `share` and `mounts` (name and folder of each)
    replace folders that the guests saw then."""
    name = str(path)
    note = read_note(name, Chip.note_of(name))
    now = replace(
        note,
        share=share if note.share is not None and share is not None else note.share,
        mounts=_replaced(note.mounts, mounts, name),
    )
    folders = [] if now.share is None else [now.share]
    return Chip.restore(name, folders + [folder for _, folder in now.mounts]), now


def _replaced(
    mounts: Sequence[Sequence[str]], given: Iterable[Sequence[str]], path: str
) -> list[list[str]]:
    """The mounts of a note, with other folders for some of their names."""
    others = {pair[0]: pair[1] for pair in given}
    for name, folder in others.items():
        if name not in [mounted for mounted, _ in mounts]:
            raise UsageError(
                f"--mount {folder}=/{name}: the snapshot {path} has no /{name}",
                hint="with --restore a folder can only replace one that was mounted at the start",
            )
    return [[name, others.get(name, folder)] for name, folder in mounts]
