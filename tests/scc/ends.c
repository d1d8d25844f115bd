// Last words: at an exit, the last library first; and in a signal that is
// deadly, before it takes effect.
// run: -n 2 --tag none
// expect-exit: 76
// expect-stdout:
// one leaves first
// one leaves second
// expect-stderr: one died of 11
#include <stdio.h>
#include <unistd.h>

#include "scc/end.h"
#include "scc/job.h"

static void first(void)
{
    puts("one leaves first");
}

static void second(void)
{
    puts("one leaves second");
}

static void never(void)
{
    puts("one leaves that was unguarded");
}

static void died(int signal)
{
    char words[] = "one died of 11\n";

    words[12] = (char)('0' + signal / 10);
    words[13] = (char)('0' + signal % 10);
    (void)!write(2, words, sizeof words - 1);
}

int main(void)
{
    scc_guard(second, died);
    scc_guard(never, died);
    scc_guard(first, died);
    scc_unguard(never);
    if (scc_job()->rank == 1) {
        scc_unguard(second);
        *(volatile int *)4 = 1;
    }
    return 0;
}
