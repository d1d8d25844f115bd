# CMake's toolchain file: cmake --toolchain $(rck cmake) -B build
#
# The tools lie in the folder of `rck`: on the path, or where this package is installed. Programs that
# CMake or its tests run (try_run, ctest) run on one core.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i586)

get_filename_component(_rck_package "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
foreach(_rck_tool cc c++ ar ranlib mpicc mpicxx mpirun pkg-config)
    string(MAKE_C_IDENTIFIER "RCK_${_rck_tool}" _rck_name)
    find_program(${_rck_name} "rck-${_rck_tool}" REQUIRED HINTS
        "${_rck_package}/../../../../bin" "${_rck_package}/../../.venv/bin")
endforeach()
get_filename_component(_rck_bin "${RCK_cc}" DIRECTORY)

set(CMAKE_C_COMPILER "${RCK_cc}")
set(CMAKE_CXX_COMPILER "${RCK_c__}")
set(CMAKE_ASM_COMPILER "${RCK_cc}")
set(CMAKE_AR "${RCK_ar}" CACHE FILEPATH "archiver")
set(CMAKE_RANLIB "${RCK_ranlib}" CACHE FILEPATH "index of archives")
foreach(_rck_language C CXX)
    set(CMAKE_${_rck_language}_COMPILER_AR "${RCK_ar}" CACHE FILEPATH "archiver")
    set(CMAKE_${_rck_language}_COMPILER_RANLIB "${RCK_ranlib}" CACHE FILEPATH "index of archives")
endforeach()
set(MPI_C_COMPILER "${RCK_mpicc}" CACHE FILEPATH "MPI's compiler of C")
set(MPI_CXX_COMPILER "${RCK_mpicxx}" CACHE FILEPATH "MPI's compiler of C++")
set(MPIEXEC_EXECUTABLE "${RCK_mpirun}" CACHE FILEPATH "runs programs of MPI")
set(PKG_CONFIG_EXECUTABLE "${RCK_pkg_config}" CACHE FILEPATH "libraries of the chip")
set(CMAKE_CROSSCOMPILING_EMULATOR "${_rck_bin}/rck;run;-q;--tag;none")

# A guest program is static.
set(CMAKE_USER_MAKE_RULES_OVERRIDE "${CMAKE_CURRENT_LIST_DIR}/static_only.cmake")

# Libraries and headers are the chip's, MPI's (where `rck mpicc` looks), and those of the project's own
# folders.
set(_rck_mpi "$ENV{RCK_MPI}")
if(_rck_mpi STREQUAL "")
    get_filename_component(_rck_mpi "${_rck_package}/../../build/mpi/install" ABSOLUTE)
endif()
list(APPEND CMAKE_FIND_ROOT_PATH "${_rck_package}/_guest/sysroot" "${_rck_mpi}" ${CMAKE_PREFIX_PATH}
    ${CMAKE_STAGING_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
