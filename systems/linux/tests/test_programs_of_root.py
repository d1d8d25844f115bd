"""How programs of the root file system are linked whose licence is not ours."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

BUILD = runpy.run_path(str(Path(__file__).parents[1] / "build.py"))


def test_busybox_gets_a_heap_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <stdlib.h>\nint main(void) { free(malloc(9)); }\n")
    words = [*BUILD["LINK_OF_OTHERS"].split(), "a.c", *BUILD["LIBRARIES_OF_OTHERS"].split()]
    command = [sys.executable, "-m", "rockcreek", "cc", "-nodefaultlibs", "-Wl,--trace", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "libzigc.a" in done.stdout and "librck_gnu.a" not in done.stdout
