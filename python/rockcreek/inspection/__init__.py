"""Looking into a chip: state, registers, backtraces, core files, and the words of guest faults.

Nothing here changes a run; `config_registers.py` alone writes, when asked to.
"""
