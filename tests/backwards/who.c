/* UE 1 writes three times what UE 0 waits for; a second argument stops it for ever behind that. */
#include <RCCE.h>

volatile int counter;

__attribute__((noinline)) static void add(int number)
{
    counter += number;
}

int main(int argc, char **argv)
{
    char data[32];

    RCCE_init(&argc, &argv);
    for (int round = 1; round <= 3; round++) {
        if (RCCE_ue() == 1)
            add(round);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    if (argc > 1)
        RCCE_recv(data, sizeof data, 1 - RCCE_ue());
    RCCE_finalize();
    return 0;
}
