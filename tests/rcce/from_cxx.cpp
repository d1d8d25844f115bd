// RCCE.h in a C++ program, basic interface.
// run: -n 3 --tag none
// cc: -lrcce
// expect-stdout:
// 0+1+2=3
#include "RCCE.h"

#include <iostream>
#include <string>
#include <vector>

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv) != RCCE_SUCCESS)
        return 1;
    std::vector<int> rank(1, RCCE_ue()), sum(1);
    RCCE_allreduce(reinterpret_cast<char *>(rank.data()),
                   reinterpret_cast<char *>(sum.data()), 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    std::string text;
    for (int ue = 0; ue < RCCE_num_ues(); ue++)
        text += (ue ? "+" : "") + std::to_string(ue);
    if (RCCE_ue() == 0)
        std::cout << text << '=' << sum[0] << std::endl;
    return RCCE_finalize();
}
