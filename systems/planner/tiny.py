"""Random tiny problems on 1, 3 and 48 ranks, against breadth-first search (`make planner-tiny`).

    python systems/planner/tiny.py [--problems 200] [--ranks 1,3,48]

Exit code 1: the two disagree, or a plan is none; the problem's seed is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from systems.planner.tests import tiny  # noqa: E402

from rockcreek.planning import job  # noqa: E402
from rockcreek.planning.validator.check import check  # noqa: E402
from rockcreek.planning.validator.lists import Source  # noqa: E402


def differs(seed: int, ranks: int, wanted: bool, folder: Path) -> str:
    """What is wrong with one run; empty: nothing."""
    texts = tiny.draw(seed)
    files = [folder / "domain", folder / "problem"]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    answer = job.plan(job.Request(*files, n=ranks, lookahead=seed % 2 == 0))
    if answer.exit_code != (0 if wanted else 69):
        return f"exit code {answer.exit_code}, but solvable is {wanted}"
    if not wanted:
        return ""
    sources = [Source("domain", texts[0]), Source("problem", texts[1])]
    return check(*sources, Source("plan", answer.plan)).why


def main() -> int:
    """All of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--ranks", default="1,3,48")
    arguments = parser.parse_args()
    seed, counts = 0, {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as name:
        while sum(counts.values()) < arguments.problems:
            wanted = tiny.is_solvable(*tiny.draw(seed))
            if wanted is not None:
                counts[wanted] += 1
                for ranks in map(int, arguments.ranks.split(",")):
                    wrong = differs(seed, ranks, wanted, Path(name))
                    if wrong:
                        print(f"problem {seed} on {ranks} ranks: {wrong}")
                        return 1
            seed += 1
    print(f"{counts[True]} solvable and {counts[False]} unsolvable problems, nothing wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
