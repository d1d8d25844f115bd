"""Any text as an argument of `rck boot`: a plan, or an error that a user can read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.booting import load_plan
from rockcreek.errors import RockcreekError

CASES = 3000
EXAMPLES = [
    "image@0xFF000000",
    "image@4096:core=0,3-5",
    "kernel:core=all",
    "image@0",
    "mch_0_0.32.obj",
    "image@3",
    "image=a string",
    "1-3@5ms",
    "all",
]
PIECES = [
    "@",
    ":core=",
    "=",
    ",",
    "-",
    "0x",
    "9" * 5000,
    "\0",
    "\n",
    "٣",
    "²",
    "é",
    "\udcff",
    " ",
    "/",
]
OPTIONS = ["kernels", "images", "objects", "luts", "modules", "cores", "hold", "releases"]


def garbage(rng: random.Random) -> str:
    text = rng.choice(EXAMPLES)
    for _ in range(rng.randrange(5)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(3):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randrange(1, 4) :]
            case _:
                text = text[:at] + chr(rng.randrange(1, 0x250)) + text[at + 1 :]
    return text


def test_any_argument_of_boot_is_a_plan_or_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("image", "kernel", "mch_0_0.32.obj"):
        (tmp_path / name).write_bytes(b"\xf4" * 64)
    chip = description.load("scc")
    rng = random.Random(1)
    plans = 0
    for number in range(CASES):
        text = garbage(rng)
        option = rng.choice(OPTIONS)
        many = [text] if option not in ("cores", "hold") else text
        given = {"images": ["image@0"], option: many}
        if option == "modules":
            given["kernels"] = ["kernel"]
        try:
            load_plan.plan(chip, **given)  # type: ignore[arg-type]
            plans += 1
        except RockcreekError:
            pass
        except Exception as error:  # noqa: BLE001
            pytest.fail(f"case {number}: {option}={text[:80]!r}: {error!r:.200}")
    assert plans > CASES / 20, "some of them are good"
