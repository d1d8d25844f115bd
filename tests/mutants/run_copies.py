"""`make copies`: break the fast copies of the chip's rules, and see that the row's test notices.

All changes of copies.toml are made in a copy of the tree at once, each behind a switch, so that the
tests are built once. Then each test is run without any of them, which must pass, and with each of
its own, which must fail.

    python tests/mutants/run_copies.py [NAME...]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from run_mutants import ROOT, TREE, copy_tree

SWITCH = "RCK_BROKEN_COPY"
# A test that a broken copy keeps from ending has noticed it; whole, each takes seconds.
TIMEOUT_S = 100


@dataclass(frozen=True)
class Copy:
    """One copy of a rule, and how it is broken."""

    name: str
    rule: str
    file: str
    test: str
    find: str
    replace: str

    def apply(self, root: Path) -> None:
        """Put the change into a tree, behind its switch."""
        path = root / self.file
        text = path.read_text()
        if text.count(self.find) != 1:
            raise ValueError(f"{self.name}: {self.file} has its text not once")
        asked = f'(std::env::var("{SWITCH}").as_deref() == Ok("{self.name}"))'
        path.write_text(text.replace(self.find, self.replace.replace("BROKEN", asked)))


def load_copies() -> list[Copy]:
    """The copies of copies.toml."""
    tables: dict[str, Any] = tomllib.loads((Path(__file__).parent / "copies.toml").read_text())
    return [Copy(**table) for table in tables["copy"]]


def build(crates: set[str]) -> dict[str, Path]:
    """Build these crates' tests of the copied tree; where each crate's program is."""
    command = ["cargo", "test", "--locked", "--no-run", "--message-format=json", "--test", "suite"]
    command += [word for crate in sorted(crates) for word in ("-p", f"rockcreek-{crate}")]
    # What the tree depends on is built already in the project's own target folder.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    done = subprocess.run(
        command, cwd=TREE, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError("the tests do not build")
    found = {}
    for message in map(json.loads, done.stdout.splitlines()):
        if message.get("reason") == "compiler-artifact" and message.get("executable"):
            source = Path(message["target"]["src_path"]).relative_to(TREE)
            # Another build in that folder may replace it while the copies run.
            found[source.parts[1]] = Path(shutil.copy2(message["executable"], TREE))
    return found


def passes(executable: Path, test: str, name: str) -> bool:
    """Run a test, a module of its crate's suite, with this switch on (an empty name: none)."""
    folder = TREE / Path(*Path(test).parts[:2])
    environment = {**os.environ, SWITCH: name, "RUST_BACKTRACE": "0"}
    try:
        done = subprocess.run(
            [executable, "-q", f"{Path(test).stem}::"], cwd=folder, env=environment,
            capture_output=True, check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _crate(test: str) -> str:
    return Path(test).parts[1]


def main(names: list[str]) -> int:
    """Break these copies, or all."""
    copies = [copy for copy in load_copies() if not names or copy.name in names]
    unknown = set(names) - {copy.name for copy in copies}
    if unknown:
        print(f"no copy is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 64
    copy_tree()
    for copy in copies:
        copy.apply(TREE)
    executables = build({_crate(copy.test) for copy in copies})
    survivors = []
    for test in sorted({copy.test for copy in copies}):
        executable = executables[_crate(test)]
        if not passes(executable, test, ""):
            print(f"{test} fails although nothing is broken")
            return 1
        for copy in (copy for copy in copies if copy.test == test):
            start = time.monotonic()
            noticed = not passes(executable, test, copy.name)
            verdict = "noticed " if noticed else "SURVIVED"
            seconds = time.monotonic() - start
            print(f"{verdict} {copy.name:24} {seconds:4.0f} s  {test}: {copy.rule}", flush=True)
            survivors += [] if noticed else [copy.name]
    print(f"{len(copies) - len(survivors)} of {len(copies)} broken copies noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
