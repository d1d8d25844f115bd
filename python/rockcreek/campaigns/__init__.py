"""Many runs in tables: counters, power and message matrices of all results of a campaign.

>>> from rockcreek.campaigns import read  # doctest: +SKIP
>>> runs = read("out/**/*.json")  # doctest: +SKIP
>>> runs.runs.where(program="share").sort("edp_js").column("mean_w")  # doctest: +SKIP
"""

from rockcreek.campaigns.campaign import Campaign, load, read
from rockcreek.campaigns.table import Table

__all__ = ["Campaign", "Table", "load", "read"]
