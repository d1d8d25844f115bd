"""Many runs of one plan, side by side on this host or on a cluster, into one Parquet file.

>>> from rockcreek.sweep import read_plan, sweep  # doctest: +SKIP
>>> sweep(read_plan("plan.toml"), "out/plan").failed  # doctest: +SKIP
"""

from rockcreek.sweep.plan import Plan, make_plan, read_plan
from rockcreek.sweep.sweep import Done, sweep

__all__ = ["Done", "Plan", "make_plan", "read_plan", "sweep"]
