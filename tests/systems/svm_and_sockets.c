// SVM and sockets in one program, in its 60 MB of pages and in its messages:
// pages go around the sockets' board, mails and rings do not take each other's
// interrupts, and no word is lost.
// cc: -O1 -DRCCE_MAILBOX -lsvm -ltcpip -lrcce
// run: -n 3 --tag none
// expect-stdout:
// 60 MB, 0 words wrong, strong 30, sums 435 435
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "RCCE.h"
#include "svm.h"
#include "tcpip.h"

#define MB (1u << 20)
#define PARTS 4
#define PART (15 * MB)
#define ROUNDS 30
#define PORT 4000

static int meet(int rank)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS), other;

    name.sin_addr.s_addr = htonl(0xc0a80401u);
    if (rank == 0) {
        bind(fd, (void *)&name, sizeof name);
        listen(fd, 1);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (rank == 1)
        return connect(fd, (void *)&name, sizeof name) ? -1 : fd;
    if (rank == 2)
        return -1;
    other = accept(fd, NULL, NULL);
    close(fd);
    return other;
}

/* Where a word of each 256 KB lies, so that the pieces are all met. */
static size_t look(volatile unsigned **part, int write)
{
    size_t wrong = 0;

    for (int p = 0; p < PARTS; p++)
        for (size_t n = 0; n < PART / 4; n += 1024)
            if (write)
                part[p][n] = (unsigned)(n + (size_t)p) ^ 0x5a5a5a5au;
            else
                wrong +=
                    part[p][n] != ((unsigned)(n + (size_t)p) ^ 0x5a5a5a5au);
    return wrong;
}

int main(int argc, char **argv)
{
    volatile unsigned *part[PARTS];
    int rank, fd, sum = 0, sums[2] = {0};

    RCCE_init(&argc, &argv);
    svm_init();
    rank = RCCE_ue();
    volatile int *strong = svm_alloc(SVM_PAGE, SVM_STRONG, 1);
    for (int p = 0; p < PARTS; p++)
        part[p] = svm_alloc(PART, SVM_LAZY, 4);
    if (rank == 0)
        look(part, 1);
    svm_barrier();
    fd = meet(rank);
    /* Requests for the page come by mail while both wait at the stream. */
    for (int n = 0; n < ROUNDS && rank < 2; n++) {
        int word = n;

        if (rank == 0 && write(fd, &word, sizeof word) != sizeof word)
            return 1;
        if (read(fd, &word, sizeof word) != sizeof word || word != n)
            return 2;
        if (rank == 1 && write(fd, &word, sizeof word) != sizeof word)
            return 3;
        sum += word;
        strong[rank + 1]++;
    }
    for (int n = 0; n < ROUNDS && rank == 2; n++)
        strong[0]++;
    strong[8 + rank] = sum;
    svm_barrier();
    sums[0] = strong[8];
    sums[1] = strong[9];
    if (rank == 0)
        printf("%u MB, %zu words wrong, strong %d, sums %d %d\n",
               PARTS * PART / MB, look(part, 0), strong[0], sums[0], sums[1]);
    if (fd >= 0)
        close(fd);
    svm_finalize();
    RCCE_finalize();
    return 0;
}
