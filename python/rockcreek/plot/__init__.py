"""Pictures of the die and of messages; the only part of the package that imports matplotlib.

What they show is read in `results/`.
"""
