"""The house rules: what every tracked file and folder of the project keeps to.

Rules look at a `House`, the tracked files with their texts, and count what breaks them. What did so
when a rule came is in `ratchet.toml`, by path: a count that rises fails, and so does one that falls
until the list says so.
"""
