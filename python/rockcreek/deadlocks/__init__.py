"""Who waits for whom: what a stopped chip's programs wait for, and what is wrong with that.

The chip knows no message and no lock. Here is what the libraries of the guest are known by: the
names of their calls, the arguments on the stacks of the cores, the tables that they keep in guest
memory. Everything is read from a chip at rest; nothing costs the guest a cycle.
"""
