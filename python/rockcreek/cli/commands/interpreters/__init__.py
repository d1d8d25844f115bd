"""Commands that run an interpreter of another language on the cores.

They are `rck run` with other words, so they know that command, and no other.
"""
