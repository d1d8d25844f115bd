"""Looks through the finished site: `python -m docs.site.offline SITE`. Nothing on it may come from
elsewhere, and no link on it may lead nowhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself; a link (`a`) is followed by a person.
_FETCHED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
}
_CSS_URL = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^)"'\s]+)""")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if (tag, name) in _FETCHED and not self._is_only_said(attrs):
                self.fetched.append(value or "")
            elif (tag, name) == ("a", "href"):
                self.links.append(value or "")
            elif name == "id":
                self.anchors.add(value or "")

    @staticmethod
    def _is_only_said(attrs: list[tuple[str, str | None]]) -> bool:
        """`rel=canonical` and the like name a place and fetch nothing."""
        return dict(attrs).get("rel") in ("canonical", "prev", "next", "index", "search")


def problems(site: Path) -> Iterator[str]:
    """What is wrong, a line each."""
    pages = {path.resolve(): _read(path) for path in sorted(site.rglob("*.html"))}
    if len(pages) < 2:
        yield f"{site}: no pages"
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        yield from (f"{name}: fetches {url}" for url in page.fetched if _is_elsewhere(url))
        for link in page.links + page.fetched:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not link or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} leads nowhere"
            elif parts.fragment and target in pages and parts.fragment not in pages[target].anchors:
                yield f"{name}: {link}: no such place there"
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        yield from (f"{sheet.name}: fetches {url}" for url in _CSS_URL.findall(text))


def _is_elsewhere(url: str) -> bool:
    return bool(urlsplit(url).netloc)


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    print("\n".join(found) or "guide: no link leads nowhere, nothing comes from elsewhere")
    sys.exit(bool(found))
