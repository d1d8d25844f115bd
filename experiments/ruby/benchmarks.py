"""Ruby's benchmarks of 2011, made of those in the source tree that `make ruby` fetches.

The programs are the same; where the tree of 2011 counted to less, so does this. Each keeps its last
answer, and prints it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "build/ruby/ruby/benchmark"
# The file's name where it is another one, what stands for what in it, and what it prints.
CHANGES: dict[str, tuple[str, dict[str, str], str]] = {
    "ackerman": ("answer", {}, "answer"),
    "erb": ("erb", {"ERB.new(data)": "$last = ERB.new(data)"}, "$last.size"),
    "factorial": (
        "factorial",
        {"100.times": "8.times", "  fact(5000)": "  $last = fact(5000)"},
        "$last.bit_length",
    ),
    "fib": ("fib", {"fib(34)": "$last = fib(34)"}, "$last"),
    "mandelbrot": ("mandelbrot", {"(0..1000)": "(0..100)"}, "ary.size"),
    "pentomino": ("pentomino", {}, "$no"),
    "raise": ("raise", {}, "i"),
    "strconcat": (
        "strconcat",
        {"2_000_000": "500_000", '  "#{1+1}': '  $last = "#{1+1}'},
        "$last",
    ),
    "tak": ("tak", {"tak(18, 9, 0)": "$last = tak(18, 9, 0)"}, "$last"),
    "tarai": ("tarai", {"tarai(12, 6, 0)": "$last = tarai(12, 6, 0)"}, "$last"),
    "uri": ("uri", {"uri = URI.parse": "$last = uri = URI.parse"}, "$last"),
}
ERB_ROUNDS = 5000  # today's file is a description of other form, which names 15,000


def files(values: Mapping[str, Any]) -> dict[str, str]:
    """The benchmark as a script."""
    name = str(values["benchmark"])
    file, changes, answer = CHANGES[name]
    text = _erb() if name == "erb" else (FOLDER / f"app_{file}.rb").read_text(encoding="utf-8")
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{FOLDER}/app_{file}: there is no {old!r}")
        text = text.replace(old, new)
    return {f"{name}.rb": f'{text}\nputs "answer #{{{answer}}}"\n'}


def _erb() -> str:
    described = (FOLDER / "app_erb.yml").read_text(encoding="utf-8")
    _, _, behind = described.partition("prelude: |\n")
    prelude, _, rest = behind.partition("benchmark:\n")
    body = rest.partition("app_erb: ")[2].partition("\n")[0]
    return f"{textwrap.dedent(prelude)}\n{ERB_ROUNDS}.times {{ {body} }}\n"
