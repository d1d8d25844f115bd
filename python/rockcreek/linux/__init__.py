"""Linux on the cores of the chip: the images that `make linux` builds, the snapshots of booted
chips that are kept, and what is typed at the cores' consoles: the work of `rck linux`."""
