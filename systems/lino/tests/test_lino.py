"""The tile language and its layouts; commands in rings and rows on the chip."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

SYSTEM = Path(__file__).resolve().parents[1]
LINO = SYSTEM / "lino.py"
FLAGS = ("-llino", "-lircce", "-lrcce", "-lm")


def _lino(tmp_path: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "script.lino"
    path.write_text(script)
    return subprocess.run(
        [sys.executable, LINO, path, *options], capture_output=True, text=True, check=False
    )


def _run(program: str, cores: str, share: Path, **more: str) -> str:
    ran = run_program(
        compile_program(SYSTEM / f"programs/{program}.c", FLAGS),
        options=["--cores", cores, "--tag", "none", "-q", "--share", str(share)],
        **more,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", "nothing is laid out: define 'main'"),
        ("a = [x];", "define 'main' (defined: a)"),
        ("main = [x]", "line 1, column 8: the script ends here, but ';' should follow"),
        ("main =", "column 6: the script ends here, but a block should follow"),
        ("main = [x;", "line 1, column 8: unexpected '[': its ']' is missing"),
        ("main = b;", "column 8: no block 'b' so far"),
        ("main = [x] |;", "column 13: a block should stand here, not ';'"),
        ("\nmain = [x] | ([y] _ [z]);", "line 2, column 12: '|' between blocks of 1 and 2 rows"),
        ("main = [x] _ ([y] | [z]);", "'_' between blocks of 1 and 2 columns"),
        ("main = [x >East];", "column 8: tile (0,0), >East: there is no tile at that side"),
        ("main = [x >East] | [y];", "no command of tile (0,1) has <West"),
        ("main = [x <North] _ [y];", "there is no tile at that side"),
        ("main = [>East] | [y <West];", "a command is missing"),
        ("main = [x;];", "a command is missing in [x;]"),
        ("main = [x > >a];", "'>' needs a name"),
        ("main = [x >a >b];", "stands there twice"),
        ("main = [x | y];", "'|' in [x | y]: a tile has no shell"),
        ("main = [x >a] | [y >a];", "column 17: tile (0,0) and tile (0,1) write >a"),
        (f"main = [{'x;' * 8}x];", "9 commands: at most 8 on a tile"),
        (f"main = [{'x ' * 16}];", "at most 15"),
        ("main = replicate([x], 99);", "column 23: replicate: 1 to 48"),
        ("main = reflect([x], ;);", "neither | nor _"),
        ("main = replicate([x], 13);", "at most 8 x 6 or 4 x 12"),
        ("a = [x]; a = [y]; main = a;", "column 10: 'a' is defined twice"),
        ("rotate = [x];", "column 1: 'rotate' is no name for a block"),
        ("main = [x] ? [y];", "column 12: unexpected '?'"),
    ],
)
def test_bad_scripts_are_named(tmp_path: Path, script: str, said: str) -> None:
    ran = _lino(tmp_path, script)
    assert ran.returncode == 1
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


def test_turning_a_block_four_times_changes_nothing(tmp_path: Path) -> None:
    pair = "([a >East] | [b <West >South]) _ ([c] | [d <North])"
    plain = _lino(tmp_path, f"main = {pair};").stdout
    turned = pair
    for _ in range(4):
        turned = f"rotate({turned})"
    assert _lino(tmp_path, f"main = {turned};").stdout == plain
    assert _lino(tmp_path, f"main = reflect(reflect({pair}, _), _);").stdout == plain
    assert _lino(tmp_path, f"main = rotate({pair});").stdout != plain


@pytest.mark.parametrize("workers", [1, 2])
def test_rings_compute_what_one_loop_computes(tmp_path: Path, workers: int) -> None:
    script = (SYSTEM / f"layouts/nbody_{workers}.lino").read_text()
    script = script.replace(f"starter {workers}", f"starter {workers} 24 2")
    cores = _lino(tmp_path, script, "--out", str(tmp_path)).stdout.strip()
    printed = _run("nbody", cores, tmp_path)
    match = re.search(r"sum ([\d.]+)", printed)
    assert match is not None
    assert abs(float(match[1]) - _serial(24, 2)) < 1e-9


def _serial(bodies: int, steps: int) -> float:
    state, numbers = 1, []
    for i in range(bodies * 8):
        state = (state * 1664525 + 1013904223) % 2**32
        numbers.append((1 if i % 8 < 3 else 0.1) * ((state >> 8) / 2**24))
    system = [numbers[i : i + 7] for i in range(0, len(numbers), 8)]
    for _ in range(steps):
        moved = []
        for body in system:
            pull = [0.0, 0.0, 0.0]
            for other in system:
                way = [other[k] - body[k] for k in range(3)]
                square = sum(d * d for d in way)
                force = other[6] / (square * square**0.5) if other is not body else 0
                pull = [a + d * force for a, d in zip(pull, way, strict=True)]
            speed = [body[3 + k] + 0.001 * pull[k] for k in range(3)]
            moved.append([body[k] + 0.001 * speed[k] for k in range(3)] + speed + [body[6]])
        system = moved
    return sum(body[0] + body[4] for body in system)


def test_parts_of_a_concordance_are_the_whole(tmp_path: Path) -> None:
    source = random.Random(4)
    names = ["And", "it", "came", "to", "pass", "it's", "so"]
    text = " ".join(source.choice(names) for _ in range(300)) + "."
    (tmp_path / "text").write_text(text)
    script = (SYSTEM / "layouts/concordance_pipe.lino").read_text()
    cores = _lino(tmp_path, script, "--out", str(tmp_path)).stdout.strip()
    printed = _run("concordance", cores, tmp_path)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    words = [word.lower() for word in re.findall(r"[\w']+", text)]
    for place in range(len(words)):
        for length in range(1, min(4, len(words) - place) + 1):
            places[tuple(words[place : place + length])].append(place)
    wanted = [
        f"{' '.join(phrase)} ({len(at)}): {' '.join(map(str, at))}"
        for phrase, at in places.items()
        if len(at) > 1
    ]
    assert sorted(printed.splitlines()) == sorted(wanted)


def test_a_storm_of_bytes_passes_a_snake_of_tiles(tmp_path: Path) -> None:
    data = random.Random(5).randbytes(20000).hex()
    (tmp_path / "data").write_text(data)
    script = """
    step = [cat <West >East];
    upper = [cat <data >East] | replicate(step, 2) | [cat <West >South];
    main = upper _ ([cat <East >out] | replicate(rotate(rotate(step)), 2) | [cat <North >West]);
    """
    cores = _lino(tmp_path, script, "--out", str(tmp_path)).stdout.strip()
    _run("nbody", cores, tmp_path)
    assert (tmp_path / "out").read_text() == data


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("0 @9 - cat", "lino: layout, line 1: no command of 1 tiles: TILE SOURCE TARGET COMMAND"),
        ("x", "lino: layout, line 1"),
        ("0 - -", "lino: layout, line 1"),
        (",".join(["0 - - cat"] * 9), "lino: layout, line 9: tile 0 has over 8"),
        ("0 - - nothing", "lino: tile 0: there is no command 'nothing'"),
        ("0 none - cat", "lino: tile 0: /none: No such file or directory (files are of the shared"),
        ("0 - - starter 1x", "starter: '1x': WORKERS is a number from 1 to 48"),
        ("0 - - starter 1 1025", "starter: '1025': BODIES is a number from 1 to 1024"),
    ],
)
def test_a_wrong_layout_ends_the_program(layout: str, said: str) -> None:
    program = compile_program(SYSTEM / "programs/nbody.c", FLAGS)
    ran = run_program(program, layout, options=["-n", "1"])
    assert ran.returncode != 0
    assert said in ran.stderr + ran.stdout


def test_what_a_concordance_cannot_do_is_named(tmp_path: Path) -> None:
    program = compile_program(SYSTEM / "programs/concordance.c", FLAGS)
    options = ["-n", "1", "--share", str(tmp_path)]
    ran = run_program(program, "0 - - concordance /none 4 5 2", options=options)
    assert ran.returncode == 2
    assert "VALUE 2 has bits that MASK 5 has not" in ran.stderr
