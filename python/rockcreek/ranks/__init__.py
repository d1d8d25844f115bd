"""Programs of MPI: what each rank called, which mistakes that shows, and when all ranks wait for
ever. Everything is read from probes on MPI's functions, at no cost in simulated time."""
