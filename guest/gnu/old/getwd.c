/*
 * getwd.c: the working folder, into an array of PATH_MAX bytes.
 */
#include <limits.h>
#include <unistd.h>

char *getwd(char *path);

char *getwd(char *path)
{
    return getcwd(path, PATH_MAX);
}
