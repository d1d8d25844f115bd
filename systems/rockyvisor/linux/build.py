"""`make smp-linux`: Linux for many processors, into build/smp-linux.

Debian's Linux as `make linux` takes it, with other settings (smp.config) and other replacements in
its text (smp.toml), built by this host's GCC. `rck smp` takes bzImage and System.map from
build/smp-linux/images. What is done is not done again: after an interruption the same command goes
on.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT)]
from scripts import linux_kernel  # noqa: E402
from scripts.foreign import Steps, put  # noqa: E402
from scripts.packages import Shelf  # noqa: E402

from rockcreek.linux import images  # noqa: E402

STEPS = Steps("smp-linux")
OURS = HERE / "kernel"
SERVICE = HERE.parent / "service.h"


def build(folder: Path, jobs: int) -> None:
    digest = images.SMP_SOURCES.digest()
    linux_kernel.check_tools()
    source = Shelf(folder, "smp-linux").provide("source", linux_kernel.PACKAGE)
    description = tomllib.loads((HERE / "smp.toml").read_text(encoding="utf-8"))
    linux_kernel.change(source, description["replace"])
    for path in OURS.glob("*.c"):
        put(source / "net/9p" / path.name, path.read_text(encoding="utf-8"))
    text = linux_kernel.EITHER + SERVICE.read_text(encoding="utf-8")
    put(source / "net/9p/service.h", text)
    settings = (HERE / "smp.config").read_text(encoding="utf-8")
    linux_kernel.configure(source, settings, folder / "configure.log")
    made: dict[str, bytes] = {}

    def make_kernel() -> None:
        image = linux_kernel.build(source, folder / "kernel.log", jobs)
        made[images.KERNEL] = image.read_bytes()
        made[images.MAP] = (source / "System.map").read_bytes()

    STEPS.timed(
        "building Linux (ten minutes of two processors; build/smp-linux/kernel.log)", make_kernel
    )
    place = folder / "images"
    place.mkdir(exist_ok=True)
    linux_kernel.store(place, made, digest)
    STEPS.say("now: rck smp")


if __name__ == "__main__":
    sys.exit(STEPS.main(__doc__, ROOT / "build/smp-linux", build))
