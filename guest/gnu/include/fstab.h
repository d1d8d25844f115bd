/*
 * fstab.h: the file systems of /etc/fstab.
 */
#ifndef _FSTAB_H
#define _FSTAB_H

#include <sys/cdefs.h>

#define _PATH_FSTAB "/etc/fstab"
#define FSTAB "/etc/fstab"
#define FSTAB_RW "rw"
#define FSTAB_RQ "rq"
#define FSTAB_RO "ro"
#define FSTAB_SW "sw"
#define FSTAB_XX "xx"

__BEGIN_DECLS

struct fstab {
    char *fs_spec, *fs_file, *fs_vfstype, *fs_mntops;
    const char *fs_type;
    int fs_freq, fs_passno;
};

int setfsent(void);
struct fstab *getfsent(void);
struct fstab *getfsspec(const char *name);
struct fstab *getfsfile(const char *name);
void endfsent(void);

__END_DECLS

#endif
