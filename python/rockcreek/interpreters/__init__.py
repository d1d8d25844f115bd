"""Interpreters of other languages for the chip: where they are, and what they are given.

`ruby` takes the words of `rck ruby` apart, and says which folders its guests see; `ruby_linux`
makes of them a program of Linux.
"""
