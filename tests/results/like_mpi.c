/*
 * The default region of MPI programs is found by two functions' names. These
 * stand for MPI's, which take long before their return and after their call.
 */
#define APART __attribute__((noinline))

static volatile int sum;

static void work(int rounds)
{
    for (int i = 0; i < rounds; i++)
        sum += i;
}

APART int MPI_Init(int *argc, char ***argv);
APART int MPI_Finalize(void);

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    work(100000);
    return sum == 1;
}

int MPI_Finalize(void)
{
    work(100000);
    return sum == 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    work(5000);
    return MPI_Finalize();
}
