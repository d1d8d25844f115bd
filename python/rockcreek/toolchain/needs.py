"""What the libraries of systems need, as their guest.toml declares it: linked without being named.

`needs`: libraries behind it. `with`: a part of it for programs that name another library, too
(systems/svp goes over the sockets of systems/tcpip where those are).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypedDict, cast

NEEDS = "needs.toml"


class System(TypedDict, total=False):
    """A table of the file."""

    needs: list[str]


def read(sysroot: Path) -> dict[str, System]:
    """By a library's name; none in a sysroot of a build without systems."""
    path = sysroot / NEEDS
    if not path.is_file():
        return {}
    return cast(dict[str, System], tomllib.loads(path.read_text(encoding="utf-8")))


def add(inputs: list[str], systems: dict[str, System]) -> list[str]:
    """The linker's inputs with what they need.

    >>> systems = {"svp": {"needs": [], "with": {"tcpip": "svp_tcpip"}}, "svm": {"needs": ["rcce"]}}
    >>> add(["-lsvm"], systems)
    ['-lsvm', '-lrcce']
    >>> add(["-lsvp", "-ltcpip"], systems)
    ['-lsvp_tcpip', '-lsvp', '-ltcpip']
    """
    named = {word[2:] for word in inputs if word.startswith("-l")}
    chosen = []
    for word in inputs:
        beside = cast(dict[str, str], systems.get(word[2:], {}).get("with", {}))
        if word.startswith("-l"):
            chosen += [f"-l{part}" for other, part in beside.items() if other in named]
        chosen.append(word)
    for word in inputs:
        if word.startswith("-l"):
            for name in systems.get(word[2:], {}).get("needs", []):
                if f"-l{name}" not in chosen:
                    chosen.append(f"-l{name}")
    return chosen
