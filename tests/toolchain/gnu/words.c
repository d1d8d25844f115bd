/* wordexp(): quotes, variables, a home, names of files, errors. */
#include <stdio.h>
#include <stdlib.h>
#include <wordexp.h>

static const char *const texts[] = {
    "a $V \"$V\" 'q q' ${U:-def}",
    "${V}x",
    "x$V y",
    "\"\"",
    "$E",
    "a\\ b",
    "~/x ~",
    "\"~\"",
    "${E:+set}",
    "${V:+set it}",
    "${E-no}",
    "${E:-yes}",
    "${N:=new} $N",
    "$",
    "a$",
    "\"\\$V\"",
    "a|b",
    "(x)",
    "`ls`",
    "$(ls)",
    "\"un",
    "'un",
    "${",
    "one.[ch]",
    "'one.[ch]'",
    "one.\\[c]",
    "*.c",
    "nothing*",
    "  lead  ",
    "$U",
    "$U a",
    "a=$V",
    "",
};

int main(void)
{
    wordexp_t words = {.we_offs = 2};
    const char *const names[] = {"one.c", "two.c"};

    for (int i = 0; i < 2; i++)
        fclose(fopen(names[i], "w"));
    setenv("V", "val ue", 1);
    setenv("E", "", 1);
    setenv("HOME", "/home", 1);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        wordexp_t made = {0};
        int error = wordexp(texts[i], &made, WRDE_NOCMD);

        printf("%s: %d", texts[i], error);
        for (size_t word = 0; !error && word < made.we_wordc; word++)
            printf(" [%s]", made.we_wordv[word]);
        puts("");
        if (!error)
            wordfree(&made);
    }
    printf("%d ", wordexp("a b", &words, WRDE_DOOFFS));
    printf("%d ", wordexp("c", &words, WRDE_DOOFFS | WRDE_APPEND));
    printf("%d %s %s %d\n", words.we_wordv[1] == NULL, words.we_wordv[2],
           words.we_wordv[4], words.we_wordv[5] == NULL);
    printf("%d ", wordexp("d", &words, WRDE_DOOFFS | WRDE_REUSE));
    printf("%zu %s\n", words.we_wordc, words.we_wordv[2]);
    wordfree(&words);
    printf("%d\n", wordexp("$U", &words, WRDE_UNDEF));
    return 0;
}
