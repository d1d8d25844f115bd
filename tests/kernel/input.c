// Standard input comes line by line, bytes unchanged, and ends.
// run: -n 1 --tag none
// also-slow: --kernel l4
// stdin: first line
// stdin: 	tab and	back\slash
// stdin: last
// expect-stdout:
// read 11: first line
// 19 bytes behind it
// word: last
// end: 0 0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[64] = "", word[16] = "";
    int length = (int)read(0, text, sizeof(text));

    printf("read %d: %.*s", length, length, text);
    fgets(text, sizeof(text), stdin);
    printf("%d bytes behind it\n", (int)strlen(text));
    scanf("%15s", word);
    getchar();
    printf("word: %s\n", word);
    length = (int)read(0, text, 1);
    printf("end: %d %d\n", length, (int)read(0, text, 1));
    return 0;
}
