"""`rck guide`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from rockcreek import resources
from rockcreek.errors import UsageError
from rockcreek.printable import nearest
from rockcreek.reading import documents

_HEADING = re.compile(r"^#+ +(.*)", re.M)
_MOST_FOUND, _EXCERPTS, _LONGEST = 8, 2, 100


@click.command(
    epilog="""Examples:

\b
  rck guide                       the pages there are
  rck guide start                 a page
  rck guide --search "false sharing"
"""
)
@click.option("--search", metavar="WORDS", help="The pages that have these words, best first.")
@click.argument("page", required=False)
def guide(page: str | None, search: str | None) -> int:
    """Read the guide, which comes with the package and needs no network.

    Pages are Markdown; `make guide` in a checkout makes a site of them.
    """
    pages = dict(_pages())
    if search is not None:
        if page is not None:
            raise UsageError("--search looks at all pages", hint="leave the page out")
        return _search(pages, search.lower().split())
    if page is None:
        width = max(map(len, pages))
        for name, path in pages.items():
            click.echo(f"{name:{width}}  {_title(documents.text(path))}")
        return 0
    if page not in pages:
        raise UsageError(
            f"there is no page '{page}'{nearest(page, list(pages))}", hint="`rck guide` lists them"
        )
    click.echo_via_pager(documents.text(pages[page]))
    return 0


def _pages() -> Iterator[tuple[str, Path]]:
    """Names and files: the guide's, then those that describe the chip."""
    folder = resources.guide_folder()
    for path in sorted((folder / "guide").glob("*.md")):
        if path.stem != "README":
            yield path.stem, path
    for path in sorted((folder / "chip").glob("*.md")):
        yield f"chip/{path.stem}", path


def _title(text: str) -> str:
    found = _HEADING.search(text)
    return found[1] if found else ""


def _search(pages: dict[str, Path], words: list[str]) -> int:
    """Pages with all words; a word in a heading counts as ten in the text."""
    if not words:
        raise UsageError("--search: no words", hint='for example --search "false sharing"')
    ranked = []
    for name, path in pages.items():
        text = documents.text(path)
        low, headings = text.lower(), " ".join(_HEADING.findall(text)).lower()
        if all(word in low for word in words):
            score = sum(low.count(word) + 10 * headings.count(word) for word in words)
            ranked.append((-score, name, text))
    for _, name, text in sorted(ranked)[:_MOST_FOUND]:
        click.echo(f"{name}: {_title(text)}")
        lines = [line.strip() for line in text.splitlines()]
        lines.sort(key=lambda line: -sum(word in line.lower() for word in words))
        for line in lines[:_EXCERPTS]:
            click.echo(f"    {line if len(line) <= _LONGEST else f'{line[: _LONGEST - 3]}...'}")
    if not ranked:
        click.echo(f"no page has {' and '.join(words)}")
    return 0
