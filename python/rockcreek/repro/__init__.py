"""`rck repro`: run the experiments of published studies here, and hold the numbers side by side.

A study is a folder below `experiments/`: guest programs, `study.toml` (what runs, where, at which
clocks, what it is compared with), `analysis.py` (from output to numbers), `figure.py` (the
picture). This package is the frame: it knows no study.
"""
