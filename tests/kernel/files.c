// Files and directories of the shared folder.
// run: -n 1 --tag none
// also: --kernel l4
// share: yes
// expect-stdout:
// written 200000 bytes, read back: same
// at 100000: 202 202
// appended: 200003, ends with end
// exclusive: File exists
// truncated: 10
// extended: 20, last byte 0
// directory: a b c
// not empty: Directory not empty
// renamed: old gone, new 10 bytes
// link: target d/b.txt, 1 byte behind it
// loop: Symbolic link loop
// exclusive through a link: File exists
// through a link to nothing: 4 bytes at its end
// to no directory: No such file or directory
// through a file: Not a directory
// read a directory: Is a directory
// above the root: still the share
// working directory: /d, sees a: yes
// mode: 600
// pread does not move: 0
// vectors: 5 hello
// mapped copy: abc
// stdio: 3.250000 line two
// all removed: yes
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIZE 200000

static char out[SIZE], in[SIZE];

static long size_of(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 ? (long)status.st_size : -1;
}

static void put(const char *name, const char *text)
{
    int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);

    write(fd, text, strlen(text));
    close(fd);
}

static void large(void)
{
    int fd = open("/large", O_CREAT | O_RDWR | O_EXCL, 0644);
    char byte;

    for (int n = 0; n < SIZE; n++)
        out[n] = (char)(n % 251 + n / 1000);
    write(fd, out, SIZE);
    lseek(fd, 0, SEEK_SET);
    printf("written %d bytes, read back: %s\n", SIZE,
           read(fd, in, SIZE) == SIZE && memcmp(in, out, SIZE) == 0
               ? "same"
               : "different");
    pread(fd, &byte, 1, 100000);
    printf("at 100000: %d %d\n", (unsigned char)byte,
           (unsigned char)out[100000]);
    close(fd);
    fd = open("large", O_WRONLY | O_APPEND);
    write(fd, "end", 3);
    close(fd);
    fd = open("large", O_RDONLY);
    lseek(fd, -3, SEEK_END);
    memset(in, 0, 4);
    read(fd, in, 3);
    close(fd);
    printf("appended: %ld, ends with %s\n", size_of("large"), in);
    fd = open("/large", O_CREAT | O_RDWR | O_EXCL, 0644);
    printf("exclusive: %s\n", fd < 0 ? strerror(errno) : "opened");
    truncate("large", 10);
    printf("truncated: %ld\n", size_of("large"));
    fd = open("large", O_RDWR);
    ftruncate(fd, 20);
    pread(fd, &byte, 1, 19);
    printf("extended: %ld, last byte %d\n", size_of("large"), byte);
    ftruncate(fd, 10);
    close(fd);
}

static void names(void)
{
    struct dirent **entries;
    int count;

    mkdir("d", 0755);
    put("d/c", "");
    put("d/a", "");
    mkdir("d/b", 0755);
    count = scandir("d", &entries, NULL, alphasort);
    printf("directory:");
    for (int n = 0; n < count; n++)
        if (entries[n]->d_name[0] != '.')
            printf(" %s", entries[n]->d_name);
    printf("\n");
    printf("not empty: %s\n", rmdir("d") < 0 ? strerror(errno) : "removed");
    rename("large", "d/small");
    printf("renamed: old %s, new %ld bytes\n",
           size_of("large") < 0 ? "gone" : "there", size_of("d/small"));
}

static void links(void)
{
    char target[64] = "";
    int fd;

    put("d/b.txt", "x");
    symlink("d/b.txt", "link");
    readlink("link", target, sizeof(target));
    printf("link: target %s, %ld byte behind it\n", target, size_of("link"));
    symlink("loop", "loop");
    fd = open("loop", O_RDONLY);
    printf("loop: %s\n", fd < 0 ? strerror(errno) : "opened");
    symlink("d/new.txt", "ahead");
    symlink("gone/new.txt", "astray");
    fd = open("ahead", O_CREAT | O_EXCL | O_WRONLY, 0600);
    printf("exclusive through a link: %s\n",
           fd < 0 ? strerror(errno) : "opened");
    put("ahead", "made");
    printf("through a link to nothing: %ld bytes at its end\n",
           size_of("d/new.txt"));
    fd = open("astray", O_CREAT | O_WRONLY, 0600);
    printf("to no directory: %s\n", fd < 0 ? strerror(errno) : "opened");
    unlink("ahead");
    unlink("astray");
    unlink("d/new.txt");
    fd = open("d/b.txt/x", O_RDONLY);
    printf("through a file: %s\n", fd < 0 ? strerror(errno) : "opened");
    fd = open("d", O_RDONLY);
    printf("read a directory: %s\n",
           read(fd, target, 1) < 0 ? strerror(errno) : "read");
    close(fd);
    printf("above the root: %s\n",
           size_of("../../d/b.txt") == 1 ? "still the share" : "elsewhere");
}

static void details(void)
{
    struct iovec parts[2] = {{"hel", 3}, {"lo", 2}};
    struct stat status;
    char cwd[64];
    char *mapped;
    int fd;

    chdir("d");
    printf("working directory: %s, sees a: %s\n", getcwd(cwd, sizeof(cwd)),
           access("a", R_OK) == 0 ? "yes" : "no");
    chdir("/");
    chmod("d/a", 0600);
    stat("d/a", &status);
    printf("mode: %o\n", status.st_mode & 0777);
    fd = open("d/a", O_RDWR);
    pwrite(fd, "abc", 3, 0);
    printf("pread does not move: %d\n", (int)lseek(fd, 0, SEEK_CUR));
    mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    fd = open("d/c", O_RDWR);
    printf("vectors: %d ", (int)writev(fd, parts, 2));
    memset(in, 0, 8);
    pread(fd, in, 8, 0);
    printf("%s\n", in);
    close(fd);
    printf("mapped copy: %s\n", mapped);
}

static void standard_io(void)
{
    FILE *file = fopen("text", "w");
    double number = 0;
    char word[2][16] = {"", ""};

    fprintf(file, "%.3f\nline two\n", 3.25);
    fclose(file);
    file = fopen("text", "r");
    fscanf(file, "%lf %15s %15s", &number, word[0], word[1]);
    fclose(file);
    printf("stdio: %f %s %s\n", number, word[0], word[1]);
}

int main(void)
{
    int left;

    large();
    names();
    links();
    details();
    standard_io();
    left = unlink("text") | unlink("link") | unlink("loop") |
           unlink("d/b.txt") | unlink("d/a") | unlink("d/c") |
           unlink("d/small") | rmdir("d/b") | rmdir("d");
    printf("all removed: %s\n", left == 0 ? "yes" : "no");
    return 0;
}
