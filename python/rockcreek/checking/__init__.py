"""`--check`: what the coherence checker has found, in words.

The engine finds (`crates/check`); here its findings get names: `places` says which function and
line made an access, and whose memory it was, `findings` makes of that what a result holds,
`signals` which of them are meant, `kinds` what each kind says, why it happens and what is missing
where; `report` and `story` (`explain`: the finding that somebody names) are for people, `sarif` for
editors, `suppressions` for what is known.
"""
