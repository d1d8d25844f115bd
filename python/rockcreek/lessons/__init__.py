"""`rck lesson`: exercises whose checks are what the tool itself finds in a program.

A folder of `exercises` is an exercise: `README.md`, `program.c` (broken), `solution.c`, and
`lesson.toml`, which says how to run it, what the broken one shows and what a mended one must do.
"""
