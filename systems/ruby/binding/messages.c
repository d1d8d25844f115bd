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
#define LINE 32 /* bytes, of the caches */

static VALUE send_lock, receive_locks[RCCE_MAXNP];
static char given_up_to[RCCE_MAXNP], given_up_from[RCCE_MAXNP];

struct message {
    struct wait wait;
    char *bytes;
    size_t size;
    int ue;
    int code;
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

uint64_t rcce_ruby_until(VALUE seconds)
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

int rcce_ruby_given_up(int ue)
{
    return given_up_from[ue];
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

/* `size` bytes of a string from `at` on. */
static void send_bytes(struct message *message, VALUE string, long at,
                       long size)
{
    if (size <= 0 || (size_t)size > MOST_BYTES)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    /* Another thread may change or drop the string while this one waits. */
    string = rb_str_new_frozen(string);
    message->bytes = RSTRING_PTR(string) + at;
    message->size = (size_t)size;
    rcce_ruby_sending(send_it, (VALUE)message);
    RB_GC_GUARD(string);
    rcce_ruby_check(message->code);
}

static struct wait wait_for_taking(int ue, VALUE seconds)
{
    return (struct wait){
        .ue = ue, .rings = 1, .until = rcce_ruby_until(seconds)};
}

/* RCCE.send(string, ue, seconds = nil) */
static VALUE ruby_send(int count, VALUE *values, VALUE self)
{
    struct message message = {0};
    VALUE string, ue, seconds;

    (void)self;
    rb_scan_args(count, values, "21", &string, &ue, &seconds);
    StringValue(string);
    message.ue = rcce_ruby_ue(ue);
    message.wait = wait_for_taking(message.ue, seconds);
    send_bytes(&message, string, 0, RSTRING_LEN(string));
    return Qnil;
}

/* RCCE.send_part(string, at, bytes, ue, seconds, longer): a part of a string
 * is the message; longer: the time begins anew while the UE's heart beats. */
static VALUE send_part(VALUE self, VALUE string, VALUE at, VALUE bytes,
                       VALUE ue, VALUE seconds, VALUE longer)
{
    struct message message = {0};
    long from = NUM2LONG(at), size = NUM2LONG(bytes);

    (void)self;
    StringValue(string);
    message.ue = rcce_ruby_ue(ue);
    if (from < 0 || size < 0 || from > RSTRING_LEN(string) - size)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    message.wait = wait_for_taking(message.ue, seconds);
    if (RTEST(longer) && message.wait.until != SCC_NEVER) {
        message.wait.longer = message.wait.until - scc_now_ns();
        message.wait.heart = rcce_ruby_heart(message.ue);
    }
    send_bytes(&message, string, from, size);
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

struct receipt {
    struct message *message;
    VALUE string;
};

static VALUE receive_locked(VALUE given)
{
    const struct receipt *receipt = (struct receipt *)given;

    return rb_mutex_synchronize(receive_locks[receipt->message->ue], receive_it,
                                (VALUE)receipt->message);
}

static VALUE unlock(VALUE given)
{
    return rb_str_unlocktmp(((struct receipt *)given)->string);
}

/* The caches do not allocate on a write: a store to a line that none of them
 * holds goes out alone, some 85 cycles. Loads the lines of memory that the
 * library's copy from a message buffer will write. */
static void load_lines(const volatile char *from, size_t count)
{
    for (size_t n = 0; n < count; n += LINE)
        (void)from[n];
    if (count > 0)
        (void)from[count - 1];
}

/* Appends a message to a string, which nobody else may change meanwhile. */
static void receive_bytes(struct message *message, VALUE string, long size)
{
    struct receipt receipt = {.message = message, .string = string};
    long length = RSTRING_LEN(string);

    if (size <= 0)
        rcce_ruby_check(RCCE_ERROR_MESSAGE_LENGTH);
    /* Asked for less, it would make the room smaller. */
    if (rb_str_capacity(string) < (size_t)length + (size_t)size)
        rb_str_modify_expand(string, size > length ? size : length);
    else
        rb_str_modify(string);
    message->size = (size_t)size;
    message->bytes = RSTRING_PTR(string) + length;
    load_lines(message->bytes,
               size < RCCE_RUBY_CHUNK ? message->size : RCCE_RUBY_CHUNK);
    rb_str_locktmp(string);
    rb_ensure(receive_locked, (VALUE)&receipt, unlock, (VALUE)&receipt);
    rcce_ruby_check(message->code);
    rb_str_set_len(string, length + size);
}

/* RCCE.recv(bytes, ue, seconds = nil) */
static VALUE ruby_recv(int count, VALUE *values, VALUE self)
{
    struct message message = {0};
    VALUE bytes, ue, seconds, string;
    long size;

    (void)self;
    rb_scan_args(count, values, "21", &bytes, &ue, &seconds);
    size = NUM2LONG(bytes);
    message.ue = rcce_ruby_ue(ue);
    message.wait =
        (struct wait){.ue = message.ue, .until = rcce_ruby_until(seconds)};
    string = rb_str_buf_new(size > 0 ? size : 0);
    receive_bytes(&message, string, size);
    return string;
}

/* RCCE.recv_part(string, bytes, ue): appends a message to the string. */
static VALUE recv_part(VALUE self, VALUE string, VALUE bytes, VALUE ue)
{
    struct message message = {0};

    (void)self;
    StringValue(string);
    message.ue = rcce_ruby_ue(ue);
    message.wait = (struct wait){.ue = message.ue, .until = SCC_NEVER};
    receive_bytes(&message, string, NUM2LONG(bytes));
    return string;
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
    rb_define_singleton_method(module, "send_part", send_part, 6);
    rb_define_singleton_method(module, "recv", ruby_recv, -1);
    rb_define_singleton_method(module, "recv_part", recv_part, 3);
}
