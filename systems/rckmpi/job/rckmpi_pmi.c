/*
 * rckmpi_pmi.c: the process manager's interface (PMI 1) that MPICH asks for
 * ranks. The kernel knows who they are; nobody has to exchange anything, for
 * the channel finds its peers by their rank.
 */
#include "rckmpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PMI_SUCCESS 0
#define PMI_FAIL (-1)
#define LONGEST 256

/* What PMI's own header calls PMI_keyval_t. */
struct keyval {
    const char *key;
    char *value;
};

int PMI_Init(int *spawned);
int PMI_Initialized(int *initialized);
int PMI_Finalize(void);
int PMI_Get_size(int *size);
int PMI_Get_rank(int *rank);
int PMI_Get_universe_size(int *size);
int PMI_Get_appnum(int *appnum);
int PMI_Barrier(void);
int PMI_Abort(int code, const char words[]);
int PMI_KVS_Get_my_name(char name[], int length);
int PMI_KVS_Get_name_length_max(int *length);
int PMI_KVS_Get_key_length_max(int *length);
int PMI_KVS_Get_value_length_max(int *length);
int PMI_KVS_Put(const char space[], const char key[], const char value[]);
int PMI_KVS_Commit(const char space[]);
int PMI_KVS_Get(const char space[], const char key[], char value[], int length);
int PMI_Publish_name(const char service[], const char port[]);
int PMI_Unpublish_name(const char service[]);
int PMI_Lookup_name(const char service[], char port[]);
int PMI_Spawn_multiple(int count, const char *programs[], const char **argv[],
                       const int processes[], const int info_sizes[],
                       const struct keyval *infos[], int given,
                       const struct keyval *values, int errors[]);

static int my_rank, ranks;

/* MPICH prepares 16384 one-sided operations and as many targets before it
 * knows whether there will be any: 5 MB, which takes a core 0.1 s to touch.
 * A variable that is set stays as it is. */
__attribute__((constructor)) static void be_modest(void)
{
    setenv("MPIR_CVAR_CH3_RMA_OP_GLOBAL_POOL_SIZE", "256", 0);
    setenv("MPIR_CVAR_CH3_RMA_TARGET_GLOBAL_POOL_SIZE", "256", 0);
}

int PMI_Init(int *spawned)
{
    char port[LONGEST];

    if (rckmpi_job(&my_rank, &ranks) == 0) {
        *spawned = rckmpi_parent_port(port, sizeof port);
        return PMI_SUCCESS;
    }
    fprintf(stderr, "rckmpi: the launcher does not say what ranks there are\n"
                    "hint: start it with rck mpirun -n N or rck run -n N, on "
                    "cores 0 to 47\n");
    exit(64);
}

int PMI_Initialized(int *initialized)
{
    *initialized = ranks > 0;
    return PMI_SUCCESS;
}

int PMI_Finalize(void)
{
    rckmpi_leave();
    return PMI_SUCCESS;
}

int PMI_Get_size(int *size)
{
    *size = ranks;
    return PMI_SUCCESS;
}

int PMI_Get_rank(int *rank)
{
    *rank = my_rank;
    return PMI_SUCCESS;
}

int PMI_Get_universe_size(int *size)
{
    *size = rckmpi_universe_size();
    return PMI_SUCCESS;
}

int PMI_Get_appnum(int *appnum)
{
    *appnum = rckmpi_program_number();
    return PMI_SUCCESS;
}

/* Between put and get of what all know already there is nothing to wait for. */
int PMI_Barrier(void)
{
    return PMI_SUCCESS;
}

int PMI_Abort(int code, const char words[])
{
    fflush(stdout);
    fprintf(stderr, "rckmpi: rank %d (core %d) ends the job with code %d: %s\n",
            my_rank, rckmpi_core(my_rank), code, words ? words : "");
    rckmpi_abort(code);
}

int PMI_KVS_Get_my_name(char name[], int length)
{
    int written =
        snprintf(name, (size_t)length, "rckmpi-%d", rckmpi_job_number());

    return written < length ? PMI_SUCCESS : PMI_FAIL;
}

int PMI_KVS_Get_name_length_max(int *length)
{
    *length = LONGEST;
    return PMI_SUCCESS;
}

int PMI_KVS_Get_key_length_max(int *length)
{
    *length = LONGEST;
    return PMI_SUCCESS;
}

int PMI_KVS_Get_value_length_max(int *length)
{
    *length = LONGEST;
    return PMI_SUCCESS;
}

int PMI_KVS_Put(const char space[], const char key[], const char value[])
{
    (void)space;
    (void)key;
    (void)value;
    return PMI_SUCCESS;
}

int PMI_KVS_Commit(const char space[])
{
    (void)space;
    return PMI_SUCCESS;
}

/* Each rank is a node of its own: cores share no coherent memory. What finds
 * a rank is its core. */
int PMI_KVS_Get(const char space[], const char key[], char value[], int length)
{
    size_t room = (size_t)length;
    int rank;

    (void)space;
    if (strcmp(key, "PARENT_ROOT_PORT_NAME") == 0)
        return rckmpi_parent_port(value, room) ? PMI_SUCCESS : PMI_FAIL;
    if (strcmp(key, "PMI_process_mapping") == 0)
        snprintf(value, room, "(vector,(0,%d,1))", ranks);
    else if (sscanf(key, "P%d-businesscard", &rank) == 1)
        snprintf(value, room, "core#%d$", rckmpi_core(rank));
    else
        return PMI_FAIL;
    return PMI_SUCCESS;
}

int PMI_Publish_name(const char service[], const char port[])
{
    return rckmpi_publish(service, port) ? PMI_SUCCESS : PMI_FAIL;
}

int PMI_Unpublish_name(const char service[])
{
    return rckmpi_unpublish(service) ? PMI_SUCCESS : PMI_FAIL;
}

int PMI_Lookup_name(const char service[], char port[])
{
    return rckmpi_find_name(service, port) ? PMI_SUCCESS : PMI_FAIL;
}

static const char *value_of(const char *key, const struct keyval *values,
                            int count)
{
    for (int n = 0; values && n < count; n++)
        if (strcmp(values[n].key, key) == 0)
            return values[n].value;
    return NULL;
}

int PMI_Spawn_multiple(int count, const char *programs[], const char **argv[],
                       const int processes[], const int info_sizes[],
                       const struct keyval *infos[], int given,
                       const struct keyval *values, int errors[])
{
    struct rckmpi_program list[count];
    const char *port;
    int at = 0;

    port = value_of("PARENT_ROOT_PORT_NAME", values, given);
    for (int n = 0; n < count; n++)
        list[n] = (struct rckmpi_program){
            programs[n], argv ? argv[n] : NULL, processes[n],
            value_of("wdir", infos ? infos[n] : NULL, info_sizes[n])};
    int code =
        rckmpi_start(list, count, port ? port : "") ? PMI_SUCCESS : PMI_FAIL;
    for (int n = 0; n < count; n++)
        for (int i = 0; i < processes[n]; i++)
            errors[at++] = code;
    return code;
}
