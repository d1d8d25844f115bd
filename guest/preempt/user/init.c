/*
 * init.c: the first program. It runs the others, one after the other, and
 * prints how each ended.
 */
#include "user.h"

static const char *const programs[] = {"turns", "share",  "signals",
                                       "pipes", "floats", "missing"};

int main(const char *argument)
{
    unsigned n;

    (void)argument;
    print("init: process %d\n", getpid());
    for (n = 0; n < sizeof programs / sizeof programs[0]; n++) {
        int before = frames(), status, pid = fork();

        if (pid == 0) {
            int error = exec(programs[n], "from init");

            print("init: %s does not start (%d)\n", programs[n], error);
            exit(1);
        }
        if (wait(&status) != pid)
            print("init: somebody else ended\n");
        print("init: %s ended with %d\n", programs[n], status);
        if (frames() != before)
            print("init: %d frames are missing\n", before - frames());
    }
    print("init: no more children (%d)\n", wait(0));
    return 0;
}
