"""What cores print and read: consoles, the terminal's grid of them, ports as files, input fed in.

Nothing here knows what runs on the chip.
"""
