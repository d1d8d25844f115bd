"""What bootstraptest's runner takes for Ruby: a core with a started interpreter.

    python one_start.py SNAPSHOT SECONDS [OPTIONS OF RUBY] SCRIPT

The snapshot is of an interpreter that is about to load SNIPPET, which costs a quarter of a start;
with more options than -W0, Ruby is started. A guest that a signal ended ends this process by that
signal, as the runner expects.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

RCK = (sys.executable, "-m", "rockcreek")
SNIPPET = "bootstraptest.tmp.rb"
STARTED = f"""
sleep 0.2
$0 = {SNIPPET!r}
load "./{SNIPPET}"
"""


def save(snapshot: Path, folder: Path) -> None:
    """Starts an interpreter and saves it while it sleeps."""
    script = folder / "started.rb"
    script.write_text(STARTED)
    line = [*RCK, "ruby", "-q", "--stdin", "none", "--until", "350ms", "--save", str(snapshot)]
    subprocess.run([*line, "--force", "-W0", str(script)], check=True)


def die_as(code: int) -> None:
    """Ends this process as a guest's end is: by the signal, if one ended it."""
    if code > 128:
        number = code - 128
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    sys.exit(code)


def main() -> None:
    snapshot, seconds, *words = sys.argv[1:]
    limit = ["-q", "--timeout", f"{seconds}s"]
    line = [*RCK, "ruby", *limit, "--stdin", "none", *words]
    if words == ["-W0", SNIPPET]:
        line = [*RCK, "run", *limit, "--restore", snapshot, "--share", "."]
    die_as(subprocess.run(line, check=False, stdin=subprocess.DEVNULL).returncode)


if __name__ == "__main__":
    main()
