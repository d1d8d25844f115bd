// Attributes, names, info, error handlers, error classes of its own. run: -n 2
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int freed, called;

static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    freed++;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    called++;
}

int main(int argc, char **argv)
{
    int rank, key, flag, wrong = 0, *top, length, value = 5, *found, class;
    char name[MPI_MAX_OBJECT_NAME], text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &top, &flag);
    wrong += !flag || *top < 32767;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, forget, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_attr(comm, key, &found, &flag);
    wrong += !flag || *found != 5;
    MPI_Comm_set_name(comm, "mine");
    MPI_Comm_get_name(comm, name, &length);
    wrong += strcmp(name, "mine") != 0;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Send(&value, -1, MPI_INT, 0, 0, comm);
    wrong += called != 1;
    MPI_Comm_free(&comm);
    wrong += freed != 1;
    MPI_Add_error_class(&class);
    MPI_Add_error_string(class, "too warm");
    MPI_Error_string(class, text, &length);
    wrong += strcmp(text, "too warm") != 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get(info, "key", 99, name, &flag);
    wrong += !flag || strcmp(name, "value") != 0;
    MPI_Info_free(&info);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("attributes: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
