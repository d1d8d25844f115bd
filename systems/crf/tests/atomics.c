// C11's atomics and the compiler's own, between cores: nothing is lost.
// cc: -O2 -pthread -Wno-atomic-alignment
// run: -n 4 --tag none --check coherence
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-stdout:
// added 400 200 1200000000000 30.0 swapped 80
// flags 400 bits ff pointers 40 pairs 40 80
// message 3 of 3, stack 40
// expect-stderr: no findings
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define TIMES 10

struct pair {
    int first[4], second;
};

static int swapped;
static atomic_int number, message[4];
static _Atomic unsigned char byte, bits;
static _Atomic long long wide;
static _Atomic double real;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static char places[64];
static _Atomic(char *) pointer = places;
static _Atomic struct pair pairs;
static int under_flag, plain[4], seen;

static void add_pair(void)
{
    struct pair old = atomic_load(&pairs), new;

    do {
        new = old;
        new.first[3]++;
        new.second += 2;
    } while (!atomic_compare_exchange_weak(&pairs, &old, new));
}

/* Adds 2 in all, by each kind of call. */
static void swap(void)
{
    int old = __atomic_load_n(&swapped, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(&swapped, &old, old + 4, 1,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    __sync_fetch_and_sub(&swapped, 1);
    __atomic_fetch_sub(&swapped, 1, __ATOMIC_RELAXED);
    __sync_fetch_and_add(&swapped, 1);
    __atomic_fetch_sub(&swapped, 1, __ATOMIC_ACQ_REL);
}

static void pass_message(int thread)
{
    if (thread > 0) {
        plain[thread] = thread;
        atomic_store_explicit(&message[thread], 1, memory_order_release);
        return;
    }
    for (int from = 1; from < 4; from++) {
        while (!atomic_load_explicit(&message[from], memory_order_acquire))
            ;
        seen += plain[from] == from;
    }
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)((void **)argument)[0];
    atomic_int *on_stack = ((void **)argument)[1];

    for (int n = 0; n < TIMES; n++) {
        number += 10;
        atomic_fetch_add_explicit(&byte, 5, memory_order_relaxed);
        wide += 30000000000;
        real += 0.75;
        bits |= (unsigned char)(1u << (thread * 2 + n % 2));
        pointer++;
        add_pair();
        while (atomic_flag_test_and_set(&taken))
            ;
        under_flag += 10;
        atomic_flag_clear(&taken);
        swap();
        atomic_fetch_add_explicit(on_stack, 1, memory_order_relaxed);
    }
    pass_message(thread);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    atomic_int on_stack = 0;
    void *arguments[4][2];
    struct pair both;

    for (int n = 3; n >= 0; n--) {
        arguments[n][0] = (void *)(intptr_t)n;
        arguments[n][1] = &on_stack;
        if (n > 0)
            pthread_create(&threads[n], NULL, work, arguments[n]);
    }
    work(arguments[0]);
    for (int n = 1; n < 4; n++)
        pthread_join(threads[n], NULL);
    both = pairs;
    printf("added %d %d %lld %.1f swapped %d\n", number, byte, (long long)wide,
           (double)real, swapped);
    printf("flags %d bits %x pointers %d pairs %d %d\n", under_flag, bits,
           (int)(pointer - places), both.first[3], both.second);
    printf("message %d of 3, stack %d\n", seen, on_stack);
    return 0;
}
