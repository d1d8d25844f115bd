/* fts over a tree with links, a cycle, an empty folder and a name that is not there. */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <unistd.h>
#include <fcntl.h>
static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}
static void walk(char **paths, int options, const char *skip, const char *again)
{
    FTS *f = fts_open(paths, options, by_name);
    FTSENT *e;
    int done = 0;
    printf("-- %#x\n", options);
    if (!f) {
        printf("null %d\n", errno);
        return;
    }
    for (e = fts_children(f, 0); e; e = e->fts_link)
        printf("root %s %d\n", e->fts_name, e->fts_info);
    while ((e = fts_read(f))) {
        int size = e->fts_pathlen;
        if (size > 1 && e->fts_path[size - 1] == '/')
            size--;
        printf("%d %.*s%s level %d size %d parent %s errno %d", e->fts_info,
               e->fts_info == FTS_DP ? 0 : size, e->fts_path,
               e->fts_info == FTS_DP ? e->fts_name : "", e->fts_level,
               e->fts_info == FTS_F ? (int)e->fts_statp->st_size : -1,
               e->fts_level > 0 ? e->fts_parent->fts_name : "-",
               e->fts_info == FTS_D ? 0 : e->fts_errno);
        if (e->fts_info == FTS_D) {
            int n = 0;
            FTSENT *c = fts_children(f, FTS_NAMEONLY);
            for (; c; c = c->fts_link)
                n++;
            printf(" children %d", n);
        }
        if (e->fts_info == FTS_DC)
            printf(" cycle %s", e->fts_cycle->fts_name);
        if (skip && e->fts_info == FTS_D && !strcmp(e->fts_name, skip))
            fts_set(f, e, FTS_SKIP);
        if (again && !strcmp(e->fts_name, again) && done++ < 1)
            fts_set(f, e, e->fts_info == FTS_SL ? FTS_FOLLOW : FTS_AGAIN);
        puts("");
    }
    printf("end %d close %d\n", errno, fts_close(f));
}
static void put(const char *n, int size)
{
    int f = open(n, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    for (int i = 0; i < size; i++)
        write(f, "x", 1);
    close(f);
}
int main(void)
{
    mkdir("top", 0755);
    mkdir("top/a", 0755);
    mkdir("top/a/b", 0755);
    mkdir("top/empty", 0755);
    put("top/f1", 3);
    put("top/a/f2", 5);
    put("top/a/b/f3", 7);
    put("top/z", 0);
    symlink("f1", "top/link");
    symlink("nothing", "top/dangling");
    symlink("../a", "top/a/up");
    symlink("a", "top/dirlink");
    char *p[] = {"top", 0},
         *q[] = {"top/a", "top/f1", "none", "top/dirlink", 0}, *r[] = {0};
    int o[] = {FTS_PHYSICAL,
               FTS_LOGICAL,
               FTS_PHYSICAL | FTS_NOCHDIR,
               FTS_PHYSICAL | FTS_SEEDOT,
               FTS_PHYSICAL | FTS_COMFOLLOW,
               0,
               FTS_PHYSICAL | FTS_LOGICAL,
               FTS_PHYSICAL | FTS_XDEV,
               FTS_PHYSICAL | 0x1000};
    for (unsigned i = 0; i < sizeof o / sizeof *o; i++) {
        walk(p, o[i], 0, 0);
        walk(q, o[i], 0, 0);
        walk(p, o[i], "a", 0);
        walk(p, o[i], 0, "link");
        if (!(o[i] & FTS_SEEDOT))
            walk(p, o[i], "b", "dirlink");
        walk(p, o[i], 0, "f1");
    }

    return 0;
}
