/*
 * cxx_wait.c: the waits of C++ for atomic variables (std::atomic::wait, latch,
 * barrier, semaphore).
 *
 * The C++ library sleeps in its kernel until a thread notifies it; a thread on
 * another core has another kernel. Here a wait ends after a while whether
 * somebody notifies or not: the caller looks at the variable again, as after
 * any wake.
 */
#include <stdint.h>
#include <time.h>

/* Before it waits, the caller polls for some 10 us. */
#define NAP_NS 50000

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

#define NAMED(name) __asm__("_ZNSt3__1" name)

int32_t crf_cxx_monitor(const void *) NAMED("23__atomic_monitor_globalEPKv");
void crf_cxx_wait(const void *, int32_t)
    NAMED("26__atomic_wait_global_tableEPKvi");
void crf_cxx_wait_for(const void *, int32_t, uint64_t)
    NAMED("39__atomic_wait_global_table_with_timeoutEPKviy");
void crf_cxx_wait_word(const void *, const void *)
    NAMED("20__atomic_wait_nativeILj4EEEvPKvS2_");
void crf_cxx_wait_word_for(const void *, const void *, uint64_t)
    NAMED("33__atomic_wait_native_with_timeoutILj4EEEvPKvS2_y");
void crf_cxx_wake(const void *) NAMED("32__atomic_notify_one_global_tableEPKv");
void crf_cxx_wake_all(const void *)
    NAMED("32__atomic_notify_all_global_tableEPKv");
void crf_cxx_wake_word(const void *)
    NAMED("26__atomic_notify_one_nativeILj4EEEvPKv");
void crf_cxx_wake_all_word(const void *)
    NAMED("26__atomic_notify_all_nativeILj4EEEvPKv");

int32_t crf_cxx_monitor(const void *address)
{
    (void)address;
    return 0;
}

void crf_cxx_wait(const void *address, int32_t seen)
{
    (void)address, (void)seen;
    nap();
}

void crf_cxx_wait_for(const void *address, int32_t seen, uint64_t ns)
{
    (void)address, (void)seen, (void)ns;
    nap();
}

void crf_cxx_wait_word(const void *address, const void *seen)
{
    (void)address, (void)seen;
    nap();
}

void crf_cxx_wait_word_for(const void *address, const void *seen, uint64_t ns)
{
    (void)address, (void)seen, (void)ns;
    nap();
}

void crf_cxx_wake(const void *address)
{
    (void)address;
}

void crf_cxx_wake_all(const void *address)
{
    (void)address;
}

void crf_cxx_wake_word(const void *address)
{
    (void)address;
}

void crf_cxx_wake_all_word(const void *address)
{
    (void)address;
}
