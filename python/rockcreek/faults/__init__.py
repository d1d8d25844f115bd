"""Faults: plans of what breaks where and when, their result, and campaigns of many runs.

The chip breaks (crates/chip: scheduler/faults.rs); here is what a plan says, what its seed draws,
and what came of it.
"""
