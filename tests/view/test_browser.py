"""The page of `rck view` in a real browser: at two widths, light and dark, by mouse.

Needs a chromium (`make browser` installs Debian's); RCK_SCREENSHOTS names a folder for pictures.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Browser
from matplotlib.image import imread
from test_page import framed

import rockcreek
from rockcreek.reading.sources import Sources
from rockcreek.view.page import build

ROOT = Path(__file__).resolve().parents[2]
WINDOWS = {"desktop": (1280, 900), "phone": (390, 844)}
CORES = 6
PATIENCE_S = 20  # a page on a busy host
LIKE = 0.01  # the share of pixels in which two pictures of one page may differ

pytestmark = pytest.mark.skipif(chromium.find() is None, reason="no chromium: `make browser`")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    assert path
    with Browser(path) as found:
        yield found


@pytest.fixture(scope="module")
def run(compile_guest: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A run, and its page."""
    ring = compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])
    folder = tmp_path_factory.mktemp("page")
    result = rockcreek.run(
        ring, ["3"], n=CORES, messages=True, power=True, power_every_ps=10**7,
        sample_every_ps=10**8,
    ).check()  # fmt: skip
    source = ROOT / "examples/ring/ring.c"
    line = next(n for n, text in enumerate(source.open(), 1) if "RCCE_recv" in text)
    profile = {
        "places": [{"image": "ring", "function": "main", "file": str(source), "line": line}],
        "rows": [{"core": 0, "place": 0, "user": True, "causes": {"compute": 3, "mpb": 1}}],
    }
    page, inside = folder / "run.html", folder / "view.html"
    page.write_text(build(result.to_dict(), profile, Sources([source.parent])))
    # What lies in the frame: its own window here, so that scripts of the test reach it.
    inside.write_text(framed(page.read_text()))
    return result, page, inside


def tip(browser: Browser) -> str:
    assert browser.run("document.getElementById('tip').hidden") is False
    return str(browser.run("document.getElementById('tip').textContent"))


def span(browser: Browser) -> tuple[float, float]:
    shown = browser.run("document.getElementById('span').textContent")
    found = re.fullmatch(r"([\d.]+) us to ([\d.]+) us", shown)
    assert found, shown
    return float(found[1]), float(found[2])


def brightness(browser: Browser, what: str) -> float:
    """How light the page's paper or ink is, from 0 to 1 (WCAG's relative luminance)."""
    shown = browser.run(f"getComputedStyle(document.body).{what}")
    parts = [int(n) / 255 for n in re.findall(r"\d+", shown)[:3]]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("window", WINDOWS)
def test_in_a_browser(browser: Browser, run: Any, window: str, theme: str) -> None:
    result, _, page = run
    browser.open(page, *WINDOWS[window], dark=theme == "dark")

    # Nothing is wider than the window, and texts stand out from the paper.
    assert browser.run("document.documentElement.scrollWidth - innerWidth") <= 0
    paper, ink = brightness(browser, "backgroundColor"), brightness(browser, "color")
    assert (paper < ink) == (theme == "dark")
    assert (max(paper, ink) + 0.05) / (min(paper, ink) + 0.05) > 7

    # The die: a core shows its numbers under the pointer; another metric, another instant.
    assert browser.run("document.querySelectorAll('#die rect[tabindex]').length") == CORES
    browser.point("#die rect[tabindex]")
    assert tip(browser).startswith("core 0 (UE 0), tile 0,0")
    browser.point("#die line[data-tip]")
    assert re.match(r"link of tile \d,\d \w+: [\d,]+ flits", tip(browser))
    colours = (
        "[...document.querySelectorAll('#die rect[tabindex]')].map((r) => r.attributes.fill.value)"
    )
    before = browser.run(colours)
    browser.run(
        "(() => { const slider = document.getElementById('moment'); slider.value = 1;"
        " slider.dispatchEvent(new Event('input')); })()"
    )
    assert browser.run("document.getElementById('when').textContent") == "0 us to 100 us"
    assert browser.run(colours) != before

    # The timeline: a cell for each core and sample; buttons and wheel zoom.
    cells = "document.querySelectorAll('#timeline rect[data-tip]').length"
    samples = len(result.samples["end_ps"])
    assert browser.run(cells) == CORES * samples
    whole = result.time_ps / 1e6
    assert span(browser) == pytest.approx((0, whole), rel=1e-3)
    for _ in range(2):
        browser.click("[data-zoom='0.5']")
    assert span(browser) == pytest.approx((whole * 3 / 8, whole * 5 / 8), rel=1e-3)
    browser.point("#timeline svg", "mouseWheel", deltaX=0, deltaY=-100)
    first, last = span(browser)
    assert last - first == pytest.approx(whole / 4 * 0.8, rel=1e-3)
    browser.click("[data-zoom='all']")

    # Least and most of the cores have the ends of the colours; the instants below are round.
    assert {"rgb(0,34,78)", "rgb(254,232,56)"} <= set(
        browser.run(
            "[...document.querySelectorAll('#die rect')].map((r) => r.attributes.fill.value)"
        )
    )
    below = "[...document.querySelectorAll('#timeline text')].map((t) => t.textContent)"
    instants = [word for word in browser.run(below) if word.endswith(" us")]
    assert instants and all(re.fullmatch(r"0 us|\d+00 us", one) for one in instants)

    # The matrix, and the lines with their causes and their text.
    assert browser.run("document.querySelectorAll('#matrix [data-tip]').length") == CORES
    browser.point("#matrix [data-tip]")
    assert tip(browser).startswith("UE 0 to UE 1\n")
    assert "RCCE_recv" in browser.run("document.querySelector('#lines pre').textContent")
    browser.point("#lines [data-tip='mpb: 1 cycles']")
    assert tip(browser) == "mpb: 1 cycles"

    # By hand it becomes the other theme, and back.
    for dark in (theme != "dark", theme == "dark"):
        browser.click("#theme")
        assert (brightness(browser, "backgroundColor") < 0.5) is dark
    pictures = os.environ.get("RCK_SCREENSHOTS")
    if pictures:
        browser.picture(Path(pictures) / f"{window}-{theme}.png")

    assert browser.complaints == []
    assert {url.split(":", 1)[0] for url in browser.requests} == {"file"}


def drawn(browser: Browser, page: Path, picture: Path) -> Any:
    """The page's pixels (rows, columns, colours; 0 to 1), once two pictures in a row are equal."""
    browser.ask("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
    browser.open(page, *WINDOWS["desktop"], dark=False)
    last = b""
    for _ in range(round(PATIENCE_S / 0.5)):
        browser.run("new Promise((go) => setTimeout(go, 500))")
        browser.picture(picture, whole=False)
        before, last = last, picture.read_bytes()
        if before == last:
            break
    return imread(picture)


def unlike(one: Any, other: Any) -> float:
    """The share of pixels that differ, from 0 to 1; 1 for pictures of two sizes."""
    if one.shape != other.shape:
        return 1.0
    return float((one != other).any(axis=2).mean())


def test_the_frame_shows_the_view(browser: Browser, run: Any, tmp_path: Path) -> None:
    """The whole page, as a user opens it: as large as the window, drawn, and without complaints.

    A browser smooths edges and rounds boxes in a frame by its own rule: a hundredth may differ.
    """
    _, page, inside = run
    browser.complaints.clear()
    browser.requests.clear()
    expected = drawn(browser, inside, tmp_path / "inside.png")
    paper = expected[-1, -1] * (expected * 0 + 1)
    assert unlike(expected, paper) > 10 * LIKE, "the view itself is drawn"
    end = time.monotonic() + PATIENCE_S
    while (other := unlike(drawn(browser, page, tmp_path / "page.png"), expected)) >= LIKE:
        assert time.monotonic() < end, f"{100 * other:.1f} % of the pixels differ"
    assert browser.complaints == []
    assert {url.split(":", 1)[0] for url in browser.requests} <= {"file", "about"}


EVIL = """
<img src=x onerror="document.title='caught';location='file:///etc/passwd'">
<script>document.title='caught'</script>
"""


def test_a_hostile_result_runs_nothing(browser: Browser, run: Any, tmp_path: Path) -> None:
    """Markup in every text that a result and a profile hold: it is shown as it is written."""
    result = run[0].to_dict()
    for one in result["cores"]:
        one["waits"] = [EVIL]
        one["reason"] = EVIL
    result["chip"] = {**result["chip"], "name": EVIL, "clocks": EVIL}
    result |= {"program": {"name": EVIL, "arguments": [EVIL]}, "end": EVIL, "errors": [EVIL]}
    result["samples"] = None
    place = {"image": EVIL, "function": EVIL, "file": EVIL, "line": 1}
    profile = {
        "places": [place],
        "rows": [{"core": 0, "place": 0, "user": True, "causes": {EVIL: 3}}],
    }
    page, inside = tmp_path / "run.html", tmp_path / "view.html"
    page.write_text(build(result, profile))
    inside.write_text(framed(page.read_text()))
    for one in (page, inside):
        browser.complaints.clear()
        browser.requests.clear()
        browser.open(one, *WINDOWS["desktop"], dark=False)
        browser.run("new Promise((go) => setTimeout(go, 500))")
        assert browser.complaints == []
        assert len([url for url in browser.requests if url.startswith("file:")]) == 1
        assert browser.run(
            "document.images.length + document.querySelectorAll('iframe').length"
        ) == (1 if one == page else 0)
    assert EVIL.strip() in browser.run("document.querySelector('#lines code').textContent")
    assert browser.run("document.title") == "rck view"


def test_a_foreign_script_is_refused(browser: Browser, run: Any, tmp_path: Path) -> None:
    """Were there ever a way to put markup into the page: no script of it runs, in no form."""
    text = run[2].read_text()
    page = tmp_path / "changed.html"
    page.write_text(
        text.replace("</body>", f"{EVIL}<a id=a href='javascript:alert(1)'>a</a></body>")
    )
    browser.complaints.clear()
    browser.open(page, *WINDOWS["desktop"], dark=False)
    assert browser.run("document.title") == "rck view"
    refused = [one for one in browser.complaints if "Content Security Policy" in one]
    assert len(refused) >= 2
    browser.complaints.clear()
