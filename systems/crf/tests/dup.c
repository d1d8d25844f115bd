// Two numbers of one opening have one offset on all cores; a file in the place
// of standard output is there for all threads.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// share: yes
// expect-stdout:
// numbers differ 1, read acbd, closed one e, at least 40: 1
// to the file: main, thread 1, thread 2
// pipe p
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int one, other;
static char first[2], second[2], last;

static void *read_both(void *argument)
{
    int number = *(int *)argument;

    if (read(one, &first[number], 1) != 1 ||
        read(other, &second[number], 1) != 1)
        perror("read");
    return NULL;
}

static void *say(void *argument)
{
    printf(", thread %d", *(int *)argument);
    fflush(stdout);
    return NULL;
}

static void *read_last(void *argument)
{
    if (read(other, &last, 1) != 1)
        perror("read");
    return argument;
}

/* One after the other, on a core each. */
static void run(void *(*work)(void *), int number)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, &number);
    pthread_join(thread, NULL);
}

static void in_place_of_stdout(void)
{
    int terminal = dup(1), file = open("said", O_RDWR | O_CREAT, 0600);
    char text[64] = "";

    fflush(stdout);
    dup2(file, 1);
    printf("main");
    fflush(stdout);
    run(say, 1);
    run(say, 2);
    dup2(terminal, 1);
    lseek(file, 0, SEEK_SET);
    if (read(file, text, sizeof text - 1) < 0)
        perror("read");
    printf("to the file: %s\n", text);
}

static void of_a_pipe(void)
{
    int ends[2], again;
    char byte = 0;

    if (pipe(ends))
        perror("pipe");
    again = dup(ends[1]);
    close(ends[1]);
    if (write(again, "p", 1) != 1 || read(ends[0], &byte, 1) != 1)
        perror("pipe");
    printf("pipe %c\n", byte);
}

int main(void)
{
    one = open("letters", O_RDWR | O_CREAT, 0600);
    if (write(one, "abcdefgh", 8) != 8)
        perror("write");
    other = dup(one);
    lseek(other, 0, SEEK_SET);
    run(read_both, 0);
    run(read_both, 1);
    close(one);
    run(read_last, 0);
    printf("numbers differ %d, read %.2s%.2s, closed one %c, at least 40: %d\n",
           one != other, first, second, last, fcntl(other, F_DUPFD, 40) >= 40);
    in_place_of_stdout();
    of_a_pipe();
    return 0;
}
