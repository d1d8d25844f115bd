# The binding is part of the interpreter: a core loads no shared libraries.
require "mkmf"

# In the order in which they need each other.
have_library("scc", "scc_now_ns")
have_library("rcce", "RCCE_ue", "RCCE.h")
create_makefile("rcce")
