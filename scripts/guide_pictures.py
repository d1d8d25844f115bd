"""Draws the pictures of the guide that come from runs: `make pictures [ARGS=NAME...]`.

`guide_pictures.toml` says by which commands. The runs are exact, so a picture changes only with the
program, the chip or the drawing. tests/docs/test_pictures.py checks that the pages show them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/images/guide"
# A page with its pictures is to stay small.
MOST_BYTES = 150_000


def pictures() -> dict[str, dict[str, Any]]:
    """What is drawn, by name."""
    return tomllib.loads((ROOT / "scripts/guide_pictures.toml").read_text())


def rck(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rockcreek", *words],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"rck {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")


def draw(name: str, picture: dict[str, Any]) -> Path:
    """The picture, from a run made for it."""
    out = FOLDER / f"{name}.svg"
    with tempfile.TemporaryDirectory() as folder:
        program, result = f"{folder}/{name}", f"{folder}/r.json"
        compiler = "c++" if ".cpp" in picture["compile"] else "cc"
        rck(compiler, *picture["compile"].split(), "-o", program)
        run = picture["run"].format(folder=folder).split()
        arguments = picture.get("arguments", "").split()
        rck("run", "-q", *run, "--json", result, program, *arguments)
        kind, *options = picture["plot"].split()
        rck("plot", kind, result, *options, "--force", "--out", str(out))
    size = out.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{out}: {size:,} bytes; sample less often")
    return out


def main() -> None:
    known = pictures()
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or known:
        out = draw(name, known[name])
        print(f"{out.relative_to(ROOT)}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
