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


FOLDERS = {
    "Makefile": """\
all: app/prog
app/prog: lib/libparts.a FORCE
\t$(MAKE) -C app
lib/libparts.a: FORCE
\t$(MAKE) -C lib
FORCE:
""",
    "lib/Makefile": """\
libparts.a: one.o more/two.o three.o
\t$(AR) cru $@ one.o more/two.o three.o
\t$(RANLIB) $@
one.o: one.c ../include/parts.h
\t$(CC) -I../include -c one.c
more/two.o: more/two.c
\t$(CC) $(CFLAGS) -I../include -c $< -o $@
three.o: three.cpp
\t$(CXX) -I../include -c three.cpp
""",
    "lib/one.c": '#include "parts.h"\nint one(int n) { return n + 1; }\n',
    "lib/more/two.c": "#include <parts.h>\nint two(int n) { return one(n) + 1; }\n",
    "lib/three.cpp": '#include "parts.h"\n#include <vector>\n'
    "int three(int n) { return two((int)std::vector<int>(n).size()) + 1; }\n",
    "include/parts.h": '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    "int one(int n), two(int n), three(int n);\n#ifdef __cplusplus\n}\n#endif\n",
    "app/Makefile": """\
prog: main.c ../lib/libparts.a
\t$(CXX) -I../include main.c -o $@ -L../lib -lparts -L/shared/rcce/bin/SCC_LINUX \\
\t  -lRCCE_bigflags_nongory_nopwrmgmt
""",
    # C for the makefile, C++ for its compiler: so g++ takes it, too.
    "app/main.c": '#include "RCCE.h"\n#include "parts.h"\n#include <memory>\n'
    "int main(int argc, char **argv)\n{\n    RCCE_init(&argc, &argv);\n"
    "    auto n = std::make_unique<int>(three(RCCE_num_ues()));\n"
    '    if (RCCE_ue() == 0)\n        printf("%d\\n", *n);\n    return RCCE_finalize();\n}\n',
}


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_folders_with_makefiles_of_their_own(tmp_path: Path) -> None:
    for name, text in FOLDERS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    rck = f"{sys.executable} -m rockcreek"
    tools = {"CC": "cc", "CXX": "c++", "AR": "ar", "RANLIB": "ranlib"}
    words = [f"{name}={rck} {command}" for name, command in tools.items()]
    built = subprocess.run(
        ["make", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    line = [*rck.split(), "run", "-q", "--tag", "none", "-n", "3", "app/prog"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "6\n"), run.stderr
