"""One file for each command of `rck`: its options, its call of the package, its exit code.

No work is done here that a program could not ask of the package.
"""
