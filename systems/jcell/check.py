"""Whether the transactions that a run of `jcell` has logged are serialisable.

    python systems/jcell/check.py FOLDER [NAME]

FOLDER holds NAME.0, NAME.1, ... (NAME: log). Each version of an object has one writer, which stands
before all that read it; who read it stands before the writer of the next one. If these demands have
no cycle, an order exists; in that order the answers of all insertions and deletions must be those
of a set. Exit code: 0 serialisable, 1 not, 2 a log cannot be read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


class LogError(Exception):
    """A line that is no log line."""


@dataclass
class Transaction:
    """What one transaction read, wrote and answered."""

    name: str
    reads: dict[int, int] = field(default_factory=dict)  # object -> version
    writes: set[int] = field(default_factory=set)
    insertion: tuple[int, bool] = (0, False)  # key, whether it was new
    deletion: tuple[int, bool] = (0, False)
    objects: int = 0  # as announced
    answered: bool = False


def read_log(path: Path) -> list[Transaction]:
    """The transactions of one core."""
    found: list[Transaction] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            kind, *words = line.split()
            numbers = [int(word) for word in words]
            if kind == "t":
                _whole(path, found)
                found.append(Transaction(f"{path.name}:{number}", objects=numbers[0]))
            elif kind in "rw":
                found[-1].reads[numbers[0]] = numbers[1]
                if kind == "w":
                    found[-1].writes.add(numbers[0])
            elif kind == "=":
                found[-1].insertion = (numbers[0], bool(numbers[1]))
                found[-1].deletion = (numbers[2], bool(numbers[3]))
                found[-1].answered = True
            else:
                raise ValueError(kind)
        except (ValueError, IndexError) as error:
            raise LogError(f"{path}:{number}: no log line: {line!r}") from error
    _whole(path, found)
    return found


def _whole(path: Path, found: list[Transaction]) -> None:
    """The last transaction has all its lines."""
    if found and (not found[-1].answered or len(found[-1].reads) != found[-1].objects):
        line = found[-1].name.rpartition(":")[2]
        raise LogError(f"{path}:{line}: this transaction is not whole; was the run cut off?")


def order(transactions: list[Transaction]) -> list[Transaction]:
    """An order that all versions agree with; ValueError if there is none."""
    writer: dict[tuple[int, int], int] = {}
    for index, it in enumerate(transactions):
        for item in it.writes:
            made = item, it.reads[item] + 1
            if made in writer:
                first = transactions[writer[made]].name
                raise ValueError(f"object {item}, version {made[1]}: by {first} and {it.name}")
            writer[made] = index
    after: list[list[int]] = [[] for _ in transactions]
    missing = [0] * len(transactions)
    for index, it in enumerate(transactions):
        for item, version in it.reads.items():
            if version and (item, version) not in writer:
                raise ValueError(f"{it.name}: object {item}, version {version}: nobody wrote it")
            for a, b in (
                (writer.get((item, version)), index),
                (index, writer.get((item, version + 1))),
            ):
                if a is not None and b is not None and a != b:
                    after[a].append(b)
                    missing[b] += 1
    ready = [index for index, count in enumerate(missing) if not count]
    found = []
    while ready:
        index = ready.pop()
        found.append(index)
        for other in after[index]:
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    if len(found) < len(transactions):
        stuck = next(it.name for it, count in zip(transactions, missing, strict=True) if count)
        raise ValueError(f"{len(transactions) - len(found)} transactions in cycles, one is {stuck}")
    return [transactions[index] for index in found]


class _Planted(dict[int, bool]):
    """Which keys are there; before the first transaction the even ones."""

    def __missing__(self, key: int) -> bool:
        return key % 2 == 0


def replay(ordered: Iterable[Transaction]) -> int:
    """How many of the keys used are left; ValueError if an answer is not that of a set."""
    present = _Planted()
    for it in ordered:
        for (key, answer), wanted in ((it.insertion, False), (it.deletion, True)):
            if answer != (present[key] == wanted):
                raise ValueError(f"{it.name}: key {key} was {'' if present[key] else 'not '}there")
            present[key] = not wanted
    return sum(present.values())


def main(arguments: list[str]) -> int:
    """Check the logs of a folder."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    name = arguments[1] if len(arguments) > 1 else "log"
    paths = sorted(Path(arguments[0]).glob(f"{name}.*"))
    if not paths:
        print(f"check: {arguments[0]} holds no {name}.0", file=sys.stderr)
        return 2
    try:
        transactions = [it for path in paths for it in read_log(path)]
        if not transactions:
            raise LogError(f"{paths[0]}: no transaction; was the run cut off?")
        keys = replay(order(transactions))
    except LogError as error:
        print(f"check: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"not serialisable: {error}")
        return 1
    done = f"{len(transactions)} transactions of {len(paths)} cores"
    print(f"serialisable: {done}; {keys} of their keys left")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
