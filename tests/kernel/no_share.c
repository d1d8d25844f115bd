// A file of the host is asked for, and no folder is shared: one rank says what to do, once.
// run: -n 2 --tag none
// also-slow: --kernel l4
// expect-stdout:
// results.txt: No such file or directory
// input.txt: No such file or directory
// results.txt: No such file or directory
// input.txt: No such file or directory
// expect-stderr: (?s)\A(?!.*(core 1:|no input|no /etc)).*core 0: no results.txt: programs see no file of the host unless a folder is shared
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void try(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);

    if (file)
        fclose(file);
    else if (name[0] != '/')
        printf("%s: %s\n", name, strerror(errno));
}

int main(void)
{
    try("/etc/settings", "r"); /* of a library: not worth a word */
    try("results.txt", "w");
    try("input.txt", "r");
    return 0;
}
