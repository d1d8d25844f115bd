# A part of the interpreter, as the binding is.
require "mkmf"

create_makefile("rck_alone")
