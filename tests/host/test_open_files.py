"""How many files the host lets `rck` have open does not show in a guest."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

Guest = Callable[..., Path]

OPENS = r"""
#include <stdio.h>
#include <errno.h>
#include <string.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int count = atoi(argv[1]), goes = atoi(argv[2]), opened = 0;
    int files[1000];
    for (; opened < count; opened++) {
        char name[40];
        sprintf(name, "file%d", opened);
        files[opened] = open(name, O_RDWR | O_CREAT, 0644);
        if (files[opened] < 0)
            break;
        if (goes)
            unlink(name);
    }
    long sum = 0;
    for (int i = 0; i < opened; i++)
        sum += pwrite(files[i], "abc", 3, i);
    printf("opened %d, wrote %ld: %s\n", opened, sum, strerror(errno));
    return 0;
}
"""


def limited(files: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


def test_the_hosts_limit_changes_no_result(
    guest: Guest, run: Callable[..., Any], tmp_path: Path
) -> None:
    program = guest(OPENS)
    seen = []
    for files in (128, min(20_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])):
        folder = tmp_path / f"share{files}"
        folder.mkdir()
        done = run(
            program, "-n", "12", "--share", str(folder), limit=limited(files), args=("30", "0")
        )
        assert done.code == 0, done.stderr
        seen.append((done.stdout, done.result["state_hash"]))
    assert seen[0] == seen[1]
    assert seen[0][0].count("opened 30, wrote 90") == 12


def test_too_few_for_deleted_files_end_the_run(
    guest: Guest, run: Callable[..., Any], tmp_path: Path
) -> None:
    (folder := tmp_path / "share").mkdir()
    done = run(guest(OPENS), "--share", str(folder), limit=limited(64), args=("60", "1"))
    assert done.code == 71, done.stderr
    assert "core 00 has too many files open for this host" in done.stderr
    assert "hint: raise the host's limit" in done.stderr
    assert (done.result["end"], done.result["partial"]) == ("host-limit", True)
    assert "Traceback" not in done.stderr
