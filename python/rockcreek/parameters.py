"""The parameters of `rockcreek.run` in words: what `help(rockcreek.run)` shows below its docstring.

A function of many parameters would be lost behind their description.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TypeVar

_Call = TypeVar("_Call", bound=Callable[..., object])

OF_RUN = """
What runs where:

`program`, `arguments`: what `rck cc` or `rockcreek.compile` made, and what it is given.
`n`, `cores`: cores 0 to n-1 (default: one), or a list of cores in the order of ranks.
`share`: a folder of the host that the guests see as `/`.
`mounts`: more folders, by names in `/`, which the guests can only read.
`env`: environment variables of the guests.
`kernel`: `rck` (default) or `l4`, a microkernel.
`stdin`, `stdin_cores`: input, and who reads it: `first`, `all`, `none` or a core.

The chip:

`chip`: a preset (`scc`, `scc-128`, `scc-512`), a file, or a `Description`.
`clocks`: MHz of tiles, mesh and memory data, such as `"800/1600/1066"`.
`jitter`: a seed that varies when cores leave reset.
`strict_voltage`: a core fails whose clock needs more than its voltage.
`faults`, `fault_seed`: what breaks (`rockcreek.faults.plan.read`), and another seed.

When it ends:

`until_ps`: at this simulated time.
`timeout_s`: after so many seconds of the host; the result is partial.
`memory_limit`: when this process has taken so many bytes of the host's memory.

What the result holds besides; nothing of this changes the run:

`messages`: who sent how much to whom (`result.messages`).
`power`, `power_every_ps`: energies, and the time between two samples of them (`result.energy`).
`sample_every_ps`: activity of cores and links in intervals of so long (`result.samples`).
`roi`: a region of `rck_mark.h`, or `marks`; by default from `RCCE_init` to `RCCE_finalize`, or
`main` to `exit` (`result.roi`).
`check`: `("coherence",)`, `("races",)`, `("no-races",)`: stale data, lost writes, races;
`("memory",)`: accesses beyond blocks and to freed ones; `("unwritten",)`: also values that were
never written; with `"error"`, findings raise.
`check_suppress`: a file with findings that are known.
`strace`: the guests' system calls, on `result.stderr`.
`tag`: before each line of output: `core`, `time` or `none`.

Files that it writes, over older ones: `profile` (where cycles went, for `rck profile`), `trace`
(what happened when; `trace_only` as on the command line), `flame` (time by callers),
`commit_log` (each instruction), `save` (a snapshot of the chip).

How the host runs it, with equal results: `threads` (a number, or `"auto"`), `skip` (waiting is
passed over), `translate` (hot code becomes host code).
"""


def described(parameters: str) -> Callable[[_Call], _Call]:
    """Puts the description of its parameters below a function's docstring."""

    def add(call: _Call) -> _Call:
        own = (call.__doc__ or "").rstrip()
        call.__doc__ = f"{own}\n{textwrap.indent(parameters, '    ')}"
        return call

    return add
