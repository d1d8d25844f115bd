"""Networks of boxes, after S-Net: reads a text and makes of it what `snet.h` runs.

    python systems/lpel/snet.py NET.snet            the network as a tree
    python systems/lpel/snet.py NET.snet --out DIR  DIR/NET.h (labels, boxes), DIR/NET.c (graph)

    text    = { box | net }                           comments: # to the end of the line
    box     = "box" NAME "(" type "->" type { "|" type } ")" ";"
    net     = "net" NAME "=" choice ";"               `main` is what runs
    type    = "(" [ label { "," label } ] ")"         a field `name` or a tag `<name>`
    choice  = serial { "|" serial }                   where more of a record's labels are taken
    serial  = repeat { ".." repeat }                  one after the other
    repeat  = primary { "*" pattern | "!" "<" NAME ">" }
    pattern = "{" label { "," label } "}"             star: again, until a record has these labels
    primary = NAME | "(" choice ")"                   split (!): an instance a value of the tag

A net is made of boxes and of nets before it; what goes round in a circle is written with a star.
Exit code 1: the text is wrong; the message says where.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rockcreek.reading.notation import NotationError, Token, front_end, tokens

MOST_LABELS, MOST_PARTS, MOST_OPEN = 63, 10_000, 100
_TOKEN = re.compile(r"(?P<skip>\s+|#[^\n]*)|[A-Za-z]\w*|->|\.\.|[()|{}<>,;=*!]", re.ASCII)
_WORDS = ("box", "net")
# A box is a function of C. A label is SNET_label, and snet.h has some such words.
_FUNCTIONS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long main register restrict return short signed sizeof static struct switch "
    "typedef union unsigned void volatile while".split()
)
_LABELS = frozenset(("BOX", "SERIAL", "PARALLEL", "STAR", "SPLIT", "ENTRIES", "H"))


Type = tuple[str, ...]  # labels, tags with < and >


@dataclass(frozen=True)
class Box:
    """A box's name and types."""

    name: str
    takes: Type
    gives: tuple[Type, ...]


@dataclass(frozen=True)
class Node:
    """A network: a box, or one or two networks together."""

    kind: str  # box, serial, parallel, star, split
    where: str
    box: Box | None = None
    parts: tuple[Node, ...] = ()
    labels: Type = ()  # star: the pattern; split: the tag

    @cached_property
    def size(self) -> int:
        """Itself and all its parts."""
        return 1 + sum(part.size for part in self.parts)

    def walk(self) -> Iterator[Node]:
        """Parts first."""
        for part in self.parts:
            yield from part.walk()
        yield self


@dataclass(frozen=True)
class Network:
    """A whole text: what main uses."""

    boxes: tuple[Box, ...]
    labels: Type
    main: Node


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = tokens(text, _TOKEN)
        self._at = 0
        self._open = 0  # parentheses
        self._boxes: dict[str, Box] = {}
        self._nets: dict[str, Node] = {}
        self._inside = ""  # the net that is being read
        self._known_labels: dict[str, Token] = {}  # and where each stands first

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _next(self, wanted: str = "") -> Token:
        token = self._now
        if wanted and token.text != wanted:
            raise token.error(f"'{wanted}' should stand {token.before}")
        if not token.text:
            raise token.error("the text ends in the middle")
        self._at += 1
        return token

    def _is(self, text: str) -> bool:
        if self._now.text != text:
            return False
        self._at += 1
        return True

    def _name(self, what: str) -> Token:
        token = self._now
        if not token.text or not token.text[0].isalpha() or token.text in _WORDS:
            raise token.error(f"the name of a {what} should stand {token.before}")
        return self._next()

    def text(self) -> Network:
        while self._now.text:
            if self._is("box"):
                self._box()
            elif self._is("net"):
                self._net()
            else:
                raise self._now.error(f"'box' or 'net' should stand here, not '{self._now.text}'")
        if "main" not in self._nets:
            raise self._now.error("no net 'main'; hint: net main = ...;")
        return self._network(self._nets["main"])

    def _new_name(self, what: str) -> Token:
        name = self._name(what)
        if name.text in self._boxes or name.text in self._nets:
            raise name.error(f"'{name.text}' is defined twice")
        return name

    def _box(self) -> None:
        name = self._new_name("box")
        if name.text in _FUNCTIONS:
            raise name.error(f"'{name.text}' is a word of C; a box is a function of its name")
        self._next("(")
        takes = self._type()
        self._next("->")
        gives = [self._type()]
        while self._is("|"):
            gives.append(self._type())
        self._next(")")
        self._next(";")
        if not takes:
            raise name.error(f"box '{name.text}' takes nothing; give it a label")
        if not all(gives):
            raise name.error(f"box '{name.text}' gives out records without labels")
        self._boxes[name.text] = Box(name.text, takes, tuple(gives))

    def _net(self) -> None:
        name = self._new_name("net")
        self._inside = name.text
        self._next("=")
        node = self._choice()
        self._next(";")
        if node.size > MOST_PARTS:
            raise name.error(f"net '{name.text}' has {node.size} parts; at most {MOST_PARTS}")
        self._nets[name.text] = node

    def _label(self) -> str:
        first = self._now
        if self._is("<"):
            name = self._name("tag").text
            self._next(">")
            label, other = f"<{name}>", name
        else:
            name = self._name("label").text
            label, other = name, f"<{name}>"
        self._know(first, label, other, name)
        return label

    def _know(self, at: Token, label: str, other: str, name: str) -> None:
        if name in _LABELS:
            raise at.error(f"'{name}' has another meaning in snet.h; choose another label")
        if known := self._known_labels.get(other):
            raise at.error(f"a field and a tag are both called '{name}': {other} at {known.where}")
        self._known_labels.setdefault(label, at)
        if len(self._known_labels) > MOST_LABELS:
            raise at.error(f"'{name}' is label {MOST_LABELS + 1}; at most {MOST_LABELS}")

    def _labels(self, begin: str, end: str) -> Type:
        first = self._next(begin)
        found: list[str] = []
        while not self._is(end):
            if found:
                self._next(",")
            found.append(self._label())
        if len(set(found)) < len(found):
            raise first.error("a label stands there twice")
        return tuple(found)

    def _type(self) -> Type:
        return self._labels("(", ")")

    def _choice(self) -> Node:
        node = self._serial()
        while (at := self._now.where) and self._is("|"):
            node = Node("parallel", at, parts=(node, self._serial()))
        return node

    def _serial(self) -> Node:
        node = self._repeat()
        while (at := self._now.where) and self._is(".."):
            node = Node("serial", at, parts=(node, self._repeat()))
        return node

    def _repeat(self) -> Node:
        node = self._primary()
        while True:
            sign = self._now
            if self._is("*"):
                pattern = self._labels("{", "}")
                self._check_exit(sign, node, pattern)
                node = Node("star", sign.where, parts=(node,), labels=pattern)
            elif self._is("!"):
                tag = self._now
                if tag.text != "<":
                    raise tag.error(f"'<' should stand {tag.before}: a split is by a tag")
                node = Node("split", sign.where, parts=(node,), labels=(self._label(),))
            else:
                return node

    @staticmethod
    def _check_exit(sign: Token, node: Node, pattern: Type) -> None:
        if not pattern:
            raise sign.error("every record has the empty pattern: the star would do nothing")
        boxes = [part.box for part in node.walk() if part.box]
        given = {label for box in boxes for output in box.gives for label in output}
        missing = [label for label in pattern if label not in given]
        if missing:
            raise sign.error(f"no box inside the star gives {missing[0]}: no record could leave it")

    def _primary(self) -> Node:
        if (first := self._now) and self._is("("):
            self._open += 1
            if self._open > MOST_OPEN:
                raise first.error(f"over {MOST_OPEN} parentheses are open here")
            node = self._choice()
            self._next(")")
            self._open -= 1
            return node
        name = self._name("box or net")
        if name.text in self._boxes:
            return Node("box", name.where, box=self._boxes[name.text])
        if name.text in self._nets:
            return self._nets[name.text]
        if name.text == self._inside:
            raise name.error(
                f"net '{name.text}' contains itself: a cycle without a star; "
                f"hint: write the repeated part as (...) * {{label}}"
            )
        raise name.error(f"no box or net '{name.text}' before this")

    def _network(self, main: Node) -> Network:
        nodes = list(main.walk())
        boxes = {node.box.name: node.box for node in nodes if node.box}
        labels = {label for node in nodes for label in node.labels}
        for box in boxes.values():
            labels |= {label for labels in (box.takes, *box.gives) for label in labels}
        return Network(tuple(boxes.values()), tuple(sorted(labels)), main)


def parse(text: str) -> Network:
    """The network of a text.

    >>> parse("box a ((x) -> (y)); net main = a;").labels
    ('x', 'y')
    """
    return _Parser(text).text()


def picture(node: Node, depth: int = 0) -> str:
    """The network as an indented tree."""
    told = node.kind if node.box is None else f"box {node.box.name}"
    if node.labels:
        told += f" {', '.join(node.labels)}"
    lines = ["  " * depth + told]
    parts: list[Node] = []
    for part in node.parts:  # a chain of the same kind is one list
        parts += part.parts if part.kind == node.kind and len(part.parts) == 2 else (part,)
    return "\n".join(lines + [picture(part, depth + 1) for part in parts])


def _constant(label: str) -> str:
    return "SNET_" + label.strip("<>")


def header(network: Network, name: str) -> str:
    """What boxes need: labels by number, and their own declarations."""
    lines = [
        f"/* Made by snet.py from {name}.snet. */",
        f"#ifndef SNET_{name.upper()}_H",
        f"#define SNET_{name.upper()}_H",
        "",
        '#include "snet.h"',
        "",
        *(f"#define {_constant(label)} {n}" for n, label in enumerate(network.labels)),
        "",
        f"extern const struct snet_net {name};",
        *(f"void {box.name}(struct snet_box *box, snet_record *in);" for box in network.boxes),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _masks(types: tuple[Type, ...], network: Network) -> str:
    masks = [sum(1 << network.labels.index(label) for label in one) for one in types]
    return ", ".join([f"0x{mask:x}ull" for mask in masks] + ["0"])


def _node(node: Node, number: int, parts: list[int], network: Network) -> list[str]:
    kinds = {"star": "<star>", "split": "<split>", "serial": "", "parallel": "<parallel>"}
    name = node.box.name if node.box else kinds[node.kind]
    fields = [f".kind = SNET_{node.kind.upper()}", f'.name = "{name}"', f'.where = "{node.where}"']
    before = []
    fields += [f".{side} = &node_{part}" for side, part in zip("ab", parts, strict=False)]
    if node.box:
        takes, gives = _masks((node.box.takes,), network), _masks(node.box.gives, network)
        before = [
            f"static const uint64_t in_{number}[] = {{{takes}}};",
            f"static const uint64_t out_{number}[] = {{{gives}}};",
        ]
        fields += [f".box = {name}", f".in = in_{number}", f".out = out_{number}"]
    elif node.kind == "star":
        pattern = _masks((node.labels,), network)
        before = [f"static const uint64_t in_{number}[] = {{{pattern}}};"]
        fields.append(f".in = in_{number}")
    elif node.kind == "split":
        fields.append(f".tag = {network.labels.index(node.labels[0])}")
    body = ",\n    ".join(fields)
    return [*before, f"static const struct snet_node node_{number} = {{\n    {body},\n}};"]


def source(network: Network, name: str) -> str:
    """The graph as tables."""
    numbers: dict[int, int] = {}
    lines = [f"/* Made by snet.py from {name}.snet. */", f'#include "{name}.h"', ""]
    for node in network.main.walk():
        if id(node) in numbers:
            continue
        number = numbers[id(node)] = len(numbers)
        lines += _node(node, number, [numbers[id(part)] for part in node.parts], network)
    labels = ", ".join(f'"{label}"' for label in network.labels)
    lines += [
        f"static const char *const labels[] = {{{labels}}};",
        f"const struct snet_net {name} = {{labels, &node_{numbers[id(network.main)]}}};",
    ]
    return "\n".join(lines) + "\n"


def _work(text: str, file: Path, out: Path | None) -> str:
    network, name = parse(text), file.stem
    if not (name.isascii() and name.isidentifier()):
        raise NotationError(f"'{name}' is no name for C; rename the file")
    if any(box.name == name for box in network.boxes):
        raise NotationError(f"a box is called '{name}' as the file is; rename one of them")
    if out is None:
        return picture(network.main) + "\n"
    (out / f"{name}.h").write_text(header(network, name))
    (out / f"{name}.c").write_text(source(network, name))
    return ""


def main(arguments: list[str]) -> int:
    """Read a network, and show or write it."""
    return front_end("snet", __doc__, arguments, _work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
