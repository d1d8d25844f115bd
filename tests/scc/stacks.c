// Two stacks take turns, a call runs on a third one, and what a function must
// keep is kept.
// run: -n 1 --tag none
// expect-stdout:
// main 1, other 1, main 2, other 2, main 3, on another stack 5
#include <stdio.h>

#include "scc/stack.h"

static char stack[16384] __attribute__((aligned(16)));
static char third[16384] __attribute__((aligned(16)));
static void *main_at, *other_at;

static void other(void)
{
    for (int n = 1;; n++) {
        printf("other %d, ", n);
        scc_switch(&other_at, main_at);
    }
}

static void add(void *argument)
{
    char *here = (char *)&argument;

    if (here < third || here >= third + sizeof third)
        puts("not there");
    *(int *)argument += 2;
}

int main(void)
{
    int kept = 3;

    other_at = scc_first_frame(stack, sizeof stack, other);
    for (int n = 1; n < 3; n++) {
        printf("main %d, ", n);
        scc_switch(&main_at, other_at);
    }
    scc_call_on(third + sizeof third, add, &kept);
    printf("main 3, on another stack %d\n", kept);
    return 0;
}
