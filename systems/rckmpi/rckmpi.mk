# MPICH with our channel: half an hour on a slow host, once. Goes on where it was stopped.
.PHONY: mpi
mpi: setup ## fetch and build MPICH for the chip: rck mpicc, rck mpirun (build/mpi)
	@$(BIN)/python systems/rckmpi/mpich/build.py --jobs $(or $(JOBS),2)
