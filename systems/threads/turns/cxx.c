/*
 * cxx.c: what the C++ library has in its archive and does by instructions that
 * lock nothing between cores: the last steps of shared_ptr and weak_ptr, whose
 * headers count by calls of ours, and who sets up a function's static variable;
 * and what it guards by a lock among its data, which are each core's own:
 * std::call_once, and std::atomic_load and its kin of a shared_ptr.
 */
#include "../../crf/pages/pages.h"
#include "../threads.h"

/* libc++'s __shared_weak_count: counts are one less than the owners. */
struct owners {
    void (*const *functions)(struct owners *);
    int32_t shared, weak;
};
#define ON_NONE_LEFT 4 /* behind two destructors and two other functions */

void release_weak(struct owners *owners) __asm__(
    "__wrap__ZNSt3__119__shared_weak_count14__release_weakEv");
struct owners *lock_owners(struct owners *owners) __asm__(
    "__wrap__ZNSt3__119__shared_weak_count4lockEv");

void release_weak(struct owners *owners)
{
    int32_t before =
        (int32_t)crf_atomic_modify(&owners->weak, sizeof owners->weak, CRF_ADD,
                                   0xFFFFFFFFu, CRF_ACQUIRE | CRF_RELEASE);

    if (before == 0)
        owners->functions[ON_NONE_LEFT](owners);
}

/* One more owner, unless the last one has gone. */
struct owners *lock_owners(struct owners *owners)
{
    int32_t now =
        (int32_t)crf_atomic_read(&owners->shared, sizeof owners->shared, 0);

    while (now != -1) {
        int32_t before = (int32_t)crf_atomic_compare(
            &owners->shared, sizeof owners->shared, (uint32_t)now,
            (uint32_t)now + 1, CRF_ACQUIRE | CRF_RELEASE);

        if (before == now)
            return owners;
        now = before;
    }
    return 0;
}

int guard_acquire(uint8_t *guard) __asm__("__wrap___cxa_guard_acquire");
void guard_release(uint8_t *guard) __asm__("__wrap___cxa_guard_release");
void guard_abort(uint8_t *guard) __asm__("__wrap___cxa_guard_abort");

int guard_acquire(uint8_t *guard)
{
    return crf_once_begin(guard);
}

/* Compiled code looks at the first byte, by an atomic load, before it calls. */
void guard_release(uint8_t *guard)
{
    crf_atomic_modify(guard, 1, CRF_XCHG, 1, CRF_RELEASE);
    crf_once_end(guard, 1);
}

void guard_abort(uint8_t *guard)
{
    crf_once_end(guard, 0);
}

#define COMPLETE 0xFFFFFFFFu /* of libc++'s once_flag */

void call_once(
    uint32_t *flag, void *argument,
    void (*function)(
        void *)) __asm__("__wrap__ZNSt3__111__call_onceERVmPvPFvS2_E");

/* The flag alone tells whether it was done: another one may begin at its place
 * when it is gone. An exception of the function leaves by here, too. */
static void leave(uint32_t **flag)
{
    struct crf_object *object;
    uint32_t all;

    crf_release_to(*flag);
    object = crf_object(*flag, CRF_ONCE, 0);
    all = crf_take_all(&object->waiting);
    crf_object_end(object);
    crf_wake_chain(all);
}

void call_once(uint32_t *flag, void *argument, void (*function)(void *))
{
    uint32_t *within __attribute__((cleanup(leave))) = flag;

    crf_once_begin(within);
    if (crf_atomic_read(flag, sizeof *flag, CRF_ACQUIRE) == COMPLETE)
        return;
    function(argument);
    crf_atomic_modify(flag, sizeof *flag, CRF_XCHG, COMPLETE, CRF_RELEASE);
}

/* libc++ has a few of these, at one address on all cores, for all pointers. */
struct pointer_lock;

void lock_pointers(const struct pointer_lock *lock) __asm__(
    "__wrap__ZNSt3__18__sp_mut4lockEv");
void unlock_pointers(const struct pointer_lock *lock) __asm__(
    "__wrap__ZNSt3__18__sp_mut6unlockEv");

/* An odd address names a lock of all cores. */
static const void *name_of(const struct pointer_lock *lock)
{
    return (const char *)lock + 1;
}

void lock_pointers(const struct pointer_lock *lock)
{
    crf_lock(name_of(lock), CRF_MUTEX, 0);
}

void unlock_pointers(const struct pointer_lock *lock)
{
    crf_unlock(name_of(lock), CRF_MUTEX);
}
