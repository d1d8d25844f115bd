"""Ports of this host that lead to cores (`--forward`): its sockets, the record of the packets that
pass, and its replay. TCP/IP itself is crates/forward."""
