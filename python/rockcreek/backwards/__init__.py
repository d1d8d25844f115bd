"""`rck last-write`: a run again, bit for bit, under watchpoints, to find what came before.

The new run is a process that serves gdb (`rck run --gdb`); `gdb_client` is the gdb.
"""
