// mncp_starts.c - how often and how fast the MNCP solver ends at a solution, from random starts.
#define ECP_TEST_OWN_SETUP
#include "problems.h"

#include <stdlib.h>

#define STARTS 200

void setUp(void) {}
void tearDown(void) {}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    static ecp_real work[ECP_MNCP_WORK_REALS(PROBLEM_MAX)];
    int perm[PROBLEM_MAX], failures = 0;
    printf("%-18s %6s %8s %8s   iterations min/median/max\n", "problem", "solved", "1st try",
           "distance");
    for (int k = 0; k < PROBLEMS; k++) {
        const problem *p = &problems[k];
        const ecp_mncp_problem mncp = problem_mncp(p);
        test_random r = test_seed(1000u + (uint64_t)k);
        int iterations[STARTS], solved = 0, first = 0;
        double distance = 0.0;
        for (int i = 0; i < STARTS; i++) {
            ecp_real z[PROBLEM_MAX];
            ecp_mncp_info info;
            test_fill(&r, z, p->n, 0, 10);
            if (ecp_mncp_solve(&mncp, NULL, z, work, perm, &info) == ECP_OK) {
                iterations[solved++] = info.iterations;
                first += info.rungs == 1;
                distance = p->complete ? fmax(distance, problem_distance(p, z)) : distance;
            }
        }
        failures += STARTS - solved;
        qsort(iterations, (size_t)solved, sizeof iterations[0], by_size);
        printf("%-18s %6.3f %8.3f %8.1e   %d/%d/%d\n", p->name, solved / (double)STARTS,
               first / (double)STARTS, distance, solved ? iterations[0] : 0,
               solved ? iterations[solved / 2] : 0, solved ? iterations[solved - 1] : 0);
    }
    printf("%d of %d starts not solved\n", failures, STARTS * PROBLEMS);
    return failures != 0;
}
