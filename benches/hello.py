"""From the shell to the prompt: hello on 48 cores, and on 512."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from benches import measure, peers

EXAMPLE = Path(__file__).parent.parent / "examples" / "hello" / "hello.c"
# Cores, and the preset of a chip that has them.
SIZES = {"hello_48": (48, "scc"), "hello_512": (512, "scc-512")}


def build(folder: Path) -> Path:
    """The example, compiled as its page says."""
    folder.mkdir(parents=True, exist_ok=True)
    binary = folder / "hello"
    command = [sys.executable, "-m", "rockcreek", "cc", str(EXAMPLE), "-lrcce", "-o", str(binary)]
    subprocess.run(command, check=True)
    return binary


def once(record: dict[str, Any], binary: Path, *, quick: bool) -> None:
    """One run of each size; a size that this version has no chip for says so."""
    for name, (cores, chip) in SIZES.items():
        if quick and cores > 48:
            continue
        entry = record.setdefault(name, {"cores": cores, "chip": chip, "runs": []})
        if "unable" in entry:
            continue
        command = peers.rck("run", "-n", str(cores), "--chip", chip, str(binary))
        sample = measure.run(command)
        if sample.exit_code != 0 or sample.stdout.count("Hello from UE") != cores:
            entry["unable"] = (sample.stderr.strip() or "no reason given").splitlines()[0]
            continue
        entry["runs"].append(sample.to_dict())
