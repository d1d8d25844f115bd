// OpenMP's directives over the other models.
// cc: -O2 -fopenmp -I${system}/tests
// run: -n 5 --tag none --threads-model lazy
// also-slow: --threads-model strong
// slow: yes
// expect-match: ^schedules 499500 499500 499500 499500 499500 499500 499500 499500$
// expect-match: ^reductions 4950 99 4 3628800$
// expect-match: ^tasks 5 55 6765 loop 4950 group 10 depends 128$
#include <openmp.c>
