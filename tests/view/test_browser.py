"""The page of `rck view` in a real browser: drawn, zoomed, telling what is under the pointer."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import rockcreek
from rockcreek.view.page import build

ROOT = Path(__file__).resolve().parents[2]
BROWSER = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
# What a reader does: zooms twice, points at a core, looks at bytes and at the dark page.
HAND = """<script>
document.querySelector("[data-zoom='0.5']").click();
document.querySelector("[data-zoom='0.5']").click();
const core = document.querySelector("#die rect[tabindex]");
core.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 9, clientY: 9 }));
document.getElementById("theme").click();
</script></body>"""
PROFILE = {
    "places": [{"image": "ring", "function": "main", "file": "ring.c", "line": 7}],
    "rows": [{"core": 0, "place": 0, "user": True, "causes": {"compute": 3, "mpb": 1}}],
}


@pytest.mark.skipif(BROWSER is None, reason="no chromium on this host")
def test_in_a_browser(compile_guest: Callable[..., Path], tmp_path: Path) -> None:
    ring = compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])
    run = rockcreek.run(ring, ["3"], n=6, messages=True, power=True).check()
    page = tmp_path / "run.html"
    page.write_text(build(run.to_dict(), PROFILE).replace("</body>", HAND))
    assert BROWSER is not None
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    shown = done.stdout
    assert len(re.findall(r'tabindex="0" data-tip="core \d', shown)) == 6
    assert len(re.findall(r'data-tip="UE \d to UE \d', shown)) == 6
    assert shown.count("<code>main (ring, ring.c:7)</code>") == 1
    assert 'data-tip="mpb: 1 cycles"' in shown
    tip = re.search(r'<div id="tip"[^>]*>([^<]*)<', shown)
    assert tip
    assert tip[1].startswith("core 0 (UE 0), tile 0,0")
    span = re.search(r'id="span">([\d.]+) us to ([\d.]+) us<', shown)
    assert span
    # A quarter of the run about its middle.
    whole = run.time_ps / 1e6
    assert float(span[1]) == pytest.approx(whole * 3 / 8, rel=1e-3)
    assert float(span[2]) == pytest.approx(whole * 5 / 8, rel=1e-3)
    assert re.search(r'<html[^>]*class="dark"', shown)
