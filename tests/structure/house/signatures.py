"""What a signature names: no tuples as parameters, none from the engine, no dict[str, Any]."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from house.files import House

NATIVE = "python/rockcreek/_native.pyi"
_FUNCTION = re.compile(r"\bfn \w+(?:<[^(]*>)?\(")
_TUPLE = re.compile(r"^[^:]*:\s*&?(?:'\w+ )?(?:mut )?\(.*,", re.S)
_TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{")
_ANY = re.compile(r"\b(?:dict|Mapping)\[str, Any\]")


def tuple_parameters(house: House) -> Counter[str]:
    """How many parameters of a file's functions are tuples; of the engine's stub, tuples at all,
    but for those that have a name."""
    found: Counter[str] = Counter()
    for path in house.code((".rs",)):
        if path.startswith("crates/") and "/src/" in path:
            found[path] += sum(bool(_TUPLE.match(one)) for one in parameters(house.text(path)))
    unnamed = re.sub(r"(?m)^\w+ = tuple\[(?:[^\n]*\]$|\n(?:    .*\n)*\])", "", house.text(NATIVE))
    found[NATIVE] += unnamed.count("tuple[")
    return +found


def any_dicts(house: House) -> Counter[str]:
    """How often a file of the package says `dict[str, Any]`."""
    return +Counter(
        {
            path: len(_ANY.findall(house.text(path)))
            for path in house.code((".py", ".pyi"))
            if path.startswith("python/rockcreek/")
        }
    )


def parameters(rust: str) -> Iterator[str]:
    """The parameters of all functions of a Rust file, but for tests beside the code."""
    code = _TESTS.split(re.sub(r"//[^\n]*", "", rust))[0]
    for match in _FUNCTION.finditer(code):
        depth, begin = 0, match.end()
        for at in range(match.end(), len(code)):
            character = code[at]
            if character == ">" and code[at - 1] in "-=":
                continue
            if depth == 0 and character in ",)":
                yield code[begin:at].strip()
                begin = at + 1
                if character == ")":
                    break
            depth += (character in "([<{") - (character in ")]>}")
