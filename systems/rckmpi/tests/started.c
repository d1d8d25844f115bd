// A process starts others on cores that are in reset: they have ranks of their
// own job, the arguments and the port that they were given. When no core is
// left, that is said. Cores of those that have ended are used again.
// cc: -O2 -Wl,--wrap=main,--wrap=exit -lrckmpi -lrcce
// run: -n 1 --reserve 1-3 --tag none --env RCKMPI_UNIVERSE=0-3 --env RCKMPI_LAUNCHED=0 --env RCKMPI_PROGRAMS=started
// expect-match: too many: 0\nas many as there are: 1
// expect-match: rank 0 of 3 on core 1: port 'door', 3 words, the last is 'b c'
// expect-match: rank 1 of 3 on core 2: port 'door', 3 words, the last is 'b c'
// expect-match: rank 2 of 3 on core 3: port 'door', 3 words, the last is 'b c'
// expect-match: once more: 1
// expect-match: rank 0 of 2 on core [123]: port 'door', 3 words, the last is 'b c'
// expect-match: rank 1 of 2 on core [123]: port 'door', 3 words, the last is 'b c'
// expect-stderr: rckmpi: ./started cannot be started: too few cores are free
#include <stdio.h>

#include "rckmpi.h"

static int start(int processes)
{
    static const char *const words[] = {"a", "b c", NULL};
    struct rckmpi_program program = {"./started", words, processes, NULL};

    return rckmpi_start(&program, 1, "door");
}

int main(int argc, char **argv)
{
    char port[100];
    int rank, size;

    rckmpi_open(NULL);
    rckmpi_job(&rank, &size);
    if (rckmpi_parent_port(port, sizeof port)) {
        printf("rank %d of %d on core %d: port '%s', %d words, the last is "
               "'%s'\n",
               rank, size, rckmpi_core(rank), port, argc, argv[argc - 1]);
        return 0;
    }
    printf("too many: %d\n", start(4));
    printf("as many as there are: %d\n", start(3));
    printf("once more: %d\n", start(2));
    return 0;
}
