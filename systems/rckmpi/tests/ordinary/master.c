// MPI_Comm_spawn of another program, again and again on the same cores, in a
// folder of its own. run: -n 1
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *words[] = {"3", NULL}, where[64];
    int answers = 0, two[2];
    MPI_Comm workers;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "wdir", "/below");
    for (int round = 0; round < 3; round++) {
        MPI_Comm_spawn("worker", words, 2, info, 0, MPI_COMM_SELF, &workers,
                       MPI_ERRCODES_IGNORE);
        for (int n = 0; n < 2; n++) {
            MPI_Recv(two, 2, MPI_INT, n, 0, workers, MPI_STATUS_IGNORE);
            MPI_Recv(where, 64, MPI_CHAR, n, 1, workers, MPI_STATUS_IGNORE);
            answers +=
                two[0] == 3 * n && two[1] == 2 && strcmp(where, "/below") == 0;
        }
        MPI_Comm_disconnect(&workers);
    }
    printf("master: %d of 6 answers\n", answers);
    MPI_Finalize();
    return 0;
}
