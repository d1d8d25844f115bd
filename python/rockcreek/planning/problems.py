"""Problems of known planning domains, made by size and seed: `blocks-13-1`.

The domains are `domains/*.pddl`, each with the paper that it comes from; the problems are drawn
here, and one name is one problem, to the byte. `SIZES` says what a size counts.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from pathlib import Path

from rockcreek.errors import UsageError
from rockcreek.printable import nearest

DOMAINS = Path(__file__).resolve().parent / "domains"
_MOST_SIZE = 200
_MOST_BOXES = 40  # of sokoban: each pull looks through the square, which takes minutes beyond


def make(name: str) -> tuple[str, str]:
    """The texts of the domain and the problem of a name such as `blocks-13-1`.

    >>> make("gripper-2-1")[1].count("ball-in")
    4
    """
    kind, _, rest = name.partition("-")
    size, _, seed = rest.partition("-")
    if kind not in _MAKERS:
        raise UsageError(
            f"there is no domain '{kind}'{nearest(kind, list(_MAKERS))}",
            hint=f"choose from {', '.join(_MAKERS)}, as in blocks-13-1 (domain-size-seed)",
        )
    most = _MOST_BOXES if kind == "sokoban" else _MOST_SIZE
    if not size.isdecimal() or not 1 <= int(size) <= most or not seed.isdecimal():
        raise UsageError(
            f"'{name}' is not of the form domain-size-seed",
            hint=f"a size is from 1 to {most}: {kind}-13-1",
        )
    objects, init, goal = _MAKERS[kind](int(size), random.Random(f"{kind} {size} {seed}"))
    problem = "\n".join(
        [
            f"(define (problem {kind}-{int(size)}-{int(seed)})",
            f"  (:domain {kind})",
            f"  (:objects {objects})",
            "  (:init",
            *(f"    {atom}" for atom in init),
            "  )",
            "  (:goal (and",
            *(f"    {atom}" for atom in goal),
            "  )))",
            "",
        ]
    )
    return (DOMAINS / f"{kind}.pddl").read_text(encoding="ascii"), problem


_Parts = tuple[str, list[str], list[str]]


def _names(first: str, count: int) -> list[str]:
    return [f"{first}{n}" for n in range(count)]


def _towers(blocks: Iterable[str], draw: random.Random) -> list[list[str]]:
    """Blocks on blocks or on the table, each from below to above."""
    towers: list[list[str]] = []
    for block in blocks:
        place = draw.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([])
        towers[place].append(block)
    return towers


def _blocks(size: int, draw: random.Random) -> _Parts:
    blocks = _names("b", size)

    def pile() -> list[list[str]]:
        return _towers(draw.sample(blocks, size), draw)

    init, goal = ["(hand-empty)"], []
    for tower in pile():
        init += [f"(on-table {tower[0]})", f"(clear {tower[-1]})"]
        init += [f"(on {above} {below})" for below, above in itertools.pairwise(tower)]
    for tower in pile():
        goal += [f"(on-table {tower[0]})"]
        goal += [f"(on {above} {below})" for below, above in itertools.pairwise(tower)]
    return " ".join(blocks), init, goal


def _gripper(size: int, draw: random.Random) -> _Parts:
    balls = _names("ball", size)
    init = ["(robot-in west)", "(free left)", "(free right)"]
    init += [f"(ball-in {ball} west)" for ball in balls]
    goal = [f"(ball-in {ball} east)" for ball in draw.sample(balls, size)]
    return f"west east - room left right - gripper {' '.join(balls)} - ball", init, goal


def _depots(size: int, draw: random.Random) -> _Parts:
    """`size` crates at a third as many places, two trucks."""
    places = _names("place", max(2, size // 3))
    crates = _names("crate", size)
    trucks = _names("truck", 2)
    hoists = [f"hoist-{place}" for place in places]
    pallets = [f"pallet-{place}" for place in places]
    init = [f"(at {truck} {draw.choice(places)})" for truck in trucks]
    goal = []
    for place in places:
        init += [f"(at hoist-{place} {place})", f"(available hoist-{place})"]
        init += [f"(at pallet-{place} {place})"]
    tops = {place: f"pallet-{place}" for place in places}
    for crate in draw.sample(crates, size):
        place = draw.choice(places)
        init += [f"(on {crate} {tops[place]})", f"(at {crate} {place})"]
        tops[place] = crate
    init += [f"(clear {top})" for top in tops.values()]
    wanted = {place: f"pallet-{place}" for place in places}
    for crate in draw.sample(crates, max(1, size * 3 // 4)):
        place = draw.choice(places)
        goal.append(f"(on {crate} {wanted[place]})")
        wanted[place] = crate
    objects = (
        f"{' '.join(places)} - place {' '.join(trucks)} - truck {' '.join(hoists)} - hoist"
        f" {' '.join(pallets)} - pallet {' '.join(crates)} - crate"
    )
    return objects, init, goal


def _grid(columns: int, rows: int, name: Callable[[int, int], str]) -> list[str]:
    """Neighbours, both ways."""
    found = []
    for y in range(rows):
        for x in range(columns):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= x + dx < columns and 0 <= y + dy < rows:
                    found.append(f"(next {name(x, y)} {name(x + dx, y + dy)})")
    return found


def _cell(x: int, y: int) -> str:
    return f"c{x}-{y}"


def _storage(size: int, draw: random.Random) -> _Parts:
    """`size` crates; the depot has as many cells and as many more as two rows need."""
    columns = size // 2 + 1
    cells = [_cell(x, y) for y in range(2) for x in range(columns)]
    crates = _names("crate", size)
    hoists = _names("hoist", 1 + size // 6)
    init = _grid(columns, 2, _cell)
    init += ["(next yard c0-0)", "(next c0-0 yard)"]
    stands = draw.sample(cells, len(hoists))
    for hoist, cell in zip(hoists, stands, strict=True):
        init += [f"(hoist-at {hoist} {cell})", f"(available {hoist})"]
    init += [f"(clear {cell})" for cell in cells if cell not in stands]
    init += [f"(crate-at {crate} yard)" for crate in crates]
    places = draw.sample([cell for cell in cells if cell != "c0-0"], size)
    goal = [f"(crate-at {crate} {cell})" for crate, cell in zip(crates, places, strict=True)]
    objects = (
        f"{' '.join(cells)} - cell yard - yard {' '.join(crates)} - crate"
        f" {' '.join(hoists)} - hoist"
    )
    return objects, init, goal


def _visitall(size: int, draw: random.Random) -> _Parts:
    """A square with `size` cells a side, of which half are to be visited."""
    cells = [_cell(x, y) for y in range(size) for x in range(size)]
    start = draw.choice(cells)
    init = [*_grid(size, size, _cell), f"(robot-at {start})", f"(visited {start})"]
    goal = [f"(visited {cell})" for cell in draw.sample(cells, max(1, len(cells) // 2))]
    return f"{' '.join(cells)} - cell", init, goal


def _puzzle(size: int, draw: random.Random) -> _Parts:
    """A square with `size` cells a side, shuffled by moves, so that there is a plan."""
    tiles = _names("t", size * size - 1)
    board: list[str | None] = [*tiles, None]
    free = size * size - 1
    for _ in range(20 * size * size):
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        dx, dy = draw.choice(steps)
        x, y = free % size + dx, free // size + dy
        if 0 <= x < size and 0 <= y < size:
            board[free], free = board[y * size + x], y * size + x
            board[free] = None
    init = _grid(size, size, _cell)
    for n, tile in enumerate(board):
        cell = _cell(n % size, n // size)
        init.append(f"(free {cell})" if tile is None else f"(at {tile} {cell})")
    goal = [f"(at {tile} {_cell(n % size, n // size)})" for n, tile in enumerate(tiles)]
    if not tiles:
        goal = [f"(free {_cell(0, 0)})"]
    cells = " ".join(_cell(x, y) for y in range(size) for x in range(size))
    return f"{' '.join(tiles)}{' - tile ' if tiles else ''}{cells} - cell", init, goal


def _hanoi(size: int, draw: random.Random) -> _Parts:
    """`size` discs, each on a peg by chance, at the start and in the goal."""
    discs, pegs = _names("d", size), _names("peg", 3)

    def state() -> tuple[list[str], list[str]]:
        tops = {peg: peg for peg in pegs}
        on = []
        for disc in reversed(discs):
            peg = draw.choice(pegs)
            on.append(f"(on {disc} {tops[peg]})")
            tops[peg] = disc
        return on, [f"(clear {top})" for top in tops.values()]

    init = [f"(fits {disc} {peg})" for disc in discs for peg in pegs]
    init += [f"(fits {small} {large})" for small, large in itertools.combinations(discs, 2)]
    on, clear = state()
    return f"{' '.join(discs)} - disc {' '.join(pegs)} - peg", [*init, *on, *clear], state()[0]


_Lines = list[tuple[str, str, str]]


def _lines(cells: set[tuple[int, int]], name: Callable[[int, int], str]) -> _Lines:
    """Three cells in a row, from each end."""
    found = []
    for x, y in sorted(cells):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            three = [(x + n * dx, y + n * dy) for n in range(3)]
            if cells.issuperset(three):
                found.append((name(*three[0]), name(*three[1]), name(*three[2])))
    return found


def _pegs(size: int, draw: random.Random) -> _Parts:
    """`size` jumps back from one peg, or as many as can be made."""
    cells = {(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4}
    holes = [_cell(x, y) for x, y in sorted(cells)]
    lines = _lines(cells, _cell)
    last = draw.choice(holes)
    pegs = {last}
    for _ in range(size):
        back = [(a, b, c) for a, b, c in lines if c in pegs and a not in pegs and b not in pegs]
        if not back:
            break
        a, b, c = draw.choice(back)
        pegs = pegs - {c} | {a, b}
    init = [f"(in-line {' '.join(line)})" for line in lines]
    init += [f"({'peg-in' if hole in pegs else 'empty'} {hole})" for hole in holes]
    goal = [f"({'peg-in' if hole == last else 'empty'} {hole})" for hole in holes]
    return f"{' '.join(holes)} - hole", init, goal


def _sokoban(size: int, draw: random.Random) -> _Parts:
    """`size` boxes, pulled away from the goal's cells in a square with some walls."""
    side = size + 4
    cells = {(x, y) for x in range(side) for y in range(side)}
    cells -= set(draw.sample(sorted(cells), side * side // 6))
    lines = _lines(cells, _cell)
    names = [_cell(x, y) for x, y in sorted(cells)]
    ways = [way for way in _grid(side, side, _cell) if set(way[6:-1].split()) <= set(names)]
    man, *goals = draw.sample(names, size + 1)
    boxes = set(goals)
    neighbours: dict[str, list[str]] = {}
    for way in ways:
        a, b = way[6:-1].split()
        neighbours.setdefault(a, []).append(b)
    for _ in range(40 * size):
        near = _around(man, neighbours, boxes)
        # A pull: from the middle of a line the man steps back, and a box follows.
        pulls = [(a, b, c) for a, b, c in lines if c in boxes and b in near and a not in boxes]
        if not pulls:
            break
        man, to, box = draw.choice(pulls)
        boxes = boxes - {box} | {to}
    init = ways + [f"(in-line {' '.join(line)})" for line in lines] + [f"(man-at {man})"]
    for name in names:
        init += [f"(box-at {name})"] if name in boxes else [f"(free {name})"][name == man :]
    return f"{' '.join(names)} - cell", init, [f"(box-at {goal})" for goal in goals]


def _around(man: str, neighbours: dict[str, list[str]], boxes: set[str]) -> set[str]:
    """The cells of a Sokoban problem that the man can reach without moving a box."""
    seen, left = {man}, [man]
    while left:
        for cell in neighbours.get(left.pop(), []):
            if cell not in seen and cell not in boxes:
                seen.add(cell)
                left.append(cell)
    return seen


_MAKERS: dict[str, Callable[[int, random.Random], _Parts]] = {
    "blocks": _blocks,
    "depots": _depots,
    "gripper": _gripper,
    "hanoi": _hanoi,
    "pegs": _pegs,
    "puzzle": _puzzle,
    "sokoban": _sokoban,
    "storage": _storage,
    "visitall": _visitall,
}

# What a size counts, by domain.
SIZES = {
    "blocks": "blocks",
    "depots": "crates",
    "gripper": "balls",
    "hanoi": "discs",
    "pegs": "jumps",
    "puzzle": "cells a side",
    "sokoban": "boxes",
    "storage": "crates",
    "visitall": "cells a side",
}
