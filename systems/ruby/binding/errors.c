/* RCCE::Error: the library's words, and its code. */
#include "binding.h"

#include <stdarg.h>

static VALUE error_class, timeout_class;

static VALUE code_of(VALUE self)
{
    return rb_attr_get(self, rb_intern("@code"));
}

static VALUE made(VALUE class, int code, VALUE text)
{
    VALUE error = rb_exc_new_str(class, text);

    rb_ivar_set(error, rb_intern("@code"), INT2NUM(code));
    return error;
}

/* The library's words for a code, without what is around them. */
static VALUE words(int code)
{
    char text[RCCE_MAX_ERROR_STRING];
    int length = 0;

    RCCE_error_string(code, text, &length);
    return rb_str_new(text, length);
}

/* Returns the code if it is success, and raises otherwise. */
int rcce_ruby_check(int code)
{
    if (code != RCCE_SUCCESS)
        rb_exc_raise(made(error_class, code, words(code)));
    return code;
}

void rcce_ruby_fail(int code, const char *format, ...)
{
    va_list list;
    VALUE text;

    va_start(list, format);
    text = rb_vsprintf(format, list);
    va_end(list);
    rb_exc_raise(made(error_class, code, text));
}

void rcce_ruby_time_up(int ue)
{
    VALUE text = ue < 0 ? rb_sprintf("no message came in time")
                        : rb_sprintf("UE %d did not answer in time", ue);

    rb_exc_raise(made(timeout_class, RCCE_ERROR_ID, text));
}

void rcce_ruby_define_errors(VALUE module)
{
    error_class = rb_define_class_under(module, "Error", rb_eStandardError);
    timeout_class = rb_define_class_under(module, "Timeout", error_class);
    rb_define_method(error_class, "code", code_of, 0);
}
