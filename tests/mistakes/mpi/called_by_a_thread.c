// A thread calls MPI, which has no threads here.
// cc: -O1 -g -pthread
// mpi: yes
// run: -n 2
// expect-stderr: MPI_Bcast is called by a thread at work \(called_by_a_thread\.c:15\): MPI has no threads here
// expect-stderr: hint: call MPI from the thread of MPI_Init alone

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *x)
{
    int value = 1;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return x;
}

int main(int argc, char **argv)
{
    int got;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &got);
#ifdef MENDED
    work(0);
#else
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
#endif
    MPI_Finalize();
    return 0;
}
