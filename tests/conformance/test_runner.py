"""The runner of `make conformance` separates same from different; on two programs of our own."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import run
from programs import Ending, Program, Tally

SAME = """
#include <stdio.h>
int main(void) { printf("%.17g\\n", 1.0 / 3); fprintf(stderr, "there\\n"); return 3; }
"""
# The host puts its stack elsewhere than the chip's kernel does.
OTHER = """
#include <stdio.h>
int main(void) { int here; printf("stack %p\\nend\\n", (void *)&here); return 0; }
"""
BROKEN = "int main(void) { return undeclared; }"


def program(folder: Path, name: str, text: str, **more: str) -> Program:
    source = folder / f"{name}.c"
    source.write_text(text)
    return Program(name=name, sources=(source,), flags=("-O1",), **more)  # type: ignore[arg-type]


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"),
    reason="programs for the i586 run natively on x86-64 Linux",
)
def test_same_different_ignored_and_skipped(tmp_path: Path) -> None:
    programs = [
        program(tmp_path, "same", SAME),
        program(tmp_path, "other", OTHER),
        program(tmp_path, "ignored", OTHER, ignore="stack"),
        program(tmp_path, "known", OTHER, known="prints an address"),
        program(tmp_path, "broken", BROKEN),
    ]
    tally = Tally()
    run.judge_all(programs, tmp_path / "work", 2, tally)
    found = {verdict.program.name: verdict.outcome for verdict in tally.verdicts}
    assert found == {
        "same": "passed",
        "other": "different",
        "ignored": "passed",
        "known": "known",
        "broken": "skipped",
    }
    same = next(v for v in tally.verdicts if v.program.name == "same")
    assert same.native_code == 3
    assert tally.failed_on_both == 1
    assert tally.instructions > 0


def test_an_ending_says_what_is_different() -> None:
    one = Ending(b"a\nb\n", b"", 0)
    assert one.differs_from(one) is None
    assert one.differs_from(Ending(b"a\nb\n", b"", -11)) == "exit 0, native -11"
    assert one.differs_from(Ending(b"a\nc\n", b"", 0)) == "stdout: line 2: b'b', native b'c'"
    assert one.differs_from(Ending(b"a\nb\n", b"x", 0)) == "stderr: 0 lines, native 1"
    with_file = Ending(b"a\nb\n", b"", 0, (("made", "digest"),))
    assert with_file.differs_from(one) == "files: made"
    assert one.without("b").stdout == b"a\n"
