/*
 * rck_mark.h: what a program says of itself in `rck run --trace FILE`.
 *
 * rck_mark(name)                 an instant
 * rck_region_begin(name)         a region of interest, on a track of its own
 * rck_region_end(name)           the end of the region begun last
 * rck_mark_value(name, value)    a number that is drawn over time
 *
 * A name is a string constant. Each is a call of an empty function, with a
 * trace and without one: the trace knows the calls by the functions' names,
 * and the chip knows nothing of them.
 */
#ifndef RCK_MARK_H
#define RCK_MARK_H

#ifdef __cplusplus
extern "C" {
#endif

#define RCK_MARK_CALL __attribute__((weak, noinline, naked))
#define RCK_MARK_UNUSED __attribute__((unused))

RCK_MARK_CALL void rck_mark(const char *name);
RCK_MARK_CALL void rck_region_begin(const char *name);
RCK_MARK_CALL void rck_region_end(const char *name);
RCK_MARK_CALL void rck_mark_value(const char *name, int value);

RCK_MARK_CALL void rck_mark(RCK_MARK_UNUSED const char *name)
{
    __asm__ volatile("nop\n\tret");
}

RCK_MARK_CALL void rck_region_begin(RCK_MARK_UNUSED const char *name)
{
    __asm__ volatile("nop\n\tret");
}

RCK_MARK_CALL void rck_region_end(RCK_MARK_UNUSED const char *name)
{
    __asm__ volatile("nop\n\tret");
}

RCK_MARK_CALL void rck_mark_value(RCK_MARK_UNUSED const char *name,
                                  RCK_MARK_UNUSED int value)
{
    __asm__ volatile("nop\n\tret");
}

#ifdef __cplusplus
}
#endif

#endif
