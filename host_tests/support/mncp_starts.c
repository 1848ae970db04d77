// mncp_starts.c - how often and how fast the MNCP solver ends at a solution: iterations from five
// starts per problem, and the fraction solved from 200 random ones.
#define ECP_TEST_OWN_SETUP
#include "problems.h"

#include <stdlib.h>

#define STARTS 200
#define FIVE 5

void setUp(void) {}
void tearDown(void) {}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static ecp_real work[ECP_MNCP_WORK_REALS(PROBLEM_MAX)];
static int perm[PROBLEM_MAX];

// zeros, ones, then three random in [0, 10]
static int five_starts(const problem *p, test_random *r)
{
    const ecp_mncp_problem mncp = problem_mncp(p);
    static const double low[FIVE] = { 0, 1, 0, 0, 0 }, high[FIVE] = { 0, 1, 10, 10, 10 };
    int failures = 0;
    printf("%-18s", p->name);
    for (int i = 0; i < FIVE; i++) {
        ecp_real z[PROBLEM_MAX];
        ecp_mncp_info info;
        test_fill(r, z, p->n, low[i], high[i]);
        const ecp_status status = ecp_mncp_solve(&mncp, NULL, z, work, perm, &info);
        failures += status != ECP_OK;
        printf(" %7d%s", info.iterations, status == ECP_OK ? " " : "!");
    }
    printf("\n");
    return failures;
}

static int table_of_iterations(void)
{
    test_random r = test_seed(2);
    int failures = 0;
    printf("%-18s %7s  %7s  %7s  %7s  %7s\n", "iterations", "zeros", "ones", "random", "random",
           "random");
    for (int k = 0; k < PROBLEMS; k++) {
        failures += five_starts(&problems[k], &r);
    }
    // the one without a solution must not be solved
    failures += five_starts(&problem_without_solution, &r) != FIVE;
    printf("(! no solution found; P18 F = -x - 1 has none)\n\n");
    return failures;
}

int main(void)
{
    const int listed = table_of_iterations();
    int failures = 0;
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
    return failures + listed != 0;
}
