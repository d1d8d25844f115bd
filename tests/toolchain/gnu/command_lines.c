/* Command lines for argp_parse(): options of a parser, two children, help and errors. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
const char *argp_program_version = "argp1 1.0";
const char *argp_program_bug_address = "<bug@example.org>";
static char doc[] =
    "Argp example -- a program of many options, whose text is long enough to "
    "wrap at the end of a line of help\vBehind the options stands this part, "
    "which wraps where it has to, and where its writer\n<-- ends a line.";
static char args_doc[] = "ARG1 [STRING...]\n--list";
static struct argp_option options[] = {
    {"verbose", 'v', 0, 0, "Produce verbose output", 0},
    {"quiet", 'q', 0, 0, "Don't produce any output", 0},
    {"silent", 's', 0, OPTION_ALIAS, 0, 0},
    {"output", 'o', "FILE", 0, "Output to FILE instead of standard output", 0},
    {0, 0, 0, 0, "The following options should be grouped together:", 0},
    {"repeat", 'r', "COUNT", OPTION_ARG_OPTIONAL,
     "Repeat the output COUNT (default 10) times", 0},
    {"abort", 1000, 0, 0, "Abort before showing any output", 0},
    {"a-very-long-option-name-of-many-words", 1001, "VALUE", 0,
     "Something else that wraps to the next line because it has so many words",
     0},
    {"hidden", 1002, 0, OPTION_HIDDEN, "nobody sees it", 0},
    {"level", 'l', "N", OPTION_NO_USAGE, "Level", 7},
    {0, 'x', 0, 0, "Short alone", 7},
    {0, 'y', "Y", 0, "Short with an argument", 7},
    {0, 'z', "Z", OPTION_ARG_OPTIONAL, "Short with an optional argument", 7},
    {"FOO", 0, 0, OPTION_DOC, "Documentation of FOO", 7},
    {"upper", 'U', 0, 0, "big", 3},
    {"under", 'u', 0, 0, "small", 3},
    {"last", 1003, 0, 0, 0, -2},
    {0, 0, 0, 0, 0, 0}};
static struct argp_option child_options[] = {
    {"colour", 'c', "WHEN", 0, "When to colour", 0},
    {"shade", 'd', 0, 0, "Shade", 2},
    {0, 0, 0, 0, 0, 0}};
static error_t child_parse(int key, char *arg, struct argp_state *s)
{
    switch (key) {
    case 'c':
    case 'd':
        printf("child %c %s input %s\n", key, arg ? arg : "-",
               (char *)s->input);
        return 0;
    case ARGP_KEY_INIT:
    case ARGP_KEY_END:
    case ARGP_KEY_SUCCESS:
    case ARGP_KEY_FINI:
    case ARGP_KEY_ERROR:
    case ARGP_KEY_NO_ARGS:
        printf("child key %x\n", key);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
static struct argp child = {
    child_options, child_parse, "CHILD", "child doc\vchild post", 0, 0, 0};
static struct argp_option third_options[] = {{"third", '3', 0, 0, "Third", 0},
                                             {0, 0, 0, 0, 0, 0}};
static error_t third_parse(int key, char *arg, struct argp_state *s)
{
    (void)arg;
    (void)s;
    if (key == '3') {
        puts("third");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}
static struct argp third = {third_options, third_parse, 0, 0, 0, 0, 0};
static struct argp_child children[] = {
    {&child, 0, "Options of the child:", 4}, {&third, 0, 0, 0}, {0, 0, 0, 0}};
static error_t parse(int key, char *arg, struct argp_state *s)
{
    switch (key) {
    case ARGP_KEY_INIT:
        s->child_inputs[0] = "given";
        s->err_stream = stdout;
        return 0;
    case ARGP_KEY_ARG:
        if (s->arg_num >= 3)
            argp_usage(s);
        printf("arg %u %s quoted %d next %d\n", s->arg_num, arg, s->quoted,
               s->next);
        if (!strcmp(arg, "rest")) {
            printf("stop at %d of %d: %s\n", s->next, s->argc,
                   s->argv[s->next] ? s->argv[s->next] : "-");
            s->next = s->argc;
        }
        if (!strcmp(arg, "bad"))
            argp_error(s, "bad argument %d", 7);
        if (!strcmp(arg, "fail"))
            argp_failure(s, 3, 2, "failed %d", 7);
        return !strcmp(arg, "unknown") ? ARGP_ERR_UNKNOWN : 0;
    case ARGP_KEY_NO_ARGS:
        puts("no args");
        return 0;
    case ARGP_KEY_END:
        printf("end %u\n", s->arg_num);
        return 0;
    case ARGP_KEY_SUCCESS:
        puts("success");
        return 0;
    case ARGP_KEY_FINI:
        puts("fini");
        return 0;
    case ARGP_KEY_ERROR:
        puts("error");
        return 0;
    case 'v':
    case 'q':
    case 's':
    case 'o':
    case 'r':
    case 1000:
    case 1001:
    case 1002:
    case 'l':
    case 'x':
    case 'y':
    case 'z':
    case 'U':
    case 'u':
    case 1003:
        printf("option %d %s next %d\n", key, arg ? arg : "-", s->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
static void line(const char *text, unsigned flags, int *end)
{
    char words[100], *v[20] = {"dir/prog"};
    int c = 1, e;
    static struct argp argp = {options, parse, args_doc, doc, children, 0, 0};
    strcpy(words, text);
    for (char *w = strtok(words, " "); w; w = strtok(0, " "))
        v[c++] = w;
    printf("== %x %s\n", flags, text);
    e = argp_parse(&argp, c, v, flags | ARGP_NO_EXIT, end, 0);
    printf("result %d end %d", e, end ? *end : -1);
    for (int i = 0; i < c; i++)
        printf(" %s", v[i]);
    puts("");
}
int main(void)
{
    static const char *const lines[] = {"--help",
                                        "--usage",
                                        "-?",
                                        "-V",
                                        "a b c",
                                        "a -v b -o f c",
                                        "-vqo f x",
                                        "-of -r5 -r 6 --repeat=7 --repeat 8",
                                        "--u",
                                        "--un",
                                        "--out",
                                        "--out=3 -o",
                                        "--quiet=3",
                                        "--nope",
                                        "-vk a",
                                        "a b c d e",
                                        "rest -v x",
                                        "bad",
                                        "fail",
                                        "a unknown",
                                        "a -- -v b",
                                        "- a -",
                                        "-c always -d -3",
                                        "a b -v -- rest -q",
                                        "--FOO",
                                        ""};
    static const char *const fewer[] = {
        "a -v b -o f c",  "--nope",      "-output=3 -verbose -o3",
        "a b unknown -v", "a b -- c -v", "-q-"};
    static const unsigned flags[] = {0x01, 0x04, 0x08, 0x10, 0x40};
    int end = 0;
    dup2(1, 2);
    setvbuf(stdout, 0, _IONBF, 0);
    for (unsigned n = 0; n < sizeof lines / sizeof *lines; n++)
        line(lines[n], 0, 0);
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned n = 0; n < sizeof fewer / sizeof *fewer; n++)
            line(fewer[n], flags[f], 0);
    line("a unknown b -v", 0, &end);
    line("-v a b", ARGP_NO_ARGS, &end);
    return 0;
}
