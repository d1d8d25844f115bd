"""`rck run`: its options, the job, the session that drives the engine, progress, gdb.

What it shares with `rck boot` is in `session.py`; results are in `results/`.
"""
