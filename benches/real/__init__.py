"""Programs that others wrote, measured beside other tools: `make bench-real`.

Their entries are in programs.toml. `plan` builds them, `measure` runs one by one tool, `ledger`
finds what each kind of work costs the host. Their part of the page is `benches/others.py`.
"""
