// A pipe whose reading end is closed: for good, and while a thread still reads it, which keeps it open.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// expect-stdout:
// without a reader: nothing written is 0, an error 1, writable for select 1
// closed while a thread reads it: written 3, read 3
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

static void without_reader(void)
{
    struct timeval left = {0, 0};
    struct pollfd end;
    fd_set writable;
    int both[2];

    if (pipe(both))
        return;
    close(both[0]);
    end = (struct pollfd){.fd = both[1]};
    poll(&end, 1, 0);
    FD_ZERO(&writable);
    FD_SET(both[1], &writable);
    printf("without a reader: nothing written is %ld, an error %d, ",
           (long)write(both[1], "", 0), end.revents == POLLERR);
    printf("writable for select %d\n",
           select(both[1] + 1, NULL, &writable, NULL, &left));
    close(both[1]);
}

static void *read_three(void *end)
{
    char bytes[3];

    return (void *)(long)read(*(int *)end, bytes, sizeof(bytes));
}

/* The reader's call keeps the end open. */
static void closed_while_read(void)
{
    void *result;
    pthread_t reader;
    int both[2];
    long written;

    if (pipe(both))
        return;
    pthread_create(&reader, NULL, read_three, &both[0]);
    usleep(1000);
    close(both[0]);
    written = write(both[1], "abc", 3);
    pthread_join(reader, &result);
    printf("closed while a thread reads it: written %ld, read %ld\n", written,
           (long)result);
    close(both[1]);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    without_reader();
    closed_while_read();
    return 0;
}
