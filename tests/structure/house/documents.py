"""The tables of GLOSSARY.md and of the rules of the chip against the tree."""

from __future__ import annotations

import re

from house.files import CODE, House

# Where copies of rules live that run instead of their definitions: never a definition.
FAST = re.compile(
    r"/translator/|/fast_forward/|/in_place\.rs$|/slot/inline_transaction\.rs$"
    r"|/uncore/(?:route_cache|uncontended_route|host_view)\.rs$|/scheduler/window_batch\.rs$"
)
RULES_PAGE = "docs/chip/rules.md"
RULES = "The rules of the chip, and their copies"


def rows(house: House, document: str, section: str) -> list[list[str]]:
    """Cells of a section's table, without its head."""
    text = house.text(document).split(f"## {section}\n")[1]
    lines = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def named(cell: str) -> list[str]:
    """The paths that a cell names."""
    return re.findall(r"`([^`]+)`", cell)


def glossary(house: House) -> list[list[str]]:
    """All rows of all tables of the glossary."""
    sections = re.findall(r"^## (.*)$", house.text("GLOSSARY.md"), re.M)
    return [row for section in sections for row in rows(house, "GLOSSARY.md", section)]


def twice(house: House) -> list[str]:
    """Words that the glossary explains more than once."""
    words = [word for row in glossary(house) for word in row[0].lower().split(", ")]
    return sorted({word for word in words if words.count(word) > 1})


def nowhere(house: House) -> list[str]:
    """Words of the glossary that the place beside them does not have, in its text or its name."""
    return [
        f"{row[0]}: not in {place}"
        for row in glossary(house)
        for place in named(row[2])
        for word in row[0].split(", ")
        if not _has(house, place, word)
    ]


def _has(house: House, place: str, word: str) -> bool:
    stem = r"[\s_-]*".join(re.escape(part) for part in re.split(r"[\s-]", word.lower()))
    files = [path for path in house.paths if path == place or path.startswith(f"{place}/")]
    texts = [house.text(path) for path in files if path == place or path.endswith(CODE)]
    return any(re.search(stem, text.lower()) for text in [*texts, *([place] if files else [])])


def exchanged(house: House) -> list[str]:
    """Rules of the chip whose definition is a fast copy, or whose copy is none."""
    wrong = []
    for rule, definition, copies, _ in rows(house, RULES_PAGE, RULES):
        wrong += [f"{rule}: {path} is a copy" for path in named(definition) if FAST.search(path)]
        wrong += [f"{rule}: {path} is no copy" for path in named(copies) if not FAST.search(path)]
    return wrong
