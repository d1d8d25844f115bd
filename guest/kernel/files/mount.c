/* Which folder of the host a path leads into: the shared one at "/", others
 * at names of their own in it (mounts= of the command line), which hide what
 * the shared folder has there. The host serves all by number, the shared one
 * first; nobody changes what is in the others. A listing of "/" does not
 * have their names.
 */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "files/p9.h"
#include "files/share.h"
#include "lib/options.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/types.h"

u32 p9_data_max;

static void attach(u32 fid, u32 number)
{
    char name[12];
    s32 error;

    format_text(name, sizeof(name), "%u", number);
    p9_start(T_ATTACH);
    p9_put_32(fid);
    p9_put_32(P9_NO_FID);
    p9_put_string("");
    p9_put_string(name);
    p9_put_32(P9_NO_USER);
    error = p9_call();
    if (error)
        panic("the host's file service refused attach: error %d", -error);
}

static void attach_all(void)
{
    u32 number = 0;

    if (options.mount_count >= ROOTS)
        panic("mounts: %u, more than %u", options.mount_count, ROOTS - 1);
    if (options.share)
        attach(0, number++);
    for (u32 n = 0; n < options.mount_count; n++)
        attach(n + 1, number++);
}

void share_init(void)
{
    s32 error;

    if (!host_present())
        panic("share=1, but no host channel answers");
    p9_start(T_VERSION);
    p9_put_32(P9_DATA_MAX + P9_HEADER_MAX);
    p9_put_string(P9_VERSION);
    error = p9_call();
    if (error)
        panic("the host's file service refused version: error %d", -error);
    p9_data_max = p9_get_32() - P9_HEADER_MAX;
    attach_all();
}

/* The root that an absolute path starts from, and where in the path its names
 * begin; false if there is none. */
bool mount_root(const char *path, u32 *fid, u32 *end)
{
    const char *name = options.mounts;

    for (u32 n = 0; n < options.mount_count; n++) {
        u32 length = string_length(name);

        if (string_starts(path + 1, name) &&
            (!path[length + 1] || path[length + 1] == '/')) {
            *fid = n + 1;
            *end = length + 1;
            return true;
        }
        name += length + 1;
    }
    *fid = 0;
    *end = 0;
    return options.share;
}
