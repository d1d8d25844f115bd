"""How the root file system's programs of another licence are linked, and what building needs."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = runpy.run_path(str(Path(__file__).parents[1] / "build.py"))


PROGRAM = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
int main(void)
{
    char text[9];
    struct tm tm = {0};
    free(malloc(9));
    return strftime(text, 9, "%Y", &tm) != 4 || !strptime(text, "%Y", &tm) || !timer_delete(NULL);
}
"""


def test_busybox_gets_a_library_that_has_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    words = [*BUILD["LINK_OF_OTHERS"].split(), "a.c", *BUILD["LIBRARIES_OF_OTHERS"].split()]
    command = [sys.executable, "-m", "rockcreek", "cc", "-nodefaultlibs", "-Wl,--trace", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "libzigc.a" in done.stdout and "librck_gnu.a" not in done.stdout


def test_what_the_host_lacks_is_said_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BUILD["StepError"], match=r"flex, .* apt-get install flex"):
        BUILD["build"](tmp_path / "linux", 1)
    assert not (tmp_path / "linux").exists()
