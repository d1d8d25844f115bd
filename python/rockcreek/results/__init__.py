"""What a run leaves: the result with its JSON, counters, messages, and how two results differ.

How it is run is in `running/` and `booting/`; pictures are in `plot/`.
"""
