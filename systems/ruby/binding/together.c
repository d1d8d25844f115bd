/* Calls that all cores make: barrier, bcast, reduce, allreduce. Numbers are
 * packed in strings, as Array#pack makes them. */
#include "binding.h"

#include <string.h>

#include "scc/time.h"

struct kind {
    const char *name;
    int value;
    size_t size;
};

static const struct kind types[] = {
    {"int", RCCE_INT, sizeof(int)},
    {"long", RCCE_LONG, sizeof(long)},
    {"float", RCCE_FLOAT, sizeof(float)},
    {"double", RCCE_DOUBLE, sizeof(double)},
    {NULL, 0, 0},
};
static const struct kind operations[] = {
    {"sum", RCCE_SUM, 0},   {"min", RCCE_MIN, 0}, {"max", RCCE_MAX, 0},
    {"prod", RCCE_PROD, 0}, {NULL, 0, 0},
};

struct together {
    int (*call)(void *);
    VALUE in, out;
    char *from, *to;
    size_t size;
    int number, type, operation, root, code;
};

static const struct kind *chosen(const struct kind *kinds, VALUE name,
                                 const char *what)
{
    VALUE text = rb_obj_as_string(name);

    for (; kinds->name; kinds++)
        if (strcmp(kinds->name, StringValueCStr(text)) == 0)
            return kinds;
    rb_raise(rb_eArgError, "there is no %s %" PRIsVALUE, what, name);
}

static int root_of(VALUE number)
{
    long root = NUM2LONG(number);

    if (root < 0 || root >= RCCE_num_ues())
        rcce_ruby_fail(RCCE_ERROR_ID, "there is no UE %ld: 0 to %d", root,
                       RCCE_num_ues() - 1);
    return (int)root;
}

static VALUE run(VALUE given)
{
    struct together *work = (struct together *)given;
    struct wait wait = {.ue = -1, .until = SCC_NEVER};

    work->code = rcce_ruby_waiting(&wait, work->call, work);
    return Qnil;
}

static int call_bcast(void *given)
{
    struct together *work = given;

    return RCCE_bcast(work->to, work->size, work->root, RCCE_COMM_WORLD);
}

static void bcast(struct together *work, void *bytes, size_t size)
{
    work->call = call_bcast;
    work->to = bytes;
    work->size = size;
    rcce_ruby_sending(run, (VALUE)work);
    rcce_ruby_check(work->code);
}

/* RCCE.bcast(string, root = 0): the root's string, everywhere. */
static VALUE ruby_bcast(int count, VALUE *values, VALUE self)
{
    struct together work = {0};
    uint32_t size = 0;
    VALUE string, root;

    (void)self;
    rcce_ruby_begun();
    rb_scan_args(count, values, "11", &string, &root);
    work.root = NIL_P(root) ? 0 : root_of(root);
    if (work.root == RCCE_ue()) {
        StringValue(string);
        size = (uint32_t)RSTRING_LEN(string);
    }
    bcast(&work, &size, sizeof(size));
    work.out = work.root == RCCE_ue() ? rb_str_dup(string)
                                      : rb_str_buf_new((long)size);
    rb_str_modify(work.out);
    if (size > 0)
        bcast(&work, RSTRING_PTR(work.out), size);
    rb_str_set_len(work.out, (long)size);
    return work.out;
}

static int call_reduce(void *given)
{
    struct together *work = given;

    return RCCE_reduce(work->from, work->to, work->number, work->type,
                       work->operation, work->root, RCCE_COMM_WORLD);
}

static int call_allreduce(void *given)
{
    struct together *work = given;

    return RCCE_allreduce(work->from, work->to, work->number, work->type,
                          work->operation, RCCE_COMM_WORLD);
}

static void numbers(struct together *work, VALUE string, VALUE type,
                    VALUE operation)
{
    const struct kind *kind =
        chosen(types, NIL_P(type) ? rb_str_new_cstr("int") : type, "type");
    long length;

    StringValue(string);
    length = RSTRING_LEN(string);
    if (length == 0 || length % (long)kind->size != 0)
        rb_raise(rb_eArgError, "%ld bytes are no packed %ss of %ld bytes",
                 length, kind->name, (long)kind->size);
    work->type = kind->value;
    work->number = (int)(length / (long)kind->size);
    work->operation =
        chosen(operations,
               NIL_P(operation) ? rb_str_new_cstr("sum") : operation,
               "operation")
            ->value;
    work->in = rb_str_new_frozen(string);
    work->out = rb_str_new(NULL, length);
    work->from = RSTRING_PTR(work->in);
    work->to = RSTRING_PTR(work->out);
    rcce_ruby_sending(run, (VALUE)work);
    rcce_ruby_check(work->code);
}

/* RCCE.reduce(packed, type = :int, operation = :sum, root = 0): the result
 * for the root, nil for the others. */
static VALUE ruby_reduce(int count, VALUE *values, VALUE self)
{
    struct together work = {.call = call_reduce};
    VALUE string, type, operation, root;

    (void)self;
    rcce_ruby_begun();
    rb_scan_args(count, values, "13", &string, &type, &operation, &root);
    work.root = NIL_P(root) ? 0 : root_of(root);
    numbers(&work, string, type, operation);
    return work.root == RCCE_ue() ? work.out : Qnil;
}

/* RCCE.allreduce(packed, type = :int, operation = :sum) */
static VALUE ruby_allreduce(int count, VALUE *values, VALUE self)
{
    struct together work = {.call = call_allreduce};
    VALUE string, type, operation;

    (void)self;
    rcce_ruby_begun();
    rb_scan_args(count, values, "12", &string, &type, &operation);
    numbers(&work, string, type, operation);
    return work.out;
}

static int call_barrier(void *given)
{
    (void)given;
    return RCCE_barrier(&RCCE_COMM_WORLD);
}

static VALUE ruby_barrier(VALUE self)
{
    struct wait wait = {.ue = -1, .until = SCC_NEVER};

    (void)self;
    rcce_ruby_begun();
    rcce_ruby_check(rcce_ruby_waiting(&wait, call_barrier, NULL));
    return Qnil;
}

void rcce_ruby_define_together(VALUE module)
{
    rb_define_singleton_method(module, "barrier_world", ruby_barrier, 0);
    rb_define_singleton_method(module, "bcast", ruby_bcast, -1);
    rb_define_singleton_method(module, "reduce", ruby_reduce, -1);
    rb_define_singleton_method(module, "allreduce", ruby_allreduce, -1);
}
