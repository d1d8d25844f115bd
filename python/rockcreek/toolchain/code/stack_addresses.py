"""Addresses of local variables that outlive their function, by Clang's analyzer.

Clang's own warning sees `return array;` alone. The analyzer follows the address through variables,
loops and arguments. It takes the time of a small compilation, so only a source is looked at that a
program is made of in one step, and that is as short as what people write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Nodes of the analyzer's graph for a function: a second for the largest sources that are looked at.
LOOK = (
    "-fsyntax-only", "-w", "-fno-color-diagnostics", "-Xclang", "-analyze",
    "-Xclang", "-analyzer-output=text",
    "-Xclang", "-analyzer-checker=core.StackAddressEscape",
    "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=10000,unroll-loops=true",
)  # fmt: skip
LONGEST = 40_000  # bytes
# A function that returns a pointer, or an address that is kept in something.
MAY_KEEP = re.compile(r"\*+\s*\w+\s*\([^;{}()]*\)\s*\{|=\s*(?:\([^()]*\)\s*)?&|\breturn\s+&")
OFF = {"-w", "-Wno-return-stack-address", "-Wno-return-local-addr"}
_SAID = re.compile(
    r"^(?P<place>.+?:\d+):(?P<column>\d+): warning: Address of (?:stack memory associated with"
    r" local variable '(?P<name>[^']*)'|[^[]*?) (?:returned to caller|is still referred to by"
    r" (?:the |a )?(?P<keeper>[^[]*?) upon returning)",
    re.MULTILINE,
)
_OF_CALLER = re.compile(r"caller variable (.*)")


def worth_a_look(flags: list[str], text: str) -> bool:
    """Whether a source may keep such an address, and is short enough to see."""
    return len(text) <= LONGEST and not OFF & set(flags) and MAY_KEEP.search(text) is not None


def warnings(looked: str, words: str) -> Iterator[str]:
    """What the analyzer said, where the compiler's own words name no such address."""
    for said in _SAID.finditer(looked):
        if f"{said['place']}:" in words and "[-Wreturn-stack-address]" in words:
            continue
        name = f"'{said['name']}'" if said["name"] else "a local variable"
        keeper = _OF_CALLER.sub(r"variable \1 of the caller", said["keeper"] or "")
        what = f"stays in the {keeper}" if keeper else "is returned"
        yield (
            f"{said['place']}:{said['column']}: warning: the address of the local variable {name}"
            f" {what}: it is not valid after the function has returned [-Wreturn-stack-address]"
        )
