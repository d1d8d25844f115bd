"""What bootstraptest's runner takes for Ruby: one start on one core.

    python one_start.py SECONDS [OPTIONS OF RUBY] SCRIPT

A guest that a signal ended ends this process by that signal, as the runner expects.
"""

from __future__ import annotations

import subprocess
import sys

from suites import RCK, die_as

if __name__ == "__main__":
    limit = ["--timeout", f"{sys.argv[1]}s"]
    command = [*RCK, "ruby", "-q", "--stdin", "none", *limit, *sys.argv[2:]]
    die_as(subprocess.run(command, check=False).returncode)
