"""`rck run --socket`: other processes read and write memory and registers of a running chip.

`requests.py` answers one request, `server.py` hears them while a chip runs, `client.py` asks.
"""
