"""`--trace FILE`: what a run did, as a trace in Perfetto's format.

The engine notes calls, returns and interrupts with their instants (`crates/cpu`, `observe`), and
writes slices, counters and arrows (`crates/trace`). Here is what gives them a meaning: names of
functions, which of them send and receive, marks of the program, how tracks are called.
"""
