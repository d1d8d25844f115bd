/*
 * meet_mpi.c: two jobs (rck mpirun --jobs) meet by a published name: the first
 * accepts, the second connects; all exchange a message with their partner in
 * the other job, and part. Arguments: how often.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static int job, rank, size;

#define PATIENCE 0.5 /* seconds */

/* The second job may be here before the first has published its port. */
static void find_port(char *port)
{
    double start = MPI_Wtime();

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (MPI_Lookup_name("meet", MPI_INFO_NULL, port) != MPI_SUCCESS)
        if (MPI_Wtime() - start > PATIENCE) {
            fprintf(stderr, "meet: nobody has published the name\n");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Whether what came is what the partner sends in this round. */
static int exchange(MPI_Comm other, int round)
{
    enum { WORDS = 300 };
    static int out[WORDS], in[WORDS];
    int wrong = 0, partners;

    MPI_Comm_remote_size(other, &partners);
    for (int n = 0; n < WORDS; n++)
        out[n] = 1000000 * job + 10000 * round + 100 * rank + n;
    int partner = rank < partners ? rank : MPI_PROC_NULL;
    MPI_Sendrecv(out, WORDS, MPI_INT, partner, round, in, WORDS, MPI_INT,
                 partner, round, other, MPI_STATUS_IGNORE);
    for (int n = 0; n < WORDS && partner != MPI_PROC_NULL; n++)
        wrong += in[n] != out[n] + 1000000 * (job ? -1 : 1);
    return wrong;
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int rounds = argc > 1 ? atoi(argv[1]) : 1, wrong = 0, all, *number, known;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    job = known ? *number : 0;
    if (rank == 0 && job == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("meet", MPI_INFO_NULL, port);
    } else if (rank == 0)
        find_port(port);
    for (int round = 0; round < rounds; round++) {
        MPI_Comm other;
        if (job == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        wrong += exchange(other, round);
        MPI_Comm_disconnect(&other);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && job == 0) {
        MPI_Unpublish_name("meet", MPI_INFO_NULL, port);
        MPI_Close_port(port);
    }
    if (rank == 0)
        printf("job %d of %d ranks: met %d times, %d wrong\n", job, size,
               rounds, all);
    MPI_Finalize();
    return wrong != 0;
}
