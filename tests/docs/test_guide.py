"""The guide: all pages are in it, each is read in ten minutes, links lead somewhere, and references
say what the definitions say. `make guide` builds the site itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from docs.site import headers, markdown, offline, references, stage

from rockcreek.cli import manual

ROOT = Path(__file__).resolve().parents[2]
# Ten minutes of somebody who reads technical text. Tables and code are looked up, not read.
MOST_WORDS = 10 * 230
GUIDE = stage.read()
# A list of changes is not read from end to end.
LISTS = {"CHANGELOG.md"}
GROUPS = """Quick start, The chip in pictures, Programming it, Power, Systems, Experiments, Chip
descriptions, Bare metal, Debugging, Reproducing a paper, Internals, Reference"""


def test_every_group_is_there() -> None:
    assert [group["title"] for group in GUIDE.groups] == " ".join(GROUPS.split()).split(", ")
    assert all(group["pages"] for group in GUIDE.groups)


def test_every_page_is_in_the_guide_once() -> None:
    documents = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    missing = documents - set(GUIDE.pages) - {"docs/site/README.md"}
    assert not missing, "name these in docs/site/guide.toml"
    assert len(GUIDE.pages) == len(set(GUIDE.pages))


def test_the_guides_contents_lead_to_every_page() -> None:
    folder = ROOT / "docs/guide"
    linked = markdown.targets((folder / "README.md").read_text())
    pages = {path.name for path in folder.glob("*.md")} - {"README.md"}
    assert pages <= set(linked)


def pages() -> list[tuple[str, str]]:
    """Each page that a reader meets, with its text."""
    return [(page, (ROOT / page).read_text()) for page in [*GUIDE.sources, *stage.readmes()]]


@pytest.mark.parametrize(("name", "text"), pages(), ids=lambda value: str(value)[:60])
def test_a_page_is_read_in_ten_minutes(name: str, text: str) -> None:
    words = len(markdown.prose(text).split())
    assert words <= MOST_WORDS or name in LISTS, f"{name}: {words} words; split it"


@pytest.mark.parametrize("page", [*GUIDE.sources, *stage.readmes()])
def test_links_lead_to_places_that_exist(page: str) -> None:
    for target in markdown.targets((ROOT / page).read_text()):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        there = (ROOT / page).parent / path if path else ROOT / page
        assert there.exists(), target
        if anchor:
            places = [markdown.slug(words) for _, words in markdown.headings(there.read_text())]
            assert anchor in places, f"{target}: {places}"


def test_staged_links_stay_on_the_site(tmp_path: Path) -> None:
    stage.stage(tmp_path)
    staged = {path.resolve() for path in tmp_path.rglob("*.*")}
    assert (tmp_path / "guide/start.md").resolve() in staged
    for page in tmp_path.rglob("*.md"):
        for target in markdown.targets(page.read_text()):
            path = target.partition("#")[0]
            if path and not re.match(r"[a-z]+:", path):
                assert (page.parent / path).resolve() in staged, f"{page}: {target}"


def test_references_are_complete() -> None:
    commands = {page.name: references.command_page(page) for page in manual.pages()}
    assert {"rck run", "rck show lut", "rck c++"} <= commands.keys()
    assert "`--cores LIST`" in commands["rck run"]
    python = references.python_page()
    assert "autofunction:: rockcreek.run\n" in python and "autoclass:: rockcreek.Chip\n" in python
    assert "| `timing.mesh.hop` | 4 | mesh cycles |" in references.chip_page()
    installed = {header.name for library in headers.libraries() for header in library.headers}
    listing = subprocess.run(
        ["git", "ls-files", "guest/*/include/*.h", "systems/*/include/*.h"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    # `*` of git matches folders too: only what lies in `include` itself is installed.
    paths = [Path(line) for line in listing.stdout.splitlines()]
    assert {path.name for path in paths if len(path.parts) == 4} <= installed


def test_the_look_through_the_site_finds_what_is_wrong(tmp_path: Path) -> None:
    good = '<h1 id="a">x</h1><a href="b.html#b">b</a><a href="https://example.org">e</a>'
    (tmp_path / "a.html").write_text(good)
    (tmp_path / "b.html").write_text('<h1 id="b">x</h1>')
    assert list(offline.problems(tmp_path)) == []
    bad = '<script src="https://cdn.example.org/x.js"></script>'
    bad += '<a href="c.html"></a><a href="b.html#c"></a>'
    (tmp_path / "a.html").write_text(bad)
    (tmp_path / "s.css").write_text("@import url(//fonts.example.org/f.css);")
    assert len(list(offline.problems(tmp_path))) == 4
