#include "npb.h"
#include "RCCE.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

int npb_iterations(int argc, char **argv, int all)
{
    char *end = "";
    long count = argc > 2 ? strtol(argv[2], &end, 10) : all;

    if (!*end && count >= 1 && count <= all)
        return (int)count;
    if (RCCE_ue() == 0)
        fprintf(stderr, "%s: no number of iterations \"%s\": from 1 to %d\n",
                argv[0], argv[2], all);
    return 0;
}

int npb_refuse(const char *program, const char *wrong)
{
    if (wrong && RCCE_ue() == 0)
        fprintf(stderr, "%s: on %d cores: %s\n", program, RCCE_num_ues(),
                wrong);
    return 64;
}

static void print_speed(double operations, double seconds)
{
    double rate = operations / seconds / 1e6;

    printf("%.3f s, %.2f Mop/s, %.2f a core\n", seconds, rate,
           rate / RCCE_num_ues());
}

int npb_report(const char *name, char class, double operations, double seconds,
               bool verified)
{
    if (RCCE_ue() == 0) {
        printf("%s class %c on %d cores: verification %s\n", name, class,
               RCCE_num_ues(), verified ? "successful" : "FAILED");
        print_speed(operations, seconds);
    }
    return verified ? 0 : 1;
}

int npb_report_iterations(const char *name, char class, int count, int all,
                          double operations, double seconds, bool verified,
                          double residual)
{
    if (count == all)
        return npb_report(name, class, operations, seconds, verified);
    if (RCCE_ue() == 0) {
        printf("%s class %c on %d cores: %d of %d iterations, residual "
               "%.8e\n",
               name, class, RCCE_num_ues(), count, all, residual);
        print_speed(operations, seconds);
    }
    return 0;
}
