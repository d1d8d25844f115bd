"""`rck boot`: what is loaded where, the run of a whole chip, and when nothing can happen any more.

Options are read in `cli/`; consoles are in `consoles/`.
"""
