"""`rck why`: what a run spent its time on, who waited for whom, and what would help.

`measures` takes numbers from a result, `waits` and `path` from a trace, `lines` from a profile;
`causes` draws the conclusions, each with the share of the time that it explains; `words` says them.
"""
