"""What a run's cores and links did: as one number each (`metrics.py`), and as SVG, which needs no
library: the die, also over time, and the timeline. `rck plot`, `rck view` and notebooks show them.
"""
