"""Sources, intermediate text and objects, read and changed.

Nothing here runs a tool: it is text or bytes in, text or bytes out.
"""
