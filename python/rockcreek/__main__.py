"""`python -m rockcreek` is `rck`."""

from rockcreek.cli import run

run()
