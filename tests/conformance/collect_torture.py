"""GCC's torture tests: a program a file, right if it exits with 0.

The directives in the files' comments that matter here are `dg-do` (only what runs is taken),
`dg-options` and `dg-additional-options`. Conditions on the target are not evaluated: a program
that does not suit an i586 Linux behaves natively as it does on the chip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from programs import Program

_OPTIONS = re.compile(r'dg-(?:additional-)?options\s+"([^"]*)"\s*(\{[^}]*target([^}]*))?')
_DO = re.compile(r"dg-do\s+(\w+)")
_X86 = re.compile(r"i\?86|x86|\*-\*-\*|ia32|linux")
# What tunes GCC alone; it changes no program's meaning.
_OF_GCC = re.compile(
    r"-f(no-)?(tree|ipa|dce|dse|early|ira|split|gcse|sched|optimize|ivopts|web|combine|isolate|vect"
    r"|caller|rename|rerun|move|unswitch|peel|loop|reorder|branch|profile|schedule|code)|--param|-mno-stv"
)
# Vector instructions that no i586 has; natively such a program would run.
_OF_LATER_CORES = re.compile(r"-m(mmx|sse|avx|3dnow)")
# What Clang 17 and later treat as errors, and the tests' age takes for granted.
OLD_C = [
    "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types", "-Wno-return-type",
]  # fmt: skip


def collect(suite: dict[str, Any], folder: Path) -> Iterator[Program]:
    """All programs of the suite, for each compiler and level."""
    for part in suite["folders"]:
        base = folder / part
        for source in sorted(base.rglob("*.c")):
            name = str(source.relative_to(folder))
            if source.parent.name == "lib" or source.stem.endswith("-lib"):
                continue
            yield from _variants(suite, name, source)


def _variants(suite: dict[str, Any], name: str, source: Path) -> Iterator[Program]:
    text = source.read_text(encoding="latin-1")
    kind = _DO.search(text)
    torture = "gcc.c-torture" in name
    if (kind is not None or not torture) and (kind is None or kind[1] != "run"):
        return
    sources = [source]
    if source.parent.name == "builtins":
        sources += [source.with_name(f"{source.stem}-lib.c"), source.parent / "lib" / "main.c"]
    more = _options(text)
    vectors = any(_OF_LATER_CORES.match(word) for word in more)
    skip = suite.get("skip", {}).get(name) or ("needs MMX or SSE" if vectors else None)
    if source.parent.name == "ieee":
        more += ["-fno-inline"]
    for compiler in suite["compilers"]:
        words = [word for word in more if compiler == "gcc" or not _OF_GCC.match(word)]
        old = OLD_C if compiler == "clang" else ["-ffloat-store"] * (source.parent.name == "ieee")
        for level in suite["levels"]:
            yield Program(
                name=f"{name} {compiler} {level}",
                sources=tuple(path for path in sources if path.exists()),
                flags=(level, *suite["flags"], *old, *words),
                compiler=compiler,
                skip=skip,
                known=suite.get("known", {}).get(f"{name} {compiler}"),
            )


def _options(text: str) -> list[str]:
    """The options that the test's comments ask for on this target."""
    found: list[str] = []
    for options, condition, target in _OPTIONS.findall(text):
        if not condition or _X86.search(target):
            found += [word for word in options.split() if not word.startswith("-fdump")]
    return found
