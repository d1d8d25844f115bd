"""`rck plan`: problems in PDDL, the planner on the chip, and a validator of its own.

`problems` makes problems of known domains, `job` runs the planner (`systems/planner`), `validator`
reads PDDL and plans without any code of the planner's.
"""
