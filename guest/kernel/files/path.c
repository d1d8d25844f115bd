/* Path names, as text. ".." takes away the name before it, also where that
 * is a symbolic link, and never leads above "/". */
#include "defs.h"

/* Frees a path that begins with "/" of "//", "." and ".."; in place, for it
 * can only become shorter. */
void path_normalise(char *path)
{
    const char *in = path;
    u32 out = 0;

    while (*in) {
        u32 length = 0;

        if (*in == '/') {
            in++;
            continue;
        }
        while (in[length] && in[length] != '/')
            length++;
        if (length == 2 && in[0] == '.' && in[1] == '.') {
            while (out > 0 && path[--out] != '/')
                ;
        } else if (length != 1 || in[0] != '.') {
            path[out++] = '/';
            memmove(path + out, in, length);
            out += length;
        }
        in += length;
    }
    if (out == 0)
        path[out++] = '/';
    path[out] = 0;
}

/* path = name as seen from a directory. */
s32 path_join(char *path, const char *directory, const char *name)
{
    u32 length = format_text(path, PATH_MAX, "%s/%s",
                             name[0] == '/' ? "" : directory, name);

    if (length >= PATH_MAX)
        return -ENAMETOOLONG;
    path_normalise(path);
    return 0;
}
