# lwIP for the chip: half a minute, once.
.PHONY: tcpip
tcpip: setup ## fetch and build the TCP/IP stack for the chip: rck cc prog.c -llwip -ltcpip (build/tcpip)
	@$(BIN)/python systems/tcpip/lwip/build.py --jobs $(or $(JOBS),2)

# Both libraries must be there; `make test` runs these where they are.
.PHONY: quick-libraries
quick-libraries: mpi tcpip ## a few programs over MPI and over the TCP/IP stack, compiled and run (two minutes)
	@$(BIN)/python -m pytest systems/rckmpi/tests/test_quick.py systems/tcpip/tests/test_quick.py $(ARGS)
