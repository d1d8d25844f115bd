/* Which messages have come: nothing is taken. */
#include "binding.h"

#include "scc/time.h"

/* Looks at one UE or another before a sleep; while a thread looks, no other
 * one of this core runs Ruby. */
#define LOOKS 8

/* RCCE.peek(bytes, ue): the first bytes of a message that waits, or nil. */
static VALUE ruby_peek(VALUE self, VALUE bytes, VALUE ue)
{
    long size = NUM2LONG(bytes);
    int from = rcce_ruby_ue(ue), code;
    VALUE string;

    (void)self;
    if (size <= 0 || size > RCCE_BUFF_SIZE_MAX)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    string = rb_str_buf_new(size);
    code = rcce_ruby_peek(RSTRING_PTR(string), (size_t)size, from);
    if (code == 1)
        return Qnil;
    rcce_ruby_check(code);
    rb_str_set_len(string, size);
    return string;
}

/* RCCE.wait_any(seconds = nil, first = 0): the next UE from `first` on of
 * which a message waits; nil after so many seconds. */
static VALUE wait_any(int count, VALUE *values, VALUE self)
{
    struct wait wait = {.ue = -1};
    VALUE seconds, first;
    int ues, from;
    unsigned others;
    char byte;

    (void)self;
    rcce_ruby_begun();
    ues = RCCE_num_ues();
    others = ues > 1 ? (unsigned)ues - 1 : 1; /* alone, a UE rests, too */
    rb_scan_args(count, values, "02", &seconds, &first);
    wait.until = rcce_ruby_until(seconds);
    from = NIL_P(first) ? 0 : NUM2INT(first);
    if (from < 0 || from >= ues)
        rcce_ruby_fail(RCCE_ERROR_ID, "there is no UE %d", from);
    for (;;) {
        rcce_ruby_begun(); /* another thread may have called finalize */
        for (int n = 0; n < ues; n++) {
            int ue = (from + n) % ues;

            if (ue != RCCE_ue() && !rcce_ruby_given_up(ue) &&
                rcce_ruby_peek(&byte, 1, ue) == 0)
                return INT2NUM(ue);
        }
        if (wait.until != SCC_NEVER && scc_now_ns() >= wait.until)
            return Qnil;
        wait.rounds++;
        if (wait.rounds * others > LOOKS) {
            struct wait rest = wait;

            rest.rounds += PATIENCE + LOOKS;
            rest.until = SCC_NEVER;
            rcce_ruby_rest(&rest);
        }
    }
}

void rcce_ruby_define_look(VALUE module)
{
    rb_define_singleton_method(module, "peek", ruby_peek, 2);
    rb_define_singleton_method(module, "wait_any", wait_any, -1);
}
