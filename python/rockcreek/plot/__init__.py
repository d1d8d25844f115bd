"""Pictures of the chip, messages, speed-up, energy, the roofline; the only part of the package that
imports matplotlib.

What they show is read in `results/`; `pictures/` has those that need no library.
"""
