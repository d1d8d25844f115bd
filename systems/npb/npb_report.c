#include "npb.h"
#include "RCCE.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool npb_is_close(double ours, double official, double epsilon)
{
    return fabs((ours - official) / official) <= epsilon;
}

int npb_first(int count, int cores, int me)
{
    int rest = count % cores;

    return count / cores * me + (me < rest ? me : rest);
}

char npb_class(int argc, char **argv, const char *classes)
{
    const char *word = argc > 1 ? argv[1] : "S";

    if (word[0] && !word[1] && strchr(classes, word[0]))
        return word[0];
    if (RCCE_ue() == 0)
        fprintf(stderr, "%s: no class \"%s\": one of %s\n", argv[0], word,
                classes);
    return 0;
}

int npb_report(const char *name, char class, double operations, double seconds,
               bool verified)
{
    int cores = RCCE_num_ues();
    double rate = operations / seconds / 1e6;

    if (RCCE_ue() == 0)
        printf("%s class %c on %d cores: verification %s\n"
               "%.3f s, %.2f Mop/s, %.2f a core\n",
               name, class, cores, verified ? "successful" : "FAILED", seconds,
               rate, rate / cores);
    return verified ? 0 : 1;
}
