"""Ruby under Linux (`rck ruby --kernel linux`): the program that each core's console starts.

The script's folder is /host, where the program begins. What `make ruby` installed is mounted, and
its library linked to where Ruby looks for it. A core of Linux starts processes and has sockets, so
nothing of `rck.rb` is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rockcreek.interpreters import ruby
from rockcreek.linux.program import Program
from rockcreek.software import image

# As the cores had it for which Ruby was published.
MEMORY = "256M"
_LIBRARY = "ln -s /program/lib /usr/lib && "
_GEMS = "mkdir /gems && mount -t 9p -o ro,trans=scc,version=9p2000.L,aname={} host /gems && "


def program(
    line: Sequence[str],
    folder: str,
    env: Mapping[str, str],
    *,
    gems: str | None = None,
    network: bool = True,
    stdin: Path | None = None,
) -> Program:
    """Ruby with this command line; without the network the message buffers are RCCE's."""
    found = image.load_program(str(ruby.interpreter()))
    start = ruby.start(line, gems, alone=False)
    shares = [folder, str(ruby.folder() / "usr")]
    place, before, reads = "mount 0 /host\ncd /host\nmount 1 /program ro\n", _LIBRARY, ""
    if gems is not None:
        before += _GEMS.format(len(shares))
        shares.append(gems)
    if stdin is not None:
        place += f"mount {len(shares)} /stdin ro\n"
        shares.append(os.fspath(stdin.parent))
        reads = f"/stdin/{stdin.name}"
    return Program(
        ("/program/bin/ruby", *start.line),
        found,
        tuple(shares),
        place,
        {**start.env, **env},
        network,
        before,
        reads,
    )
