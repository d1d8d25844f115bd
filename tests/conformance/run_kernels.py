"""`make bare-metal`: kernels that others wrote, booted on the chip (bare_metal.toml).

    make bare-metal                      all of them
    make bare-metal ARGS="linux"         one

Kernels of Linux's boot protocol, as `rck boot` takes them. What one writes to COM1 must match
`expect`, line by line. Results go into docs/conformance.md.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
import report_kernels
from packages import FetchError, provide
from programs import BUILD

HERE = Path(__file__).parent
PARTS = HERE / "bare_metal"
RCK = (sys.executable, "-m", "rockcreek")
TIMEOUT = "900s"


@dataclass
class Outcome:
    """What came of one kernel."""

    passed: bool
    why: str
    instructions: int
    simulated_s: float


def main() -> int:
    table = tomllib.loads(HERE.joinpath("bare_metal.toml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(prog="make bare-metal")
    parser.add_argument("kernels", nargs="*", choices=[*table["kernel"], []])
    parser.add_argument("--no-report", action="store_true", help="leave the documents alone")
    options = parser.parse_args()
    failed = False
    for name in options.kernels or table["kernel"]:
        kernel = table["kernel"][name]
        package = table["package"][kernel["package"]]
        try:
            image = build_image(name, kernel, provide(kernel["package"], package))
        except FetchError as error:
            sys.exit(f"bare-metal: {name}: {error}")
        outcome = boot(name, kernel, image)
        print(f"{name}: {'passed' if outcome.passed else 'FAILED'}: {outcome.why}")
        failed |= not outcome.passed
        if not options.no_report:
            report_kernels.record(name, kernel, package, outcome)
    return int(failed)


def build_image(name: str, kernel: dict[str, Any], folder: Path) -> Path:
    """The kernel's image, from the package or built from it."""
    if "image" in kernel:
        return folder / kernel["image"]
    image = folder / "arch/x86/boot/bzImage"
    settings = PARTS / "linux.config"
    stamp = folder / ".built"
    if stamp.is_file() and stamp.read_text() == settings.read_text():
        return image
    missing = [tool for tool in ("flex", "bison", "bc", "gcc") if shutil.which(tool) is None]
    if missing:
        raise FetchError(f"building Linux needs {', '.join(missing)} on this host")
    print(f"bare-metal: building {name}", file=sys.stderr)
    file_name, old, new = kernel["replace"]
    source = folder / file_name
    source.write_text(source.read_text().replace(old, new))
    make = ["make", "-C", str(folder), "ARCH=i386", "-s"]
    run_tool([*make, "tinyconfig"])
    with (folder / ".config").open("a") as file:
        file.write(settings.read_text())
    run_tool([*make, "olddefconfig"])
    run_tool([*make, "-j2", "bzImage"])
    stamp.write_text(settings.read_text())
    return image


def run_tool(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FetchError(f"{' '.join(command)}: {done.stderr[-800:]}")


def boot(name: str, kernel: dict[str, Any], image: Path) -> Outcome:
    """Run the kernel and compare what it writes."""
    place = BUILD / "bare-metal" / name
    place.mkdir(parents=True, exist_ok=True)
    arguments = ["--cores", "0", "--until", kernel["until"], "--timeout", TIMEOUT]
    arguments += [str(image), "--append", kernel["append"], "--memory", kernel["memory"]]
    if "programs" in kernel:
        initrd = place / "initrd.cpio"
        initrd.write_bytes(file_system(place, kernel["programs"]))
        arguments += ["--initrd", str(initrd)]
    result = place / "result.json"
    arguments += ["--json", str(result), "--force", "-q"]
    told = subprocess.run([*RCK, "boot", *arguments], capture_output=True, check=False)
    (place / "com1.txt").write_bytes(told.stdout)
    text = told.stdout.decode("ascii", errors="replace")
    why = judge(kernel, text) or (told.stderr.decode() if told.returncode not in (0, 75) else "")
    document = json.loads(result.read_text())
    return Outcome(
        passed=not why,
        why=why or "all that was expected appeared",
        instructions=document["instructions"],
        simulated_s=document["time_ps"] / 1e12,
    )


def judge(kernel: dict[str, Any], text: str) -> str:
    """Why the output is not what was expected; nothing if it is."""
    for pattern in kernel["refuse"]:
        if found := re.search(pattern, text):
            return f"it wrote {found[0]!r}"
    at = 0
    for pattern in kernel["expect"]:
        found = re.compile(pattern).search(text, at)
        if found is None:
            return f"{pattern!r} is missing; the last it wrote: {text[-300:]!r}"
        at = found.end()
    return ""


def file_system(place: Path, programs: list[str]) -> bytes:
    """An initial file system (cpio, newc): /init and the devices that it opens."""
    entries = [("dev", 0o040755, (0, 0), b"")]
    entries += [("dev/console", 0o020600, (5, 1), b""), ("dev/kmsg", 0o020600, (1, 11), b"")]
    for n, source in enumerate(programs):
        path = place / Path(source).stem
        run_tool([*RCK, "cc", "-O2", str(PARTS / source), "-lm", "-o", str(path)])
        entries.append((path.stem if n else "init", 0o100755, (0, 0), path.read_bytes()))
    entries.append(("TRAILER!!!", 0, (0, 0), b""))
    archive = bytearray()
    for number, (path_name, mode, device, content) in enumerate(entries):
        name = path_name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name), 0)
        archive += b"070701" + "".join(f"{field:08x}" for field in fields).encode() + name
        archive += bytes(-len(archive) % 4) + content
        archive += bytes(-len(archive) % 4)
    return bytes(archive)


if __name__ == "__main__":
    sys.exit(main())
