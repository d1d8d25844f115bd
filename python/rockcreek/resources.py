"""Where the package keeps its data: guest kernel, sysroot, chip descriptions, studies.

In a wheel everything lies inside the package. In a checkout (editable install) the chip
descriptions are read from `machine/presets` and the studies from `experiments`, so that an edit
takes effect at once.
"""

from __future__ import annotations

from pathlib import Path

from rockcreek.errors import NotFoundError

PACKAGE = Path(__file__).resolve().parent
GUEST = PACKAGE / "_guest"


def _folder(edited: str, packed: str) -> Path:
    """In a checkout where it is edited (what a wheel that was not finished has left is older), and
    else in the package.
    """
    checkout = PACKAGE.parents[1] / edited
    return checkout if checkout.is_dir() else PACKAGE / packed


def preset_folder() -> Path:
    """The folder with the chip descriptions that come with Rockcreek."""
    return _folder("machine/presets", "_machine/presets")


def experiments_folder() -> Path:
    """The folder with the studies that `rck repro` runs."""
    path = _folder("experiments", "_experiments")
    if not path.is_dir():
        raise NotFoundError(
            f"the studies are missing: there is no {path}",
            path=str(path),
            hint="they come with a checkout, or with a newer package",
        )
    return path


def guide_folder() -> Path:
    """The folder with the guide's pages (`guide`) and those that describe the chip (`chip`)."""
    path = _folder("docs", "_guide")
    if not (path / "guide").is_dir():
        raise NotFoundError(
            f"the guide is missing: there is no {path}",
            path=str(path),
            hint="it comes with a checkout, or with a newer package",
        )
    return path


def bibliography() -> Path:
    """BibTeX of every publication that a table, a study or a comment cites."""
    checkout = PACKAGE.parents[1] / "docs/sources.bib"
    return checkout if checkout.is_file() else PACKAGE / "_machine/sources.bib"


def example_names() -> list[str]:
    """Programs that come ready to run."""
    return sorted(path.stem for path in (GUEST / "examples").glob("*.c"))


def example(name: str) -> Path:
    """A program that came with the package; its source lies beside it, with the suffix `.c`."""
    return GUEST / "examples" / name


def preset_names() -> list[str]:
    """Names that `--chip` takes without a path."""
    return sorted(path.stem for path in preset_folder().glob("*.toml"))


def kernel_path() -> Path:
    """The guest kernel, built by set-up."""
    path = GUEST / "kernel.elf"
    if not path.is_file():
        raise NotFoundError(
            f"the guest kernel {path} is missing",
            path=str(path),
            hint="build it with `make setup` (in a checkout), or install the package again",
        )
    return path
