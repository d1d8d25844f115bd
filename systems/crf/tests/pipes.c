// Pipes and pairs of sockets between threads on different cores, and between
// threads of one core: waits, ends, poll and select, flags, dup.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also: -n 1
// also-slow: --threads-model strong
// also-slow: --threads-model uncached
// also-slow: --threads-model lazy
// expect-stdout:
// 200000 bytes, sum 9900000, then 0
// through stdio: line 1, line 2
// HELLO
// two writers: 40 records whole
// poll 0, then 1 1; select 1; end 10
// not blocking: -1 11, room 65536
// broken: -1 32, signals 1
// dup keeps it open: 1 x, then 0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define MUCH 200000
#define RECORD 100

static int ends[2];
static unsigned char much[MUCH];

static void *write_much(void *unused)
{
    for (int n = 0; n < MUCH; n++)
        much[n] = (unsigned char)(n % 100);
    write(ends[1], much, MUCH);
    close(ends[1]);
    return unused;
}

static void bytes(void)
{
    static unsigned char part[3000];
    long got, all = 0, sum = 0;
    pthread_t thread;

    pipe(ends);
    pthread_create(&thread, NULL, write_much, NULL);
    while ((got = read(ends[0], part, sizeof part)) > 0) {
        for (long n = 0; n < got; n++)
            sum += part[n];
        all += got;
    }
    pthread_join(thread, NULL);
    printf("%ld bytes, sum %ld, then %ld\n", all, sum, got);
    close(ends[0]);
}

static void *print_lines(void *unused)
{
    FILE *to = fdopen(ends[1], "w");

    fprintf(to, "line %d\nline %d\n", 1, 2);
    fclose(to);
    return unused;
}

static void streams(void)
{
    char line[32];
    pthread_t thread;
    FILE *from;

    pipe(ends);
    from = fdopen(ends[0], "r");
    pthread_create(&thread, NULL, print_lines, NULL);
    printf("through stdio:");
    for (int n = 0; fgets(line, sizeof line, from); n++)
        printf("%s %.*s", n ? "," : "", (int)strlen(line) - 1, line);
    printf("\n");
    pthread_join(thread, NULL);
    fclose(from);
}

static void *answer(void *unused)
{
    char c;

    while (recv(ends[1], &c, 1, 0) == 1) {
        c = (char)(c - 'a' + 'A');
        send(ends[1], &c, 1, 0);
    }
    return unused;
}

static void sockets(void)
{
    pthread_t thread;

    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&thread, NULL, answer, NULL);
    for (const char *c = "hello"; *c; c++) {
        struct pollfd one = {.fd = ends[0], .events = POLLIN};
        char upper;

        write(ends[0], c, 1);
        poll(&one, 1, -1);
        read(ends[0], &upper, 1);
        putchar(upper);
    }
    putchar('\n');
    shutdown(ends[0], SHUT_WR);
    pthread_join(thread, NULL);
    close(ends[0]);
    close(ends[1]);
}

static void *write_records(void *letter)
{
    char record[RECORD];

    memset(record, *(char *)letter, sizeof record);
    for (int n = 0; n < 20; n++)
        write(ends[1], record, sizeof record);
    return NULL;
}

static void records(void)
{
    pthread_t threads[2];
    char letters[] = "ab", record[RECORD];
    int whole = 0;

    pipe(ends);
    for (int n = 0; n < 2; n++)
        pthread_create(&threads[n], NULL, write_records, &letters[n]);
    for (int n = 0; n < 40; n++) {
        int same = read(ends[0], record, sizeof record) == RECORD;

        for (int k = 1; k < RECORD; k++)
            same &= record[k] == record[0];
        whole += same;
    }
    for (int n = 0; n < 2; n++)
        pthread_join(threads[n], NULL);
    printf("two writers: %d records whole\n", whole);
    close(ends[0]);
    close(ends[1]);
}

static void readiness(void)
{
    struct pollfd one = {.events = POLLIN};
    struct timeval now = {0, 0};
    fd_set set;
    int idle, ready, chosen;

    pipe(ends);
    one.fd = ends[0];
    idle = poll(&one, 1, 1);
    write(ends[1], "x", 1);
    ready = poll(&one, 1, -1);
    printf("poll %d, then %d %x", idle, ready, one.revents);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    chosen = select(ends[0] + 1, &set, NULL, NULL, &now);
    read(ends[0], much, 1);
    close(ends[1]);
    poll(&one, 1, -1);
    printf("; select %d; end %x\n", chosen, one.revents);
    close(ends[0]);
}

static volatile int signals;

static void on_pipe(int number)
{
    (void)number;
    signals++;
}

static void refusals(void)
{
    char byte;
    long got, room;

    pipe2(ends, O_NONBLOCK);
    got = read(ends[0], &byte, 1);
    printf("not blocking: %ld %d", got, errno);
    room = write(ends[1], much, MUCH);
    printf(", room %ld\n", room);
    close(ends[0]);
    signal(SIGPIPE, on_pipe);
    got = write(ends[1], "x", 1);
    printf("broken: %ld %d, signals %d\n", got, errno, signals);
    close(ends[1]);
}

static void duplicates(void)
{
    char byte = '-';
    long got;
    int other;

    pipe(ends);
    other = dup(ends[1]);
    close(ends[1]);
    write(other, "x", 1);
    got = read(ends[0], &byte, 1);
    close(other);
    printf("dup keeps it open: %ld %c, then %ld\n", got, byte,
           (long)read(ends[0], &byte, 1));
    close(ends[0]);
}

int main(void)
{
    bytes();
    streams();
    sockets();
    records();
    readiness();
    refusals();
    duplicates();
    return 0;
}
