"""How long a kernel takes, and what power it draws, at each divider of the clock: from its counts.

The analytic model of the DVFS paper [marc-2011]. `kernel` holds what is known of a program, `fit`
takes it from a run's result, `predict` makes times and power of it and chooses among dividers.
"""
