"""The best memory, order of cores and chunk for a pipeline: runs them all.

    python systems/pipeline/best.py --cores 10-13 --share DIR pack {memory} {order} {chunk} /in /out

In the program's arguments {memory}, {order} and {chunk} (bytes) are replaced; it must print its
time as `in SECONDS s`. Exit code 1 if a run fails.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from dataclasses import dataclass

import rockcreek

MEMORIES = ("private", "apart", "uncached", "cached")
ORDERS = ("trivial", "snake")
_TIME = re.compile(r" in ([\d.]+) s\b")
_MODEL = re.compile(r"undisturbed ([\d.]+) s\b")


@dataclass
class Choice:
    """One run."""

    memory: str
    order: str
    chunk: int
    seconds: float
    model: float | None


def main() -> int:
    """The table, fastest first."""
    options = _options()
    found: list[Choice] = []
    for memory, order, chunk in itertools.product(MEMORIES, ORDERS, options.chunks):
        words = {"memory": memory, "order": order, "chunk": str(chunk)}
        arguments = [word.format_map(words) for word in options.arguments]
        result = rockcreek.run(
            options.program, arguments, cores=options.cores, share=options.share, tag="none"
        )
        output = result.stdout.decode()
        time = _TIME.search(output)
        if result.exit_code or not time:
            print(f"{memory} {order} {chunk}: exit code {result.exit_code}", file=sys.stderr)
            return 1
        model = _MODEL.search(output)
        found.append(
            Choice(memory, order, chunk, float(time[1]), float(model[1]) if model else None)
        )
    found.sort(key=lambda choice: choice.seconds)
    for choice in found:
        model_ms = f"{choice.model * 1000:10.3f}" if choice.model is not None else ""
        print(f"{_name(choice):26} {choice.seconds * 1000:10.3f} ms   undisturbed {model_ms}")
    print(f"best: {_name(found[0])}: {found[0].seconds * 1000:.3f} ms")
    return 0


def _name(choice: Choice) -> str:
    return f"{choice.memory} {choice.order} {choice.chunk}"


def _options() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cores", type=_cores, required=True, help="such as 0,4,10-13")
    parser.add_argument("--share", help="the folder that the guests see as /")
    parser.add_argument(
        "--chunks", type=lambda text: [int(word) for word in text.split(",")], default=[4096, 65536]
    )
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args()


def _cores(text: str) -> list[int]:
    cores: list[int] = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        cores += range(int(first), int(last or first) + 1)
    return cores


if __name__ == "__main__":
    sys.exit(main())
