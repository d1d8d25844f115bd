"""Lays the guide's pages out for Sphinx: `python -m docs.site.stage OUT`, in the checkout."""

from __future__ import annotations

import shutil
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.site import markdown

ROOT = Path(__file__).resolve().parents[2]
INDEX_HEAD = """# Rockcreek

The Single-chip Cloud Computer as software: a virtual chip of 48 i586 cores without cache coherence.
It runs real programs, and the same run gives the same result, to the picosecond.

![The chip: 24 tiles of two cores, four memory controllers, system interface](images/chip.svg)

Begin with the [quick start](guide/start.md). Every command that these pages show with a prompt is
run by a test, and what it prints is compared.
"""


@dataclass(frozen=True)
class Guide:
    """What docs/site/guide.toml says."""

    groups: list[dict[str, Any]]

    @property
    def pages(self) -> list[str]:
        return [page for group in self.groups for page in group["pages"]]

    @property
    def sources(self) -> list[str]:
        """The pages that are files of the repository."""
        return [page for page in self.pages if not page.startswith("reference/")]


def read() -> Guide:
    """The guide's table of contents."""
    table = tomllib.loads((ROOT / "docs/site/guide.toml").read_text(encoding="utf-8"))
    groups = table["group"]
    for group in groups:
        group["pages"] = [page for name in group["pages"] for page in _expand(name)]
    named = {page for group in groups for page in group["pages"]}
    documents = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    for group in groups:
        if group.get("rest"):
            group["pages"] += sorted(documents - named - {"docs/site/README.md"})
    return Guide(groups)


def _expand(name: str) -> list[str]:
    """A page, or all pages that a pattern names."""
    if "*" not in name:
        return [name]
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(name))


def place(page: str) -> str:
    """Where a file of the repository lies on the site.

    >>> place("docs/guide/start.md"), place("GLOSSARY.md"), place("systems/svm/README.md")
    ('guide/start.md', 'project/glossary.md', 'systems/svm.md')
    """
    path = Path(page)
    if page.startswith("docs/") and len(path.parts) > 2:
        return page.removeprefix("docs/")
    if path.parts[0] in ("systems", "examples", "guest"):
        folder = path.parent.as_posix()
        return f"{folder}.md" if "/" in folder else f"{folder}/index.md"
    return page if page.startswith("reference/") else f"project/{path.name.lower()}"


def readmes() -> list[str]:
    """Pages beside the groups': what systems, examples and guest libraries say of themselves."""
    found = [
        path
        for tree in ("systems", "examples", "guest")
        for path in ROOT.glob(f"{tree}/*/README.md")
    ]
    found += [ROOT / "examples/README.md"]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def stage(out: Path) -> None:
    """All pages into the folder `out`, which is made anew."""
    from docs.site import references

    guide = read()
    shutil.rmtree(out, ignore_errors=True)
    images = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/images").rglob("*.*")]
    extra = [page for page in readmes() if page not in guide.sources]
    places = {page: place(page) for page in [*guide.pages, *extra, *images]}
    for image in images:
        _make(out / places[image])
        shutil.copyfile(ROOT / image, out / places[image])
    for page in [*guide.sources, *extra]:
        text = markdown.relink((ROOT / page).read_text(encoding="utf-8"), page, places)
        folder = page.removesuffix("README.md")
        if folder in ("systems/", "examples/"):
            inner = [other for other in extra if other.startswith(folder)]
            text += _contents(inner, places)
        _write(out / places[page], text)
    guest = [page for page in extra if page.startswith("guest/")]
    references.write_all(out, [places[page] for page in guest])
    _write(out / "index.md", INDEX_HEAD + "".join(_group(group, places) for group in guide.groups))


def _group(group: dict[str, Any], places: dict[str, str]) -> str:
    entries = "\n".join(places[page] for page in group["pages"])
    title = group["title"]
    options = f":caption: {title}\n:titlesonly:"
    return f"\n```{{toctree}}\n{options}\n\n{entries}\n```\n"


def _contents(pages: list[str], places: dict[str, str]) -> str:
    entries = "\n".join(f"/{places[page]}" for page in pages)
    return f"\n```{{toctree}}\n:titlesonly:\n\n{entries}\n```\n"


def _write(path: Path, text: str) -> None:
    _make(path)
    path.write_text(text, encoding="utf-8")


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
