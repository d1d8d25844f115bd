"""`rck plot search`: what it draws of a trace, and which files it refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import ready
from rockcreek.planning import records


def _line(rank: int, ns: int, what: str, key: str, h: int = 3) -> str:
    return json.dumps(
        {"rank": rank, "ns": ns, "what": what, "key": key, "g": 1, "h": h, "open": ns % 7}
    )


ONE = [_line(0, 10, "evaluate", "a"), _line(0, 20, "expand", "a"), _line(1, 30, "expand", "b"),
       _line(1, 40, "evaluate", "c", records.NEVER)]  # fmt: skip
OTHER = [_line(0, 10, "evaluate", "a"), _line(0, 15, "expand", "b"), _line(0, 18, "expand", "d")]


def _plot(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return ready.rck("plot", "search", *map(str, words))


@pytest.fixture
def traces(tmp_path: Path) -> tuple[Path, Path]:
    files = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for file, lines in zip(files, (ONE, OTHER), strict=True):
        file.write_text("".join(f"{line}\n" for line in lines))
    return files


def test_what_both_expanded(traces: tuple[Path, Path]) -> None:
    both, alone = records.split(*map(records.read, traces))
    assert ([one.key for one in both], [one.key for one in alone]) == (["b"], ["a"])


def test_pictures(traces: tuple[Path, Path], tmp_path: Path) -> None:
    pictures = [tmp_path / name for name in ("a.svg", "b.svg", "c.png")]
    for picture in pictures:
        done = _plot(traces[0], "--beside", traces[1], "--out", picture)
        assert done.returncode == 0, done.stderr
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert pictures[2].read_bytes().startswith(b"\x89PNG")
    assert _plot(traces[0], "--out", tmp_path / "d.svg").returncode == 0
    assert (tmp_path / "d.svg").read_bytes() != pictures[0].read_bytes()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "t: has no record of a search"),
        (b"{}\n", ":1: is no record of a search (Object missing required field `rank`)"),
        (ONE[1].encode() + b"\n{\n", ":2: is no record of a search"),
        (b'{"rank": "x"}\n', ":1: is no record of a search (Expected `int`, got `str`"),
        (b"\xff\n", "is not UTF-8 text"),
    ],
)
def test_no_trace(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "t").write_bytes(content)
    done = _plot(tmp_path / "t", "--out", tmp_path / "p.svg")
    assert done.returncode == 65
    assert said in done.stderr
    assert "\nhint: `rck plan --trace FILE` writes such a file" in done.stderr
    assert not (tmp_path / "p.svg").exists()
