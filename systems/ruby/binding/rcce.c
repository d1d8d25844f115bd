/* require "rcce": the message-passing library of the chip, for Ruby. */
#include "binding.h"

static int begun;

void rcce_ruby_begun(void)
{
    if (!begun)
        rcce_ruby_fail(RCCE_ERROR_COMM_UNDEFINED, "RCCE.init comes first");
}

/* Collective. Does nothing if it was called before. */
static VALUE init(VALUE self)
{
    char name[] = "ruby", *words[] = {name, NULL}, **argv = words;
    int argc = 1;

    (void)self;
    if (begun)
        return Qfalse;
    rcce_ruby_check(RCCE_init(&argc, &argv));
    begun = 1;
    rcce_ruby_messages_open();
    rcce_ruby_wait_open();
    return Qtrue;
}

static VALUE finalize(VALUE self)
{
    (void)self;
    rcce_ruby_begun();
    begun = 0;
    rcce_ruby_heart_stop();
    rcce_idle = NULL;
    rcce_ruby_check(RCCE_finalize());
    return Qnil;
}

static VALUE begun_p(VALUE self)
{
    (void)self;
    return begun ? Qtrue : Qfalse;
}

static VALUE ue(VALUE self)
{
    (void)self;
    rcce_ruby_begun();
    return INT2NUM(RCCE_ue());
}

static VALUE num_ues(VALUE self)
{
    (void)self;
    rcce_ruby_begun();
    return INT2NUM(RCCE_num_ues());
}

static VALUE wtime(VALUE self)
{
    (void)self;
    return DBL2NUM(RCCE_wtime());
}

void Init_rcce(void)
{
    VALUE module = rb_define_module("RCCE");

    rcce_ruby_define_errors(module);
    rcce_ruby_define_messages(module);
    rcce_ruby_define_look(module);
    rcce_ruby_define_together(module);
    rcce_ruby_define_heart(module);
    rb_define_singleton_method(module, "init", init, 0);
    rb_define_singleton_method(module, "init?", begun_p, 0);
    rb_define_singleton_method(module, "finalize", finalize, 0);
    rb_define_singleton_method(module, "ue", ue, 0);
    rb_define_singleton_method(module, "num_ues", num_ues, 0);
    rb_define_singleton_method(module, "wtime", wtime, 0);
    rb_define_const(module, "CHUNK", INT2FIX(RCCE_RUBY_CHUNK));
}
