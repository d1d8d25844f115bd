/* A name that begins with | is a command for Kernel#open, and for what IO
 * reads and writes by name. It is refused here: CRuby would make its pipes,
 * and then ask our own kernel for a process.
 *
 * What is no command goes to CRuby's method, kept by its name.
 */
#include "alone.h"

static const char *const of_io[] = {
    "binread", "binwrite", "foreach", "read", "readlines", "write",
};
static VALUE kept;
static ID open_id;

static bool is_command(VALUE name)
{
    return RB_TYPE_P(name, T_STRING) && RSTRING_LEN(name) > 0 &&
           RSTRING_PTR(name)[0] == '|';
}

/* Not of a class below IO: there a name is always a file's. */
static bool takes_commands(ID method, VALUE self, VALUE name)
{
    if (method == open_id)
        return !rb_respond_to(name, rb_intern("to_open"));
    return self == rb_cIO;
}

static VALUE open_file(int count, const VALUE *words, VALUE self)
{
    ID method = rb_frame_this_func();
    VALUE *given = ALLOCA_N(VALUE, count + 1);

    given[0] = self;
    MEMCPY(given + 1, words, VALUE, count);
    if (count > 0 && takes_commands(method, self, words[0])) {
        given[1] = rb_get_path(words[0]);
        if (is_command(given[1]))
            rb_raise(rb_eNotImpError, "open() of a command");
    }
    return rb_funcall_passing_block_kw(rb_hash_aref(kept, ID2SYM(method)),
                                       rb_intern("bind_call"), count + 1, given,
                                       RB_PASS_CALLED_KEYWORDS);
}

static void keep(VALUE object, const char *name)
{
    rb_hash_aset(kept, ID2SYM(rb_intern(name)),
                 rb_funcall(rb_obj_method(object, ID2SYM(rb_intern(name))),
                            rb_intern("unbind"), 0));
}

static void take_singleton(VALUE object, const char *name)
{
    rb_undef_method(rb_singleton_class(object), name);
    rb_define_singleton_method(object, name, open_file, -1);
}

void alone_refuse_commands(void)
{
    size_t n;

    rb_gc_register_address(&kept);
    kept = rb_hash_new();
    open_id = rb_intern("open");
    rb_hash_aset(kept, ID2SYM(open_id),
                 rb_funcall(rb_mKernel, rb_intern("instance_method"), 1,
                            ID2SYM(open_id)));
    rb_undef_method(rb_mKernel, "open");
    rb_define_private_method(rb_mKernel, "open", open_file, -1);
    take_singleton(rb_mKernel, "open");
    for (n = 0; n < COUNT(of_io); n++) {
        keep(rb_cIO, of_io[n]);
        take_singleton(rb_cIO, of_io[n]);
    }
}
