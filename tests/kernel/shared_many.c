// As many writable shared mappings as the kernel keeps: one more is refused, a
// hole in one makes two, and each writes its part.
// run: -n 1
// also-slow: --kernel l4
// share: yes
// expect-stdout:
// 64 mappings, then: Out of memory
// no room for two halves: Out of memory
// 191 pages written, the hole not
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define MOST 64
#define PAGES 3 /* of each mapping */

static char *maps[MOST + 1];

static char *map_part(int fd, int n)
{
    return mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                n * PAGES * PAGE);
}

int main(void)
{
    int fd = open("/data", O_CREAT | O_RDWR, 0600);
    int count = 0, written = 0;
    char hole = '?';

    ftruncate(fd, MOST * PAGES * PAGE);
    while (count <= MOST && (maps[count] = map_part(fd, count)) != MAP_FAILED)
        count++;
    printf("%d mappings, then: %s\n", count, strerror(errno));
    if (munmap(maps[5] + PAGE, PAGE))
        printf("no room for two halves: %s\n", strerror(errno));
    /* The last one goes and leaves room. */
    for (int page = 0; page < PAGES; page++)
        maps[MOST - 1][page * PAGE] = 'w';
    munmap(maps[MOST - 1], PAGES * PAGE);
    munmap(maps[5] + PAGE, PAGE);
    for (int n = 0; n < MOST - 1; n++)
        for (int page = 0; page < PAGES; page++)
            if (n != 5 || page != 1)
                maps[n][page * PAGE] = 'w';
    msync(maps[0], PAGES * PAGE, MS_SYNC);
    for (int n = 0; n < MOST - 1; n++)
        munmap(maps[n], PAGES * PAGE);
    for (int page = 0; page < MOST * PAGES; page++) {
        char c = 0;

        pread(fd, &c, 1, page * PAGE);
        written += c == 'w';
        if (page == 5 * PAGES + 1)
            hole = c;
    }
    printf("%d pages written, the hole%s\n", written, hole ? " too" : " not");
    unlink("/data");
    return 0;
}
