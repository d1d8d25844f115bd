"""The kernel's rooms: each says what it is and includes what its README's order allows."""

from __future__ import annotations

import re
from pathlib import Path

KERNEL = Path(__file__).resolve().parents[2] / "guest/kernel"
MOST_FILES = 16
INCLUDE = re.compile(r'#include "(\w+)/', re.M)


def rooms() -> list[str]:
    """The rooms of the README's table, the lowest first."""
    table = (KERNEL / "README.md").read_text().split("## The rooms\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.M)


def upward(room: str, text: str, order: list[str]) -> list[str]:
    """What a file of a room includes though it stands above it in the order."""
    return [
        to for to in INCLUDE.findall(text) if to in order and order.index(to) > order.index(room)
    ]


def test_every_folder_is_a_room_of_the_table_and_says_what_it_is() -> None:
    folders = {path.name for path in KERNEL.iterdir() if path.is_dir()}
    assert folders == set(rooms())
    for room in rooms():
        text = (KERNEL / room / "README.md").read_text()
        assert "Not here: " in text or "Not here:" in text.replace("\n", " "), room
        assert len(list((KERNEL / room).iterdir())) <= MOST_FILES, room


def test_includes_go_one_way() -> None:
    order = rooms()
    found = {}
    for path in KERNEL.glob("*/*.[chS]"):
        wrong = upward(path.parent.name, path.read_text(), order)
        if wrong:
            found[f"{path.parent.name}/{path.name}"] = wrong
    assert found == {}
    # Only this way is an include of another room possible at all; ".." is for guest/common.
    flags = (KERNEL / "guest.toml").read_text()
    assert re.findall(r'"-I([^"]*)"', flags) == [".", "..", "${include}"]
    assert not any('#include "kernel/' in path.read_text() for path in KERNEL.rglob("*.[ch]"))


def test_an_include_against_the_order_is_seen() -> None:
    assert upward("memory", '#include "lib/string.h"\n#include "trap/trap.h"\n', rooms()) == [
        "trap"
    ]
