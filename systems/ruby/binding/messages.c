/* Messages whose bodies are strings.
 *
 * A core has one buffer for what it sends, so one thread sends at a time;
 * receiving from a UE has a lock of its own, and neither waits for the other.
 * A message that was given up half-way (Timeout, Thread#raise) leaves flags
 * that the next one would misread: from then on the UE is refused.
 */
#include "binding.h"
#include "ruby/thread.h"

#include "scc/time.h"

/* What the library takes, and what a string of this processor can have. */
#define MOST_BYTES 0x7fffffffu
#define NANOSECONDS 1e9

static VALUE send_lock, receive_locks[RCCE_MAXNP];
static char given_up_to[RCCE_MAXNP], given_up_from[RCCE_MAXNP];

struct message {
    struct wait wait;
    char *bytes;
    size_t size;
    int ue;
    int code;
    VALUE string;
};

int rcce_ruby_ue(VALUE number)
{
    long ue = NUM2LONG(number);

    rcce_ruby_begun();
    if (ue < 0 || ue >= RCCE_num_ues())
        rcce_ruby_fail(RCCE_ERROR_ID, "there is no UE %ld: 0 to %d", ue,
                       RCCE_num_ues() - 1);
    if (ue == RCCE_ue())
        rcce_ruby_fail(RCCE_ERROR_ID, "UE %ld is this core itself", ue);
    return (int)ue;
}

/* When a wait of so many seconds ends; nil: never. */
static uint64_t until(VALUE seconds)
{
    double length;

    if (NIL_P(seconds))
        return SCC_NEVER;
    length = NUM2DBL(seconds);
    if (!(length >= 0))
        rb_raise(rb_eArgError, "time limit must not be negative");
    return length > 1e9 ? SCC_NEVER
                        : scc_now_ns() + (uint64_t)(length * NANOSECONDS);
}

static void refuse_given_up(const char *list, int ue)
{
    if (list[ue])
        rcce_ruby_fail(RCCE_ERROR_ID,
                       "a message with UE %d was given up half-way", ue);
}

VALUE rcce_ruby_sending(VALUE (*body)(VALUE), VALUE argument)
{
    return rb_mutex_synchronize(send_lock, body, argument);
}

static int call_send(void *given)
{
    struct message *message = given;

    return RCCE_send(message->bytes, message->size, message->ue);
}

static VALUE send_it(VALUE given)
{
    struct message *message = (struct message *)given;

    refuse_given_up(given_up_to, message->ue);
    given_up_to[message->ue] = 1;
    message->code = rcce_ruby_waiting(&message->wait, call_send, message);
    given_up_to[message->ue] = 0;
    return Qnil;
}

/* RCCE.send(string, ue, seconds = nil, longer = false); longer: the time begins
 * anew while the UE's heart beats. */
static VALUE ruby_send(int count, VALUE *values, VALUE self)
{
    struct message message = {0};
    VALUE ue, seconds, longer;

    (void)self;
    rb_scan_args(count, values, "22", &message.string, &ue, &seconds, &longer);
    StringValue(message.string);
    message.ue = rcce_ruby_ue(ue);
    message.size = (size_t)RSTRING_LEN(message.string);
    message.wait =
        (struct wait){.ue = message.ue, .rings = 1, .until = until(seconds)};
    if (RTEST(longer) && message.wait.until != SCC_NEVER) {
        message.wait.longer = message.wait.until - scc_now_ns();
        message.wait.heart = rcce_ruby_heart(message.ue);
    }
    if (message.size == 0 || message.size > MOST_BYTES)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    /* Another thread may change or drop the string while this one waits. */
    message.string = rb_str_new_frozen(message.string);
    message.bytes = RSTRING_PTR(message.string);
    rcce_ruby_sending(send_it, (VALUE)&message);
    RB_GC_GUARD(message.string);
    rcce_ruby_check(message.code);
    return Qnil;
}

static int call_recv(void *given)
{
    struct message *message = given;

    return RCCE_recv(message->bytes, message->size, message->ue);
}

static VALUE receive_it(VALUE given)
{
    struct message *message = (struct message *)given;
    char first;

    refuse_given_up(given_up_from, message->ue);
    /* A wait for a message that has not begun may be given up. */
    while (rcce_ruby_peek(&first, 1, message->ue) == 1)
        if (++message->wait.rounds > PATIENCE)
            rcce_ruby_rest(&message->wait);
    message->wait.rings = message->size > RCCE_RUBY_CHUNK;
    given_up_from[message->ue] = 1;
    message->code = rcce_ruby_waiting(&message->wait, call_recv, message);
    given_up_from[message->ue] = 0;
    rcce_ruby_ring(message->ue);
    return Qnil;
}

/* RCCE.recv(bytes, ue, seconds = nil) */
static VALUE ruby_recv(int count, VALUE *values, VALUE self)
{
    struct message message = {0};
    VALUE bytes, ue, seconds;
    long size;

    (void)self;
    rb_scan_args(count, values, "21", &bytes, &ue, &seconds);
    size = NUM2LONG(bytes);
    message.ue = rcce_ruby_ue(ue);
    if (size <= 0)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    message.wait = (struct wait){.ue = message.ue, .until = until(seconds)};
    message.string = rb_str_buf_new(size);
    message.size = (size_t)size;
    message.bytes = RSTRING_PTR(message.string);
    rb_mutex_synchronize(receive_locks[message.ue], receive_it,
                         (VALUE)&message);
    rcce_ruby_check(message.code);
    rb_str_set_len(message.string, size);
    return message.string;
}

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
    char byte;

    (void)self;
    rcce_ruby_begun();
    ues = RCCE_num_ues();
    rb_scan_args(count, values, "02", &seconds, &first);
    wait.until = until(seconds);
    from = NIL_P(first) ? 0 : NUM2INT(first);
    if (from < 0 || from >= ues)
        rcce_ruby_fail(RCCE_ERROR_ID, "there is no UE %d", from);
    for (;;) {
        rcce_ruby_begun(); /* another thread may have called finalize */
        for (int n = 0; n < ues; n++) {
            int ue = (from + n) % ues;

            if (ue != RCCE_ue() && !given_up_from[ue] &&
                rcce_ruby_peek(&byte, 1, ue) == 0)
                return INT2NUM(ue);
        }
        if (wait.until != SCC_NEVER && scc_now_ns() >= wait.until)
            return Qnil;
        /* A round looks at all: fewer of them before a sleep. */
        if (++wait.rounds > 8) {
            struct wait rest = wait;

            rest.rounds += PATIENCE;
            rest.until = SCC_NEVER;
            rcce_ruby_rest(&rest);
        }
    }
}

void rcce_ruby_messages_open(void)
{
    for (int ue = 0; ue < RCCE_num_ues(); ue++) {
        receive_locks[ue] = rb_mutex_new();
        rb_gc_register_mark_object(receive_locks[ue]);
    }
    send_lock = rb_mutex_new();
    rb_gc_register_mark_object(send_lock);
}

void rcce_ruby_define_messages(VALUE module)
{
    rb_define_singleton_method(module, "send", ruby_send, -1);
    rb_define_singleton_method(module, "recv", ruby_recv, -1);
    rb_define_singleton_method(module, "peek", ruby_peek, 2);
    rb_define_singleton_method(module, "wait_any", wait_any, -1);
}
