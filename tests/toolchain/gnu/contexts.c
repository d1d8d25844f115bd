/* Coroutines: contexts with stacks of their own, arguments, links, masks of
 * signals, floats on the x87. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define COROUTINES 3

static ucontext_t main_context, contexts[COROUTINES], other;
static char stacks[COROUTINES][32768];
static int running, finished;

static void yield(void)
{
    swapcontext(&contexts[running], &main_context);
}

static void work(int number, int step)
{
    double sum = 0.5;

    for (int n = 0; n < 3; n++) {
        sum += number * step;
        printf("coroutine %d: %g\n", number, sum);
        yield();
    }
    finished++;
}

static void round_robin(void)
{
    for (int n = 0; n < COROUTINES; n++) {
        getcontext(&contexts[n]);
        contexts[n].uc_stack.ss_sp = stacks[n];
        contexts[n].uc_stack.ss_size = sizeof stacks[n];
        contexts[n].uc_link = &main_context;
        makecontext(&contexts[n], (void (*)(void))work, 2, n + 1, 10);
    }
    for (int turn = 0; turn < 4; turn++)
        for (running = 0; running < COROUTINES; running++)
            swapcontext(&main_context, &contexts[running]);
    printf("finished %d\n", finished);
}

static void again(void)
{
    static volatile int times;

    getcontext(&other);
    times++;
    if (times < 4)
        setcontext(&other);
    printf("four times: %d\n", times);
}

static void masks(void)
{
    sigset_t usual, now;
    volatile int second = 0;

    sigemptyset(&usual);
    getcontext(&other);
    if (!second) {
        second = 1;
        sigaddset(&usual, SIGUSR1);
        sigprocmask(SIG_BLOCK, &usual, NULL);
        setcontext(&other);
    }
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("blocked after setcontext: %d\n", sigismember(&now, SIGUSR1));
}

static void last(void)
{
    printf("the last one\n");
    fflush(stdout);
}

int main(void)
{
    round_robin();
    again();
    masks();
    getcontext(&contexts[0]);
    contexts[0].uc_stack.ss_sp = stacks[0];
    contexts[0].uc_stack.ss_size = sizeof stacks[0];
    contexts[0].uc_link = NULL;
    makecontext(&contexts[0], last, 0);
    setcontext(&contexts[0]);
    return 1;
}
