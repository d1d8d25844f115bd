// A writable shared mapping reaches its file at msync, munmap and the end.
// run: -n 1
// also: --kernel l4
// share: yes
// expect-stdout:
// before: aaaa
// after msync: bbaa
// after munmap of half: page 0 b, page 1 a, page 2 c
// size is kept: 8292
// read-only file: Permission denied
// private: a
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define SIZE (2 * PAGE + 100)

static char at(int fd, long offset)
{
    char c = '?';

    pread(fd, &c, 1, offset);
    return c;
}

int main(void)
{
    static char text[SIZE];
    struct stat status;
    char *map;
    int fd = open("/data", O_CREAT | O_RDWR, 0600);
    int reader;

    memset(text, 'a', SIZE);
    write(fd, text, SIZE);
    map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    printf("before: %.4s\n", map);
    map[0] = map[1] = 'b';
    msync(map, SIZE, MS_SYNC);
    printf("after msync: %c%c%c%c\n", at(fd, 0), at(fd, 1), at(fd, 2),
           at(fd, 3));
    map[PAGE + 1] = 'd';
    map[2 * PAGE + 99] = 'c';
    map[2 * PAGE + 100] = 'x';
    munmap(map + 2 * PAGE, PAGE);
    printf("after munmap of half: page 0 %c, page 1 %c, page 2 %c\n", at(fd, 0),
           at(fd, PAGE + 1), at(fd, 2 * PAGE + 99));
    fstat(fd, &status);
    printf("size is kept: %ld\n", (long)status.st_size);
    reader = open("/data", O_RDONLY);
    map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, reader, 0);
    printf("read-only file: %s\n", map == MAP_FAILED ? strerror(errno) : "?");
    map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    map[5] = 'p';
    printf("private: %c\n", at(fd, 5));
    unlink("/data");
    return 0;
}
