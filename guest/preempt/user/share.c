/*
 * share.c: memory. Pages that nobody has touched cost nothing; after fork()
 * parent and child have the same frames until one of them writes.
 */
#include "user.h"

#define PAGE 4096
#define PAGES 64

/* Volatile: each access is one, and where it stands. */
static volatile char zeros[256 * PAGE], data[PAGES * PAGE];

static int sum(void)
{
    int n, total = 0;

    for (n = 0; n < PAGES; n++)
        total += data[n * PAGE];
    return total;
}

int main(const char *argument)
{
    int before = frames(), n, status, ends[2], told;

    (void)argument;
    zeros[100 * PAGE] = 1;
    print("share: one page of %d touched: %d frame\n", 256, before - frames());
    before = frames();
    if (zeros[101 * PAGE] != 0)
        print("share: a new page is not zero\n");
    for (n = 0; n < PAGES; n++)
        data[n * PAGE] = 1;
    print("share: %d pages written: %d frames\n", PAGES, before - 1 - frames());

    pipe(ends);
    before = frames();
    if (fork() == 0) {
        int mine = frames();

        print("share: a fork of all that: %s\n",
              before - mine < 16 ? "few frames" : "many frames");
        data[5 * PAGE] = 100;
        print("share: the child wrote a page: %d frame\n", mine - frames());
        told = sum();
        write(ends[1], &told, sizeof told);
        exit(0);
    }
    read(ends[0], &told, sizeof told);
    wait(&status);
    print("share: the child counted %d, the parent %d\n", told, sum());
    return 0;
}
