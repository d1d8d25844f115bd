"""The spelling of the original launcher: `rck run -nue 48 -f hosts -clock 0.533 prog`."""

from __future__ import annotations

import re

from rockcreek import description as descriptions
from rockcreek.errors import UsageError
from rockcreek.reading import documents

_HOST = re.compile(r"(?:rck)?([0-9]{1,6})(?:\..*)?")


def choose(
    n: int | None, cores: list[int] | None, nue: int | None, hosts: str | None
) -> tuple[int | None, list[int] | None]:
    """What -n and --cores would be."""
    if nue is None and hosts is None:
        return n, cores
    if n is not None or cores is not None:
        ours = "-n" if n is not None else "--cores"
        theirs = "-nue" if nue is not None else "-f"
        raise UsageError(
            f"{ours} and {theirs}: both say which cores run",
            hint="use either -n or --cores, or the original's -nue and -f",
        )
    if hosts is None:
        return nue, None
    listed = read_hosts(hosts)
    wanted = len(listed) if nue is None else nue
    if not 1 <= wanted <= len(listed):
        raise UsageError(
            f"-nue {wanted}: {hosts} lists {len(listed)} cores",
            hint=f"choose a number from 1 to {len(listed)}, or list more cores",
        )
    return None, listed[:wanted]


def read_hosts(path: str) -> list[int]:
    """The cores of a hosts file, in the order of their ranks: 7, 07 or rck07, one a line.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     _ = file.write("rck00 # first\\n17\\n")
    ...     _ = file.seek(0)
    ...     read_hosts(file.name)
    [0, 17]
    """
    hint = "name a file with one core number a line"
    lines = documents.text(path, most=documents.MOST_TOML_BYTES, hint=hint).splitlines()
    cores = []
    for number, line in enumerate(lines, 1):
        for word in line.partition("#")[0].split():
            match = _HOST.fullmatch(word)
            if match is None:
                raise UsageError(
                    f"{path}:{number}: '{word}' is not a core",
                    hint="write one core number on each line, for example 07 or rck07",
                )
            cores.append(int(match[1]))
    if not cores:
        raise UsageError(f"-f {path}: lists no cores", hint="write one core number a line")
    return cores


def clocks(ghz: float | None, given: str | None, chip: str) -> str | None:
    """What --clocks would be: the tiles' clock in GHz, the others as they are."""
    if ghz is None:
        return given
    if given is not None:
        raise UsageError(
            "--clocks and -clock: both set the cores' clock", hint="leave one of them out"
        )
    usual = descriptions.load(chip).clocks
    mhz = round(ghz * 1000)
    if str(mhz) == usual.partition("/")[0]:
        return None
    return f"{mhz}/{usual.partition('/')[2]}"
