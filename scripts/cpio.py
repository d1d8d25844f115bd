"""Archives for the initial file systems that builds make: those of `rockcreek.booting.cpio`."""

from rockcreek.booting.cpio import DEVICE, DIRECTORY, LINK, PROGRAM, TEXT, Entry, archive

__all__ = ["DEVICE", "DIRECTORY", "LINK", "PROGRAM", "TEXT", "Entry", "archive"]
