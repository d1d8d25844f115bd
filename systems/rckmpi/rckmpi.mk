# MPICH with our channel: half an hour on a slow host, once. Goes on where it was stopped.
.PHONY: mpi
mpi: setup ## fetch and build MPICH for the chip: rck mpicc, rck mpirun (build/mpi)
	@$(BIN)/python systems/rckmpi/mpich/build.py --jobs $(or $(JOBS),2)

# Some 850 tests, hours on a slow host; goes on where it was stopped (ARGS="--anew", ARGS="rma/").
.PHONY: mpi-conformance
mpi-conformance: mpi ## MPICH's own C tests: docs/mpi-conformance.md
	@$(BIN)/python systems/rckmpi/conformance/run.py $(ARGS)

.PHONY: mpi-storm
mpi-storm: mpi ## a million random MPI messages (MESSAGES=..., SEED=...), placements and clocks
	@$(BIN)/python systems/rckmpi/conformance/storm.py --messages $(or $(MESSAGES),1000000) --seed $(or $(SEED),1)
