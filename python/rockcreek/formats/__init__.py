"""The shapes of our JSON documents: a TypedDict for each object, and units of its numbers.

Who writes a document builds these, who reads one is given these, and `rockcreek.reading` holds
files against them: a key that is not required here may be missing from a file. Names end with
their unit: `_ps` picoseconds, `_fj` femtojoules, `_uw` microwatts, `_pj_s` picojoule seconds, `_s`
seconds.
"""
