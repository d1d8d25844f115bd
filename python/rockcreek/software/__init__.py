"""What is loaded onto the chip: ELF images, the kernel with its command line, snapshots.

Nothing here runs anything.
"""
