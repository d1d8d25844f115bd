/*
 * fstab.c: /etc/fstab by the C library's getmntent().
 */
#include <fstab.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

static FILE *table;
static struct fstab entry;

int setfsent(void)
{
    endfsent();
    table = setmntent(FSTAB, "r");
    return table != NULL;
}

void endfsent(void)
{
    if (table)
        endmntent(table);
    table = NULL;
}

static const char *type_of(const struct mntent *mount)
{
    static const char *const types[] = {FSTAB_RW, FSTAB_RQ, FSTAB_RO, FSTAB_SW,
                                        FSTAB_XX};

    for (size_t n = 0; n < sizeof types / sizeof *types; n++)
        if (hasmntopt(mount, types[n]))
            return types[n];
    return "??";
}

struct fstab *getfsent(void)
{
    struct mntent *mount;

    if (!table && !setfsent())
        return NULL;
    mount = getmntent(table);
    if (!mount)
        return NULL;
    entry = (struct fstab){mount->mnt_fsname, mount->mnt_dir, mount->mnt_type,
                           mount->mnt_opts,   type_of(mount), mount->mnt_freq,
                           mount->mnt_passno};
    return &entry;
}

struct fstab *getfsspec(const char *name)
{
    struct fstab *at = setfsent() ? getfsent() : NULL;

    while (at && strcmp(at->fs_spec, name))
        at = getfsent();
    return at;
}

struct fstab *getfsfile(const char *name)
{
    struct fstab *at = setfsent() ? getfsent() : NULL;

    while (at && strcmp(at->fs_file, name))
        at = getfsent();
    return at;
}
