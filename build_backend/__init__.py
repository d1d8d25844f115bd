"""The build backend: a wheel is the engine (maturin) and the guest.

``backend.py`` holds the hooks of PEP 517 and 660, ``guest.py`` builds the
guest into the package, ``sysroot.py`` the C and C++ run-time libraries,
``archive.py`` and ``elf.py`` read and change what the compiler package made.
Only the standard library and the packages of ``build-system.requires`` are
used.
"""
