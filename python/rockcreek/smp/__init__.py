"""One Linux with several processors under RockyVisor: its kernel made ready for ring 1, and its
run: the work of `rck smp`."""
