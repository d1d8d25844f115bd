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
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))
from scripts import linux_kernel
from scripts.foreign import StepError

import report_kernels
from packages import FetchError, provide
from programs import BUILD
from rockcreek.booting import cpio
from rockcreek.booting.cpio import Entry

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
    packages = {**table["package"], "linux": linux_kernel.PACKAGE}
    failed = False
    for name in options.kernels or table["kernel"]:
        kernel = table["kernel"][name]
        package = packages[kernel["package"]]
        try:
            image = build_image(name, kernel, provide(kernel["package"], package))
        except (FetchError, StepError) as error:
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
    linux_kernel.check_tools()
    linux_kernel.replace(folder, *kernel["replace"])
    print(f"bare-metal: building {name}", file=sys.stderr)
    settings = (PARTS / "linux.config").read_text(encoding="utf-8")
    linux_kernel.configure(folder, settings, BUILD / "linux-configure.log")
    return linux_kernel.build(folder, BUILD / "linux.log", jobs=2, nice=lambda *words: list(words))


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
    entries = [Entry("dev", cpio.DIRECTORY)]
    entries += [Entry("dev/console", cpio.DEVICE, device=(5, 1))]
    entries += [Entry("dev/kmsg", cpio.DEVICE, device=(1, 11))]
    for n, source in enumerate(programs):
        path = place / Path(source).stem
        run_tool([*RCK, "cc", "-O2", str(PARTS / source), "-lm", "-o", str(path)])
        entries.append(Entry(path.stem if n else "init", cpio.PROGRAM, path.read_bytes()))
    return cpio.archive(entries)


if __name__ == "__main__":
    sys.exit(main())
