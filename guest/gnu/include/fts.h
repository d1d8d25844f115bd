/*
 * fts.h: walks of trees of files, as the manual page fts(3) describes them.
 */
#ifndef _FTS_H
#define _FTS_H

#include <sys/cdefs.h>
#include <sys/stat.h>
#include <sys/types.h>

__BEGIN_DECLS

typedef struct _ftsent {
    struct _ftsent *fts_cycle;  /* FTS_DC: the folder that this one is */
    struct _ftsent *fts_parent; /* never null */
    struct _ftsent *fts_link;   /* the next of the same folder */
    long fts_number;            /* these two are the caller's */
    void *fts_pointer;
    char *fts_accpath; /* by which the file is reached from here */
    char *fts_path;
    int fts_errno;
    unsigned short fts_pathlen, fts_namelen;
    ino_t fts_ino;
    dev_t fts_dev;
    nlink_t fts_nlink;
    short fts_level;
    unsigned short fts_info, fts_flags, fts_instr;
    struct stat *fts_statp;
    char fts_name[1];
} FTSENT;

typedef struct _fts FTS;

#define FTS_ROOTPARENTLEVEL (-1)
#define FTS_ROOTLEVEL 0

/* Options of fts_open(). */
#define FTS_COMFOLLOW 0x001
#define FTS_LOGICAL 0x002
#define FTS_NOCHDIR 0x004
#define FTS_NOSTAT 0x008
#define FTS_PHYSICAL 0x010
#define FTS_SEEDOT 0x020
#define FTS_XDEV 0x040
#define FTS_WHITEOUT 0x080
#define FTS_OPTIONMASK 0x0ff
/* An option of fts_children(). */
#define FTS_NAMEONLY 0x100

/* What an entry is. */
#define FTS_D 1       /* a folder, before what is in it */
#define FTS_DC 2      /* a folder that is one of those above it */
#define FTS_DEFAULT 3 /* none of the other kinds */
#define FTS_DNR 4     /* a folder that cannot be read */
#define FTS_DOT 5     /* "." or "..", with FTS_SEEDOT */
#define FTS_DP 6      /* a folder, after what is in it */
#define FTS_ERR 7     /* an error, in fts_errno */
#define FTS_F 8       /* a regular file */
#define FTS_INIT 9    /* nothing has been read yet */
#define FTS_NS 10     /* nothing is known: stat() failed */
#define FTS_NSOK 11   /* nothing is known, nor was asked for */
#define FTS_SL 12     /* a symbolic link */
#define FTS_SLNONE 13 /* a symbolic link to nothing */

/* Instructions of fts_set(). */
#define FTS_AGAIN 1
#define FTS_FOLLOW 2
#define FTS_NOINSTR 3
#define FTS_SKIP 4

FTS *fts_open(char *const *paths, int options,
              int (*compare)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *fts);
FTSENT *fts_children(FTS *fts, int options);
int fts_set(FTS *fts, FTSENT *entry, int instruction);
int fts_close(FTS *fts);

__END_DECLS

#endif
