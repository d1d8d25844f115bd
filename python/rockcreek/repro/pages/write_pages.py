"""Writes the pages of all studies: `rck repro --report`.

`docs/fidelity.md` is the overview; its folder `fidelity` has a page for each study and the list.
"""

from __future__ import annotations

from pathlib import Path

from rockcreek.outputs import make_folder, write_whole
from rockcreek.repro.pages.list_page import list_page
from rockcreek.repro.pages.overview import overview
from rockcreek.repro.pages.overview_picture import draw_overview
from rockcreek.repro.pages.study_page import study_page
from rockcreek.repro.standing import Standing


def write_pages(here: Standing, out: Path, page: Path, *, draw: bool = True) -> int:
    """Write the overview to `page` and the other pages beside it; returns how many there are.

    Pictures of studies come from the results in `out`; one that is not there is kept as it was.
    `draw` says whether the overview's own is drawn anew.
    """
    folder, images = page.with_suffix(""), page.parent / "images" / page.stem
    make_folder(folder)
    _copy_pictures(here, out, images)
    picture = images / "overview.png"
    if draw:
        draw_overview(here, picture)
    write_whole(page, overview(here, _link(picture, page.parent), page.stem), force=True)
    write_whole(folder / "list.md", list_page(here, page.name), force=True)
    for name in here.records:
        link = _link(images / f"{name}.png", page.parent)
        text = study_page(name, here, f"../{link}" if link else None)
        write_whole(folder / f"{name}.md", text, force=True)
    return 2 + len(here.records)


def _copy_pictures(here: Standing, out: Path, images: Path) -> None:
    for name in here.records:
        drawn = out / name / f"{name}.png"
        if drawn.is_file():
            write_whole(make_folder(images) / f"{name}.png", drawn.read_bytes(), force=True)


def _link(picture: Path, folder: Path) -> str | None:
    return picture.relative_to(folder).as_posix() if picture.is_file() else None
