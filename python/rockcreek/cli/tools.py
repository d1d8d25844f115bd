"""The tool chain's commands as names of one word, for makefiles that look for `$(CC)`."""

from __future__ import annotations

import sys

from . import run


def cc() -> None:
    """`rck-cc`"""
    run(["cc", *sys.argv[1:]])


def cxx() -> None:
    """`rck-c++`"""
    run(["c++", *sys.argv[1:]])


def mpicc() -> None:
    """`rck-mpicc`"""
    run(["mpicc", *sys.argv[1:]])


def mpicxx() -> None:
    """`rck-mpicxx`"""
    run(["mpicxx", *sys.argv[1:]])


def mpirun() -> None:
    """`rck-mpirun`"""
    run(["mpirun", *sys.argv[1:]])


def ar() -> None:
    """`rck-ar`"""
    run(["ar", *sys.argv[1:]])


def ranlib() -> None:
    """`rck-ranlib`"""
    run(["ranlib", *sys.argv[1:]])


def pkg_config() -> None:
    """`rck-pkg-config`"""
    run(["pkg-config", *sys.argv[1:]])
