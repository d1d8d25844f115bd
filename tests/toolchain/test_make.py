"""An existing project builds with `make CC='rck cc' AR='rck ar'`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = """\
CFLAGS = -O2
LDLIBS = -lm
prog: main.o libparts.a
\t$(CC) $(CFLAGS) -o $@ main.o -L. -lparts -lrcce $(LDLIBS)
libparts.a: part.o
\t$(AR) rcs $@ $^
%.o: %.c
\t$(CC) $(CFLAGS) -c $< -o $@
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_makefile_of_an_rcce_project(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "part.c").write_text("int part(int n) { return n + 1; }\n")
    (tmp_path / "main.c").write_text(
        '#include "RCCE.h"\n'
        "int part(int n);\n"
        "int RCCE_APP(int argc, char **argv)\n{\n"
        '    RCCE_init(&argc, &argv);\n    if (RCCE_ue() == 1)\n        printf("%d %s\\n",'
        " part(RCCE_num_ues()), argv[1]);\n    return RCCE_finalize();\n}\n"
    )
    rck = f"{sys.executable} -m rockcreek"
    built = subprocess.run(
        ["make", f"CC={rck} cc", f"AR={rck} ar"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (tmp_path / "rc.hosts").write_text("rck05\nrck06\n")
    run = subprocess.run(
        [*rck.split(), "run", "-q", "--tag", "none", "-nue", "2", "-f", "rc.hosts",
         "-clock", "0.533", "./prog", "words"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (0, "3 words\n"), run.stderr
