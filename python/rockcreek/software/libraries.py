"""Which libraries of the guest a program has, by their symbols. The modules that read a library's
tables and calls are loaded for these programs alone: the start of a run is mostly loading."""

from __future__ import annotations

from rockcreek.software.image import Image

# Tables of systems/crf; where a call of MPICH reports its error; the functions of RCCE and of
# threads through which each call that fails returns.
CONTROL, TURNS, RUNNING = "crf_control", "crf_turns", "crf_running"
MPI_ERROR = "MPIR_Err_return_comm"
FAIL, FAIL_THREADS = "rcce_fail_at", "crf_error_at"


def has_threads(program: Image) -> bool:
    """Threads over cores, or of one core."""
    return all(name in program.symbols for name in (CONTROL, TURNS, RUNNING))


def has_mpi(program: Image) -> bool:
    """MPI, for C and C++ alike."""
    return MPI_ERROR in program.symbols


def has_rcce(program: Image) -> bool:
    """RCCE, linked since its calls say to whom they return an error."""
    return FAIL in program.symbols


def tells_errors(program: Image) -> bool:
    """RCCE or threads, linked since their calls say to whom they return an error."""
    return any(name in program.symbols for name in (FAIL, FAIL_THREADS))
