"""A file that a comment or a document names in backticks exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import PurePath

from guest_programs import ROOT

# Names in backticks. Headers of C are left out: many are of the C library.
NAMED = re.compile(r"`(?:[\w.-]+/)*([\w-]+\.(?:rs|py|c|S|toml))(?::[^`]*)?`")
READ = {".rs", ".py", ".c", ".h", ".S", ".toml", ".md"}
# The change log describes the past.
LEFT_OUT = {"CHANGELOG.md"}


def tracked() -> list[str]:
    listing = subprocess.run(
        ["git", "-c", "core.quotePath=false", "ls-files"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return listing.stdout.splitlines()


def is_test(path: str) -> bool:
    return "tests" in PurePath(path).parts


def test_files_that_comments_name_exist() -> None:
    paths = tracked()
    everywhere = {PurePath(path).name for path in paths}
    in_product = {PurePath(path).name for path in paths if not is_test(path)}
    missing = []
    for path in paths:
        if PurePath(path).suffix not in READ or path in LEFT_OUT or not (ROOT / path).is_file():
            continue
        known = in_product if path.startswith("crates/") and not is_test(path) else everywhere
        lines = (ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, start=1):
            missing += [
                f"{path}:{number}: {name} is nowhere"
                for name in NAMED.findall(line)
                if name not in known
            ]
    assert not missing, "\n".join(missing)
