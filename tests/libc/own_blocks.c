// What functions of the library allocate, the program frees.
// cc: -O1 -D_GNU_SOURCE
// run: -n 1 --check memory
// expect-stderr: check: no findings
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void take(void *block)
{
    if (!block)
        exit(1);
    free(block);
}

int main(void)
{
    char *text = NULL, *line = NULL;
    size_t size = 0;
    void *aligned;
    FILE *file = open_memstream(&text, &size);

    fprintf(file, "%s\n", "one line");
    fclose(file);
    file = fmemopen(text, size, "r");
    size = 0;
    if (getline(&line, &size, file) != 9)
        return 2;
    fclose(file);
    take(line);
    take(text);
    take(strdup("text"));
    take(strndup("text", 2));
    take(wcsdup(L"text"));
    take(getcwd(NULL, 0));
    take(realpath("/", NULL));
    if (asprintf(&text, "%d", 5) != 1 || posix_memalign(&aligned, 64, 100))
        return 3;
    take(text);
    take(aligned);
    take(aligned_alloc(32, 64));
    take(memalign(256, 10));
    take(valloc(10));
    take(reallocarray(calloc(3, 5), 20, 20));
    take(realloc(malloc(10), 100000));
    take(realloc(malloc(100000), 10));
    return 0;
}
