// cc: -O2 -Dmain=console -I${system}/kernel/devices
// run: -n 1
// expect-stdout:
// [ls]
// [./prog] [-a] [two words] [it's] []
// [x=$HOME;y] [a"b]
/* words.c: the words of a line of the console, as shlex.join writes them. */
#include "../root/console.c"
#undef main

static void show(const char *text)
{
    static char line[LINE];
    char **words;

    strcpy(line, text);
    words = split(line);
    for (int n = 0; words[n]; n++)
        printf("%s[%s]", n ? " " : "", words[n]);
    printf("\n");
}

int main(void)
{
    show("ls");
    show("./prog -a 'two words' 'it'\"'\"'s' ''");
    show("'x=$HOME;y' 'a\"b'");
    return 0;
}
