"""Berkeley TestFloat: the x87 against SoftFloat, function by function.

Two programs: `x87` calls the instructions (tests/conformance/x87), `c` the compiler's arithmetic
(TestFloat's own subject). Each function is tested in all four roundings, and in the 80-bit format
with all three precisions; every difference from SoftFloat in value or flags is printed, and what is
printed must be what the same program prints natively.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kits
from programs import BUILD, Program

HERE = Path(__file__).parent
PLATFORM = "build/Linux-386-GCC"
# The package's copy of TestFloat was changed for another use: one flag has a new name there.
OPTIONS = (
    "-DFLOAT16 -DFLOAT64 -DEXTFLOAT80 -DFLOAT128 -DFLOAT_ROUND_ODD -DLONG_DOUBLE_IS_EXTFLOAT80"
    " -Dslowfloat_exceptionFlags=softfloat_exceptionFlags -w"
)


def collect(suite: dict[str, Any], folder: Path) -> Iterator[Program]:
    """One run for each function of each subject."""
    places = {"x87": str(HERE / "x87"), "c": "../../source/subj-C"}
    for subject in suite["subjects"]:
        binary = provide(folder, subject, places[subject])
        listed = subprocess.run([binary, "-list"], capture_output=True, text=True, check=True)
        functions = [f for f in listed.stdout.split() if re.search(suite["functions"], f)]
        for function in functions:
            words = ["-level", str(suite["level"]), "-checkAll", "-tininessafter"]
            yield Program(
                name=f"testfloat-{subject} {function}",
                sources=(),
                binary=binary,
                arguments=(*words, "-errors", "1000000", function),
                patience_s=suite["patience_s"],
            )


def provide(folder: Path, subject: str, place: str) -> Path:
    """TestFloat with this subject, built by the package's own makefiles and `rck cc`."""
    binary = BUILD / "programs" / f"testfloat-{kits.sysroot_key()}" / f"testfloat-{subject}"
    if binary.is_file():
        return binary
    tests = folder / "tests" / "fp"
    kits.run("make -s", tests / "berkeley-softfloat-3" / PLATFORM)
    target = tests / "berkeley-testfloat-3" / PLATFORM
    for stale in [*target.glob("subj*.o"), target / "testfloat"]:
        stale.unlink(missing_ok=True)
    words = ["testfloat", f"SUBJ_SOURCE_DIR={place}", f"TESTFLOAT_OPTS={OPTIONS}"]
    kits.run(f"make -s {shlex.join(words)}", target)
    binary.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target / "testfloat", binary)
    return binary
