// Processes of the personality: trees, pipes, ends, signals.
// run: --kernel l4 --cores 3
// expect-stdout:
// a tree of 3: 15 processes counted
// pipes: 100000 bytes, sum 12768192
// ends: exit 7, exit 255, signal 15, signal 11
// none left: no child
// a copy: 2 in the child, 1 in the parent
// poll: 0, then the child
// SIGCHLD came 1 times
// the wait of a read ends by a signal: interrupted
// a signal to the child: 43 in its handler
// to the group: 2 ended by signal 10
#include "children.h"

/* Each has two children until the depth; exit codes add up. */
static int tree(int depth)
{
    int sum = 1;

    for (int n = 0; n < 2 && depth; n++) {
        pid_t child = fork();

        check(child >= 0, "fork");
        if (child == 0)
            _exit(tree(depth - 1));
        sum += WEXITSTATUS(end_of(child));
    }
    return sum;
}

static int ends[2], back[2];

static int send_bytes(void)
{
    unsigned char bytes[1000];

    close(ends[0]);
    for (int n = 0; n < 100; n++) {
        for (int k = 0; k < 1000; k++)
            bytes[k] = (unsigned char)(n * 7 + k);
        check(write(ends[1], bytes, 1000) == 1000, "write");
    }
    return 0;
}

static void pipes(void)
{
    unsigned char bytes[777];
    unsigned sum = 0;
    ssize_t some, all = 0;
    pid_t child;

    check(!pipe(ends), "pipe");
    child = start(send_bytes);
    close(ends[1]);
    while ((some = read(ends[0], bytes, sizeof(bytes))) > 0) {
        all += some;
        for (ssize_t n = 0; n < some; n++)
            sum += bytes[n];
    }
    close(ends[0]);
    check(end_of(child) == 0, "the writer's end");
    printf("pipes: %d bytes, sum %u\n", (int)all, sum);
}

static int seven(void)
{
    return 7;
}

static int minus_one(void)
{
    return -1;
}

static int by_terminate(void)
{
    kill(getpid(), SIGTERM);
    return 0;
}

static int by_fault(void)
{
    *(volatile int *)16 = 1;
    return 0;
}

static void all_ends(void)
{
    int a = end_of(start(seven)), b = end_of(start(minus_one));
    int c = end_of(start(by_terminate)), d = end_of(start(by_fault));

    printf("ends: exit %d, exit %d, signal %d, signal %d\n", WEXITSTATUS(a),
           WEXITSTATUS(b), WTERMSIG(c), WTERMSIG(d));
    printf("none left: %s\n",
           wait(NULL) < 0 && errno == ECHILD ? "no child" : "?");
}

static int value = 1;

static int change(void)
{
    value++;
    return value;
}

static int wait_for_byte(void)
{
    char byte;

    return read(ends[0], &byte, 1) == 1 ? byte : 99;
}

static volatile sig_atomic_t came, which;

static void handler(int number)
{
    came++;
    which = number;
}

static void poll_child(void)
{
    int status;
    pid_t child, first;

    check(!pipe(ends), "pipe");
    child = start(wait_for_byte);
    first = waitpid(-1, &status, WNOHANG);
    signal(SIGCHLD, handler);
    check(write(ends[1], "x", 1) == 1, "write");
    while (waitpid(-1, &status, WNOHANG) == 0)
        usleep(100);
    printf("poll: %d, then %s\n", (int)first,
           WEXITSTATUS(status) == 'x' ? "the child" : "?");
    printf("SIGCHLD came %d times\n", (int)came);
    signal(SIGCHLD, SIG_DFL);
    (void)child;
}

static int signal_parent(void)
{
    usleep(2000);
    return kill(getppid(), SIGUSR1);
}

static void interrupted(void)
{
    struct sigaction action = {.sa_handler = handler};
    char byte;
    pid_t child;
    ssize_t some;

    sigaction(SIGUSR1, &action, NULL);
    child = start(signal_parent);
    some = read(ends[0], &byte, 1);
    printf("the wait of a read ends by a signal: %s\n",
           some < 0 && errno == EINTR ? "interrupted" : "no");
    end_of(child);
}

/* A body that computes until the signal comes. */
static int until_signal(void)
{
    came = 0;
    check(write(back[1], "r", 1) == 1, "write");
    while (!came)
        ;
    return 33 + which;
}

static void signals(void)
{
    char byte;
    pid_t one, two;
    int a, b;

    check(!pipe(back), "pipe");
    one = start(until_signal);
    check(read(back[0], &byte, 1) == 1, "read");
    kill(one, SIGUSR1);
    printf("a signal to the child: %d in its handler\n",
           WEXITSTATUS(end_of(one)));
    signal(SIGUSR1, SIG_DFL);
    one = start(for_ever);
    two = start(for_ever);
    signal(SIGUSR1, SIG_IGN);
    kill(0, SIGUSR1);
    a = end_of(one);
    b = end_of(two);
    printf("to the group: %d ended by signal %d\n",
           WIFSIGNALED(a) + WIFSIGNALED(b), WTERMSIG(a));
}

int main(void)
{
    printf("a tree of 3: %d processes counted\n", tree(3));
    pipes();
    all_ends();
    printf("a copy: %d in the child, ", WEXITSTATUS(end_of(start(change))));
    printf("%d in the parent\n", value);
    poll_child();
    interrupted();
    signals();
    return 0;
}
