# lwIP for the chip: half a minute, once.
.PHONY: tcpip
tcpip: setup ## fetch and build the TCP/IP stack for the chip: rck cc prog.c -llwip -ltcpip (build/tcpip)
	@$(BIN)/python systems/tcpip/lwip/build.py --jobs $(or $(JOBS),2)
