/* Recursion, longjmp, messages between neighbours, and marks of all kinds. */
#include <setjmp.h>
#include <stdio.h>

#include "RCCE.h"
#include "rck_mark.h"

static jmp_buf back;
volatile int sink;

__attribute__((noinline)) static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static void leave(int n)
{
    sink = fib(12);
    if (n == 0)
        longjmp(back, 1);
    leave(n - 1);
    sink++;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues();
    char text[64] = "hello";
    for (int i = 0; i < 5; i++) {
        rck_region_begin("step");
        rck_mark_value("i", i);
        sink = fib(10 + me % 4);
        if (setjmp(back) == 0)
            leave(2);
        if (me % 2 == 0 && me + 1 < all)
            RCCE_send(text, sizeof text, me + 1);
        if (me % 2 == 1)
            RCCE_recv(text, sizeof text, me - 1);
        rck_region_end("step");
    }
    rck_mark("done");
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
