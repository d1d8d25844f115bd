"""The pictures of the guide that `make pictures` draws: each is there, follows the reader's ground,
and is shown by its page in the words of its run."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import guide_pictures  # noqa: E402

PICTURES = guide_pictures.pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_the_page_shows_its_picture(name: str) -> None:
    picture = PICTURES[name]
    text = (ROOT / f"docs/guide/{picture['page']}.md").read_text()
    assert f"![{picture['words']}](../images/guide/{name}.svg)" in text


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_light_and_dark(name: str) -> None:
    path = guide_pictures.FOLDER / f"{name}.svg"
    drawn = path.read_text()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert "prefers-color-scheme:dark" in drawn and len(drawn) <= guide_pictures.MOST_BYTES


def test_no_picture_is_drawn_by_hand() -> None:
    assert {path.stem for path in guide_pictures.FOLDER.iterdir()} == set(PICTURES)
