"""`make smp-linux`: Linux for many processors, into build/smp-linux.

Debian's Linux as `make linux` takes it, with other settings (smp.config) and other replacements in
its text (smp.toml), built by this host's GCC. `rck smp` takes bzImage and System.map from
build/smp-linux/images. What is done is not done again: after an interruption the same command goes
on. `make smp-linux-hypercalls` (build_calling.py) builds one that calls its hypervisor.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT)]
from scripts import linux_kernel  # noqa: E402
from scripts.foreign import Steps, put  # noqa: E402
from scripts.packages import Shelf  # noqa: E402

from rockcreek.linux import images  # noqa: E402
from rockcreek.linux.images import Recipe  # noqa: E402

OURS = HERE / "kernel"


@dataclass(frozen=True)
class Variant:
    """One of the Linuxes for many processors."""

    recipe: Recipe
    replacements: Sequence[str]  # files that list them
    command: str
    calls: bool = False

    @property
    def target(self) -> str:
        return self.recipe.sources.target

    def main(self, what: str | None) -> int:
        return Steps(self.target).main(what, ROOT / "build" / self.target, self.build)

    def build(self, folder: Path, jobs: int) -> None:
        """Fetches, changes, configures and compiles; leaves the images."""
        digest = self.recipe.sources.digest()
        linux_kernel.check_tools()
        source = Shelf(folder, self.target).provide("source", linux_kernel.PACKAGE)
        self.change(source)
        settings = (HERE / "smp.config").read_text(encoding="utf-8")
        linux_kernel.configure(source, settings, folder / "configure.log")
        made: dict[str, bytes] = {}

        def make_kernel() -> None:
            image = linux_kernel.build(source, folder / "kernel.log", jobs, self.words(source))
            made[images.KERNEL] = image.read_bytes()
            made[images.MAP] = (source / "System.map").read_bytes()

        steps = Steps(self.target)
        text = f"building Linux (ten minutes of two processors; build/{self.target}/kernel.log)"
        steps.timed(text, make_kernel)
        place = folder / "images"
        place.mkdir(exist_ok=True)
        linux_kernel.store(place, made, digest)
        steps.say(f"now: {self.command}")

    def change(self, source: Path) -> None:
        """Linux's text, and the files that are ours."""
        for name in self.replacements:
            description = tomllib.loads((HERE / name).read_text(encoding="utf-8"))
            linux_kernel.change(source, description["replace"])
        for path in OURS.glob("*.c"):
            put(source / "net/9p" / path.name, path.read_text(encoding="utf-8"))
        _put_header("service.h", source / "net/9p")
        if self.calls:
            _put_header("hypercalls.h", source)

    def words(self, source: Path) -> list[str]:
        """For make: all of the kernel's files include hypercalls.h."""
        if not self.calls:
            return []
        flags = f"-DROCKYVISOR_HYPERCALLS -include {source}/hypercalls.h"
        return [f"KCFLAGS={flags}", f"KAFLAGS={flags}"]


def _put_header(name: str, folder: Path) -> None:
    """One that this project's hypervisor and Linux share."""
    text = (HERE.parent / name).read_text(encoding="utf-8")
    put(folder / name, linux_kernel.EITHER + text)


if __name__ == "__main__":
    sys.exit(Variant(images.SMP_LINUX, ["smp.toml"], "rck smp").main(__doc__))
