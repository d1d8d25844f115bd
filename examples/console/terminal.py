"""A terminal for consoles in shared memory: prints what the cores of console.c write into rings.

python terminal.py SOCKET CORES
"""

import struct
import sys

import rockcreek

RINGS, RING_BYTES, HEADER, TEXT_BYTES = 0x8210_0000, 4096, 32, 256


def drain(chip: rockcreek.Attached, ring: int) -> str:
    """What is new in a ring; the core may go on writing where it has been."""
    head, tail = struct.unpack("<II", chip.read(ring, 8))
    if head == tail:
        return ""
    text = chip.read(ring + HEADER, TEXT_BYTES)
    new = bytes(text[at % TEXT_BYTES] for at in range(tail, head))
    chip.write(ring + 4, struct.pack("<I", head))
    return new.decode()


cores = int(sys.argv[2])
with rockcreek.attach(sys.argv[1], wait_s=30) as chip:
    kept = [""] * cores
    ended, at_ps = False, 0
    while not ended:
        # Every 100 us of the chip's time, so that each run is the same.
        at_ps += 100 * 10**6
        ended = not chip.until(at_ps)
        for core in range(cores):
            *lines, kept[core] = (kept[core] + drain(chip, RINGS + RING_BYTES * core)).split("\n")
            for line in lines:
                print(f"[{core:02}] {line}")
