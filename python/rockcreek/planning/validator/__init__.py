"""Whether a plan is one: PDDL and plans, read by code that shares nothing with the planner's.

`lists` reads nested lists, `model` what a domain and a problem say, `check` goes through a plan.
"""
