/* argz and envz, and small functions beside them. */
#define _GNU_SOURCE
#include <argz.h>
#include <envz.h>
#include <fstab.h>
#include <math.h>
#include <mcheck.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *what, char *argz, size_t length)
{
    printf("%s %zu:", what, argz_count(argz, length));
    for (char *at = NULL; (at = argz_next(argz, length, at));)
        printf(" <%s>", at);
    puts("");
}

int main(void)
{
    char *words[] = {"one", "two", "", "four", NULL}, *all, *other, *list[20];
    size_t length, size;
    unsigned count = 0;

    argz_create(words, &all, &length);
    show("create", all, length);
    argz_create_sep(":a::b:c:", ':', &other, &size);
    show("sep", other, size);
    argz_append(&all, &length, other, size);
    show("append", all, length);
    argz_add_sep(&all, &length, "x,y", ',');
    show("add_sep", all, length);
    argz_insert(&all, &length, all, "first");
    show("insert", all, length);
    printf("%d\n", argz_insert(&all, &length, all + length, "no"));
    argz_delete(&all, &length, argz_next(all, length, all));
    show("delete", all, length);
    argz_replace(&all, &length, "o", "00", &count);
    show("replace", all, length);
    argz_extract(all, length, list);
    printf("%u %s %s\n", count, list[0], list[1]);
    argz_stringify(all, length, '+');
    puts(all);
    all = NULL;
    length = 0;
    envz_add(&all, &length, "A", "1");
    envz_add(&all, &length, "B", NULL);
    envz_add(&all, &length, "AB", "2");
    envz_add(&all, &length, "A", "3");
    show("env", all, length);
    printf("%s %d\n", envz_get(all, length, "A"),
           envz_get(all, length, "B") == NULL);
    other = NULL;
    size = 0;
    envz_add(&other, &size, "A", "9");
    envz_add(&other, &size, "C", "9");
    envz_merge(&all, &length, other, size, 0);
    show("merge", all, length);
    envz_merge(&all, &length, other, size, 1);
    show("merge", all, length);
    envz_strip(&all, &length);
    envz_remove(&all, &length, "AB");
    show("strip", all, length);
    mtrace();
    muntrace();
    printf("%d %g\n", mprobe(all), gamma(4.5));
    return 0;
}
