"""Lino: commands on tiles, tiles side by side. Reads a script and lays it out on the chip.

    python systems/lino/lino.py SCRIPT            the layout as a picture
    python systems/lino/lino.py SCRIPT --out DIR  DIR/layout for the tiles; prints the list of cores

A script is a list of definitions `name = expression;`, `main` is laid out:

    [cmd word ... >East <West; cmd2]   a tile: commands, one after the other; North East South West
                                       are the neighbours, other names files of the shared folder
    a | b      b to the right of a (equal heights); binds tighter than _
    a _ b      b below a (equal widths)
    rotate(a)  by 90 degrees clockwise, and so are its channels
    reflect(a) left and right change places; reflect(a, _) top and bottom
    replicate(a, 3)  three times to the right; replicate(a, 3, _) downwards

Exit code 1: the script is wrong; the message says where (line, column).
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from rockcreek.reading.notation import NotationError, Token, front_end, tokens

SIDES = ("North", "East", "South", "West")
STEPS = {"North": (-1, 0), "East": (0, 1), "South": (1, 0), "West": (0, -1)}
OPPOSITE = dict(zip(SIDES, SIDES[2:] + SIDES[:2], strict=True))
MESH_COLUMNS, MESH_ROWS = 6, 4
MOST_LINE = 120
MOST_COMMANDS, MOST_WORDS = 8, 15  # of a tile, of a command: tile/tile.h
OPERATIONS = ("rotate", "reflect", "replicate")
_TOKEN = re.compile(r"(?P<skip>\s+|#[^\n]*)|\[[^\]]*\]|\w+|[|()=;,]")
_NAME = re.compile(r"[A-Za-z]\w*")
_OF_A_SHELL = re.compile(r"[|&$`'\"\\]")


@dataclass(frozen=True)
class Command:
    """One command of a tile; input and output: a side, a file, or nothing."""

    words: tuple[str, ...]
    source: str = ""
    target: str = ""

    def turned(self, to: dict[str, str]) -> Command:
        """With other sides."""
        return replace(
            self,
            source=to.get(self.source, self.source),
            target=to.get(self.target, self.target),
        )


@dataclass(frozen=True)
class Tile:
    """Commands on one core."""

    commands: tuple[Command, ...]
    at: Token

    def turned(self, to: dict[str, str]) -> Tile:
        """With other sides."""
        return replace(self, commands=tuple(command.turned(to) for command in self.commands))


Block = tuple[tuple[Tile, ...], ...]  # rows of equal length


def _tile(token: Token) -> Tile:
    parts = token.text[1:-1].split(";")
    if len(parts) > MOST_COMMANDS:
        raise token.error(f"{len(parts)} commands: at most {MOST_COMMANDS} on a tile")
    return Tile(tuple(_command(part, token) for part in parts), token)


def _command(part: str, token: Token) -> Command:
    words: list[str] = []
    places = {"<": "", ">": ""}
    where = f"in [{part.strip()}]"
    for word in part.replace("<", " <").replace(">", " >").split():
        sign = word[0]
        foreign = _OF_A_SHELL.search(word)
        if foreign:
            raise token.error(f"{foreign[0]!r} {where}: a tile has no shell")
        if sign not in places:
            words.append(word)
            continue
        if len(word) == 1 or places[sign]:
            problem = "needs a name" if len(word) == 1 else "stands there twice"
            raise token.error(f"'{sign}' {problem} {where}")
        places[sign] = word[1:]
    if not words:
        raise token.error(f"a command is missing in {token.text}")
    if len(words) > MOST_WORDS:
        raise token.error(f"{len(words)} words {where}: at most {MOST_WORDS}")
    return Command(tuple(words), places["<"], places[">"])


def beside(a: Block, b: Block, at: Token) -> Block:
    """b to the right of a."""
    if len(a) != len(b):
        raise at.error(f"'|' between blocks of {len(a)} and {len(b)} rows")
    return tuple(x + y for x, y in zip(a, b, strict=True))


def below(a: Block, b: Block, at: Token) -> Block:
    """b below a."""
    if len(a[0]) != len(b[0]):
        raise at.error(f"'_' between blocks of {len(a[0])} and {len(b[0])} columns")
    return a + b


def rotate(a: Block) -> Block:
    """By 90 degrees clockwise."""
    to = dict(zip(SIDES, SIDES[1:] + SIDES[:1], strict=True))
    return tuple(tuple(tile.turned(to) for tile in row) for row in zip(*a[::-1], strict=True))


def reflect(a: Block, direction: str) -> Block:
    """Left and right (`|`) or top and bottom (`_`) change places."""
    sides = ("East", "West") if direction == "|" else ("North", "South")
    to = {sides[0]: sides[1], sides[1]: sides[0]}
    rows = a if direction == "|" else a[::-1]
    step = -1 if direction == "|" else 1
    return tuple(tuple(tile.turned(to) for tile in row[::step]) for row in rows)


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = tokens(text, _TOKEN, {"[": ": its ']' is missing"})
        self._at = 0
        self._known: dict[str, Block] = {}

    def _next(self, wanted: str = "") -> Token:
        token = self._tokens[self._at]
        if not token.text:
            what = f"'{wanted}'" if wanted else "a block"
            last = self._tokens[self._at - 1]
            raise last.error(f"the script ends here, but {what} should follow")
        if wanted and token.text != wanted:
            raise token.error(f"'{wanted}' is missing before '{token.text}'")
        self._at += 1
        return token

    def _peek(self) -> str:
        return self._tokens[self._at].text

    def script(self) -> Block:
        while self._peek():
            name = self._next()
            if not _NAME.fullmatch(name.text) or name.text in OPERATIONS:
                raise name.error(f"'{name.text}' is no name for a block")
            if name.text in self._known:
                raise name.error(f"'{name.text}' is defined twice")
            self._next("=")
            block = self._column()
            self._next(";")
            self._known[name.text] = block
        if "main" not in self._known:
            known = f" (defined: {', '.join(self._known)})" if self._known else ""
            raise NotationError(f"nothing is laid out: define 'main'{known}")
        return self._known["main"]

    def _column(self) -> Block:
        block = self._row()
        while self._peek() == "_":
            at = self._next()
            block = below(block, self._row(), at)
        return block

    def _row(self) -> Block:
        block = self._block()
        while self._peek() == "|":
            at = self._next()
            block = beside(block, self._block(), at)
        return block

    def _block(self) -> Block:
        token = self._next()
        if token.text.startswith("["):
            return ((_tile(token),),)
        if token.text == "(":
            block = self._column()
            self._next(")")
            return block
        if token.text in OPERATIONS:
            return self._operation(token)
        if not token.text[0].isalnum():
            raise token.error(f"a block should stand here, not '{token.text}'")
        if token.text not in self._known:
            known = ", ".join(self._known) or "none"
            raise token.error(f"no block '{token.text}' so far (known: {known})")
        return self._known[token.text]

    def _operation(self, name: Token) -> Block:
        self._next("(")
        block = self._column()
        count, direction = 0, "|"
        if name.text == "replicate":
            self._next(",")
            number = self._next()
            if not number.text.isdecimal() or not 1 <= int(number.text) <= 48:
                raise number.error(f"replicate: 1 to 48, not '{number.text}'")
            count = int(number.text)
        if self._peek() == "," and name.text != "rotate":
            self._next()
            token = self._next()
            direction = token.text
            if direction not in ("|", "_"):
                raise token.error(f"'{direction}' is neither | nor _")
        self._next(")")
        if name.text == "rotate":
            return rotate(block)
        if name.text == "reflect":
            return reflect(block, direction)
        result = block
        for _ in range(count - 1):
            join = beside if direction == "|" else below
            result = join(result, block, name)
        return result


def check(block: Block) -> None:
    """Each channel has a partner at its other end; a file is written once."""
    written: dict[str, str] = {}
    for row, tiles in enumerate(block):
        for column, tile in enumerate(tiles):
            for side, ends in (("source", "target"), ("target", "source")):
                for command in tile.commands:
                    where = getattr(command, side)
                    if where in STEPS:
                        _partner(block, row, column, where, ends, tile)
                    elif side == "target" and where:
                        name = f"tile ({row},{column})"
                        if where in written:
                            first = written[where]
                            raise tile.at.error(f"{first} and {name} write >{where}")
                        written[where] = name


def _partner(block: Block, row: int, column: int, where: str, ends: str, tile: Tile) -> None:
    down, right = STEPS[where]
    name = f"tile ({row},{column}), {'>' if ends == 'source' else '<'}{where}"
    y, x = row + down, column + right
    if not (0 <= y < len(block) and 0 <= x < len(block[0])):
        raise tile.at.error(f"{name}: there is no tile at that side")
    if not any(getattr(command, ends) == OPPOSITE[where] for command in block[y][x].commands):
        sign = "<" if ends == "source" else ">"
        raise tile.at.error(f"{name}: no command of tile ({y},{x}) has {sign}{OPPOSITE[where]}")


def parse(text: str) -> Block:
    """The block `main`, checked.

    >>> [[t.commands[0].words for t in row] for row in parse("main=[a >East]|[b <West];")]
    [[('a',), ('b',)]]
    """
    block = _Parser(text).script()
    check(block)
    place(block)
    return block


def place(block: Block) -> list[list[int]]:
    """Cores, so that neighbours are on one tile of the mesh or on neighbouring ones."""
    rows, columns = len(block), len(block[0])
    upright = rows <= 2 * MESH_ROWS and columns <= MESH_COLUMNS
    if not upright and not (rows <= MESH_ROWS and columns <= 2 * MESH_COLUMNS):
        raise NotationError(
            f"{rows} x {columns} tiles: at most {2 * MESH_ROWS} x {MESH_COLUMNS} "
            f"or {MESH_ROWS} x {2 * MESH_COLUMNS} fit the chip"
        )
    if upright:
        return [
            [2 * (MESH_COLUMNS * (y // 2) + x) + y % 2 for x in range(columns)] for y in range(rows)
        ]
    return [[2 * (MESH_COLUMNS * y + x // 2) + x % 2 for x in range(columns)] for y in range(rows)]


def picture(block: Block) -> str:
    """The layout as text, with cores and channels."""
    cores = place(block)
    cells = [
        [
            [f"core {core}"]
            + [
                " ".join(command.words)
                + (f" <{command.source}" if command.source else "")
                + (f" >{command.target}" if command.target else "")
                for command in tile.commands
            ]
            for tile, core in zip(row, numbers, strict=True)
        ]
        for row, numbers in zip(block, cores, strict=True)
    ]
    width = max(len(line) for row in cells for cell in row for line in cell)
    bar = "+" + "+".join(["-" * (width + 2)] * len(block[0])) + "+"
    lines = [bar]
    for row in cells:
        for i in range(max(len(cell) for cell in row)):
            texts = [cell[i] if i < len(cell) else "" for cell in row]
            lines.append("|" + "|".join(f" {text:{width}} " for text in texts) + "|")
        lines.append(bar)
    return "\n".join(lines)


def layout(block: Block) -> tuple[list[int], str]:
    """The cores in the order of ranks, and the tiles' file: one line a command."""
    width = len(block[0])
    cores = [core for row in place(block) for core in row]
    lines = []
    for row, tiles in enumerate(block):
        for column, tile in enumerate(tiles):
            for command in tile.commands:
                ends = []
                for where in (command.source, command.target):
                    down, right = STEPS.get(where, (0, 0))
                    partner = (row + down) * width + column + right
                    ends.append(f"@{partner}" if where in STEPS else where or "-")
                line = f"{row * width + column} {ends[0]} {ends[1]} {' '.join(command.words)}"
                if len(line) > MOST_LINE:
                    raise tile.at.error(f"a command of over {MOST_LINE} characters")
                lines.append(line)
    return cores, "\n".join(lines) + "\n"


def _work(text: str, _: Path, out: Path | None) -> str:
    block = parse(text)
    cores, tiles = layout(block)
    if out is None:
        return picture(block) + "\n"
    (out / "layout").write_text(tiles)
    return ",".join(map(str, cores)) + "\n"


def main(arguments: list[str]) -> int:
    """Lay a script out."""
    return front_end("lino", __doc__, arguments, _work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
