// A rank that is alone has nobody to look at, in any channel.
// cc: -O2 -lrckmpi -lrcce
// run: -n 1
// expect-stdout:
// original: nobody
// improved: nobody
// bells: nobody
#include <stdio.h>

#include "rckmpi.h"

int main(void)
{
    static const char *const names[] = {"original", "improved", "bells"};

    for (int n = 0; n < 3; n++) {
        rckmpi_open(names[n]);
        rckmpi_round();
        printf("%s: %s\n", rckmpi_channel(),
               rckmpi_next(0) == RCKMPI_MOST_RANKS ? "nobody" : "somebody");
    }
    return 0;
}
