/* mpi.h of the second look (../calls.py): MPICH's own, and macros. */
#include_next <mpi.h>

#ifndef ROCKCREEK_MPI_H
#define ROCKCREEK_MPI_H

#include "bare.h"

#define MPI_Send(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Send)(buffer, count, __VA_ARGS__))
#define MPI_Ssend(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Ssend)(buffer, count, __VA_ARGS__))
#define MPI_Isend(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Isend)(buffer, count, __VA_ARGS__))
#define MPI_Recv(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Recv)(buffer, count, __VA_ARGS__))
#define MPI_Irecv(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Irecv)(buffer, count, __VA_ARGS__))
#define MPI_Bcast(buffer, count, ...) \
    (ROCKCREEK_SIZED(buffer, count), (MPI_Bcast)(buffer, count, __VA_ARGS__))

#endif
