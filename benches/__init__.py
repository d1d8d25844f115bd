"""The host's speed, measured: `make bench` (`python -m benches --help`)."""
