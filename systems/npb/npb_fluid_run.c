/* npb_fluid_run.c: what BT and LU do around their iterations. */
#include "RCCE.h"
#include "npb.h"
#include "npb_fluid.h"

/* Also the residual of the energy. */
static bool verify(const struct npb_fluid_program *it,
                   const struct npb_fluid_class *class, double *energy)
{
    npb_point residual, error;
    bool right =
        !it->surface || npb_is_close(it->surface(), class->surface, 1e-8);

    it->residual(residual);
    it->error(error);
    for (int m = 0; m < 5; m++)
        right = npb_is_close(residual[m], class->residual[m], 1e-8) &&
                npb_is_close(error[m], class->error[m], 1e-8) && right;
    *energy = residual[4];
    return right;
}

/* Seconds. One iteration goes before without being timed, as the benchmark
 * does. */
static double measure(const struct npb_fluid_program *it, int iterations)
{
    it->set_forcing();
    it->start();
    it->iterate();
    it->start();
    RCCE_barrier(&RCCE_COMM_WORLD);
    double begun = RCCE_wtime();
    for (int i = 0; i < iterations; i++)
        it->iterate();
    return RCCE_wtime() - begun;
}

int npb_fluid_run(const struct npb_fluid_program *it, int argc, char **argv)
{
    const struct npb_fluid_class *class = it->classes;

    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWAB");
    if (!name)
        return 64;
    while (class->name != name)
        class++;
    int iterations = npb_iterations(argc, argv, class->iterations);
    const char *wrong = it->split(class->points, RCCE_num_ues(), RCCE_ue());
    if (iterations == 0 || wrong)
        return npb_refuse(argv[0], wrong);
    *it->step = class->step;
    if (!it->allocate())
        return npb_refuse(argv[0], "a core has not enough memory");
    double seconds = measure(it, iterations), residual;
    bool right = verify(it, class, &residual);
    int code = npb_report_iterations(
        it->name, name, iterations, class->iterations,
        it->operations(class->points, iterations), seconds, right, residual);
    RCCE_finalize();
    return code;
}
