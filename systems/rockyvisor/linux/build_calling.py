"""`make smp-linux-hypercalls`: Linux for many processors that calls its hypervisor.

As `make smp-linux`, into build/smp-linux-hypercalls, with the replacements of hypercalls.toml
besides: instructions of ring 0 are calls (../hypercalls.h). `rck smp --hypercalls` boots it.
"""

from __future__ import annotations

import sys

from build import Variant

from rockcreek.linux import images

if __name__ == "__main__":
    tables = ["smp.toml", "hypercalls.toml"]
    variant = Variant(images.CALLING_LINUX, tables, "rck smp --hypercalls", calls=True)
    sys.exit(variant.main(__doc__))
