// What one thread sets in the environment another one sees, whichever core has it.
// cc: -O2 -pthread
// run: -n 2 --tag none --env GIVEN=here
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// also-slow: --threads-model uncached
// expect-stdout:
// here 1 2 new (null)
// 3 (null) changed 199
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *work(void *nothing)
{
    printf("%s %s %s %s %s\n", getenv("GIVEN"), getenv("ONE"), getenv("TWO"),
           getenv("NAME"), getenv("GONE"));
    setenv("THREE", "3", 1);
    unsetenv("ONE");
    setenv("NAME", "changed", 1);
    for (int n = 0; n < 200; n++) {
        char name[16];

        snprintf(name, sizeof name, "MANY%d", n);
        setenv(name, name + 4, 0);
    }
    return nothing;
}

int main(void)
{
    static char two[] = "TWO=2";
    pthread_t thread;

    setenv("ONE", "1", 1);
    putenv(two);
    setenv("NAME", "old", 1);
    setenv("NAME", "not", 0);
    setenv("NAME", "new", 1);
    setenv("GONE", "x", 1);
    if (setenv("A=B", "", 1) == 0 || unsetenv("GONE") != 0 || !environ[0])
        return 1;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%s %s %s %s\n", getenv("THREE"), getenv("ONE"), getenv("NAME"),
           getenv("MANY199"));
    clearenv();
    return getenv("GIVEN") || environ[0];
}
