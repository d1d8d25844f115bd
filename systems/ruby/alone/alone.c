/* require "rck_alone": what would start a process is not implemented, and
 * what fails for want of a network says so.
 *
 * The interpreter has fork, which works under a Linux on the core. Our own
 * kernel runs one process: there these methods are what CRuby makes of a
 * function that a machine lacks. They raise NotImplementedError, and
 * respond_to? says no.
 */
#include "alone.h"

#include <string.h>

static const char *const of_kernel[] = {
    "fork", "system", "spawn", "exec", "`",
};
static const char *const of_process[] = {
    "fork", "_fork", "spawn", "exec", "daemon",
};

/* Beginnings of what Errno::ENOSYS says of a socket, a name, an address. */
static const char *const of_networks[] = {
    "socket",
    "getaddrinfo",
    "getifaddrs",
    "getnameinfo",
};

/* Undefined first: -w reports a method that another one replaces. */
static void take(VALUE object, const char *name)
{
    VALUE class = rb_singleton_class(object);

    rb_undef_method(class, name);
    rb_define_method(class, name, rb_f_notimplement, -1);
}

/* Errno::ENOSYS#initialize. */
static VALUE say_why(int count, const VALUE *words, VALUE self)
{
    VALUE said = count > 0 ? words[0] : Qnil;
    VALUE given[2] = {said, count > 1 ? words[1] : Qnil};
    size_t n;

    if (count > 2 || !RB_TYPE_P(said, T_STRING))
        return rb_call_super(count, words);
    for (n = 0; n < COUNT(of_networks); n++) {
        size_t length = strlen(of_networks[n]);

        if ((size_t)RSTRING_LEN(said) >= length &&
            memcmp(RSTRING_PTR(said), of_networks[n], length) == 0) {
            given[0] =
                rb_sprintf("%" PRIsVALUE " (our own kernel has no network; "
                           "`rck ruby --kernel linux` has one)",
                           said);
            return rb_call_super(count, given);
        }
    }
    return rb_call_super(count, words);
}

void Init_rck_alone(void)
{
    VALUE missing = rb_const_get(rb_mErrno, rb_intern("ENOSYS"));
    size_t n;

    /* What is defined here serves any Ractor, as CRuby's own does. */
    rb_ext_ractor_safe(true);
    for (n = 0; n < COUNT(of_kernel); n++) {
        rb_undef_method(rb_mKernel, of_kernel[n]);
        rb_define_private_method(rb_mKernel, of_kernel[n], rb_f_notimplement,
                                 -1);
        take(rb_mKernel, of_kernel[n]);
    }
    for (n = 0; n < COUNT(of_process); n++)
        take(rb_mProcess, of_process[n]);
    take(rb_cIO, "popen");
    alone_refuse_commands();
    rb_define_method(missing, "initialize", say_why, -1);
}
