// Functions that the C library calls in threads of its own making: timers of
// SIGEV_THREAD, once and again and after pthread_exit, and asynchronous input
// and output. main returns while a timer still calls a function that takes longer
// than its interval.
// cc: -O1 -pthread
// run: -n 3 --tag none
// expect-stdout:
// once: 7, left 0
// again: 1, deleted: 1
// exit: 1
// clock 99: EINVAL
// write 0: 0, 11 bytes
// read 0: 0, 5 bytes: world
// list 0: hello, notified 9
// bad: -1, EBADF
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t called;
static atomic_int count;
static int value;

static void keep(union sigval given)
{
    value = given.sival_int;
    sem_post(&called);
}

static void count_one(union sigval given)
{
    (void)given;
    count++;
    sem_post(&called);
}

static void leave(union sigval given)
{
    count_one(given);
    pthread_exit(NULL);
}

static void dawdle(union sigval given)
{
    for (volatile int n = 0; n < 3000; n++)
        continue;
    count_one(given);
}

static timer_t begin(void (*function)(union sigval), long interval)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = function,
                             .sigev_value.sival_int = 7};
    struct itimerspec times = {.it_value.tv_nsec = 300000,
                               .it_interval.tv_nsec = interval};
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
        timer_settime(timer, 0, &times, NULL))
        exit(1);
    return timer;
}

static void timers(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = keep};
    struct itimerspec left;
    timer_t timer = begin(keep, 0);
    int before;

    sem_wait(&called);
    timer_gettime(timer, &left);
    printf("once: %d, left %ld\n", value, left.it_value.tv_nsec);
    timer_delete(timer);
    timer = begin(count_one, 400000);
    for (int n = 0; n < 3; n++)
        sem_wait(&called);
    timer_delete(timer);
    usleep(1000);
    before = count;
    usleep(1000);
    printf("again: %d, deleted: %d\n", before >= 3, count == before);
    while (sem_trywait(&called) == 0)
        count = 0;
    timer = begin(leave, 400000);
    sem_wait(&called);
    sem_wait(&called);
    timer_delete(timer);
    printf("exit: %d\n", count >= 2);
    if (timer_create(99, &event, &timer) && errno == EINVAL)
        puts("clock 99: EINVAL");
}

static void files(void)
{
    static char text[] = "hello world", read[16];
    FILE *file = tmpfile();
    struct aiocb block = {.aio_fildes = fileno(file),
                          .aio_buf = text,
                          .aio_nbytes = strlen(text),
                          .aio_sigevent.sigev_notify = SIGEV_NONE};
    const struct aiocb *const to_wait[] = {&block};
    struct aiocb *const list[] = {&block};
    int answer = aio_write(&block);

    aio_suspend(to_wait, 1, NULL);
    printf("write %d: %d, %d bytes\n", answer, aio_error(&block),
           (int)aio_return(&block));
    block.aio_buf = read;
    block.aio_nbytes = 5;
    block.aio_offset = 6;
    answer = aio_read(&block);
    printf("read %d: %d, %d bytes: %s\n", answer, aio_error(&block),
           (int)aio_return(&block), read);
    block.aio_offset = 0;
    block.aio_lio_opcode = LIO_READ;
    block.aio_sigevent.sigev_notify = SIGEV_THREAD;
    block.aio_sigevent.sigev_notify_function = keep;
    block.aio_sigevent.sigev_value.sival_int = 9;
    answer = lio_listio(LIO_NOWAIT, list, 1, NULL);
    sem_wait(&called);
    printf("list %d: %s, notified %d\n", answer, read, value);
    block.aio_fildes = 60;
    answer = aio_read(&block);
    printf("bad: %d, %s\n", answer, errno == EBADF ? "EBADF" : "?");
}

int main(void)
{
    sem_init(&called, 0, 0);
    timers();
    while (sem_trywait(&called) == 0)
        continue;
    files();
    begin(dawdle, 1000);
    sem_wait(&called);
    sem_wait(&called);
    return 0;
}
