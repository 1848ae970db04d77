#include "problems.h"
#include "solve/lemke.h"

static ecp_real M[PROBLEM_MAX * PROBLEM_MAX], q[PROBLEM_MAX], z[PROBLEM_MAX];
static ecp_real work[ECP_LEMKE_WORK_REALS(PROBLEM_MAX)];
static int basis[ECP_LEMKE_WORK_INTS(PROBLEM_MAX)];

static double min_map(int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double w = (double)q[i];
        for (int j = 0; j < n; j++) {
            w += (double)M[i * n + j] * (double)z[j];
        }
        const double gap = fabs(fmin(w, (double)z[i]));
        worst = gap <= worst ? worst : gap;
    }
    return worst;
}

static ecp_lemke_info solve(int n)
{
    ecp_lemke_info info;
    test_poison(z, n);
    const ecp_status status = ecp_lemke(M, q, n, NULL, z, work, basis, &info);
    TEST_ASSERT_EQUAL_INT(status, info.status);
    TEST_ASSERT_TRUE(info.pivots <= 5 * n + 20);
    return info;
}

static void test_every_linear_problem_of_the_list_is_solved(void)
{
    for (int k = 0; k < PROBLEMS; k++) {
        const problem *p = &problems[k];
        if (!is_linear(p) || p->is_free != NULL) {
            continue;
        }
        (void)linear_jacobian((void *)p, NULL, M);
        for (int i = 0; i < p->n; i++) {
            q[i] = linear_offset(p, i);
        }
        // a bimatrix game has M_rr = 0 and no negative entry: whatever the covering vector, the first
        // variable to enter after z_0 meets no bound, so the path is a ray (the MNCP solver has it)
        if (strstr(p->name, "bimatrix") != NULL) {
            TEST_ASSERT_EQUAL_INT(ECP_LEMKE_RAY, solve(p->n).reason);
            continue;
        }
        TEST_ASSERT_TRUE_MESSAGE(solve(p->n).status == ECP_OK, p->name);
        ASSERT_SMALL(min_map(p->n), TOL(1e-3, 1e-8));
        if (p->complete) {
            ASSERT_SMALL(problem_distance(p, z), TOL(1e-3, 1e-8));
        }
    }
}

// B B^T of n x rank plus a skew part, with a solution by construction
static void random_problem(test_random *r, int n, int rank, double skew, bool degenerate)
{
    ecp_real B[PROBLEM_MAX * PROBLEM_MAX];
    test_fill(r, B, n * n, -1, 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            ecp_real s = 0;
            for (int k = 0; k < rank; k++) {
                s += B[i * n + k] * B[j * n + k];
            }
            const ecp_real turn = i == j ? 0 : test_uniform(r, -skew, skew);
            M[i * n + j] = s + turn;
            M[j * n + i] = s - turn;
        }
        z[i] = ecp_max(0, test_uniform(r, -1, 1));
    }
    for (int i = 0; i < n; i++) {
        q[i] = z[i] > 0 || degenerate ? 0 : test_uniform(r, 0, 1);
        for (int j = 0; j < n; j++) {
            q[i] -= M[i * n + j] * z[j];
        }
    }
}

static void test_random_monotone_problems_are_solved(void)
{
    test_random r = test_seed(1);
    for (int i = 0; i < 120; i++) {
        const int n = 2 + i % 30, rank = i % 3 == 0 ? n / 2 + 1 : n;
        random_problem(&r, n, rank, i % 2 == 0 ? 0 : 1, i % 5 == 0);
        TEST_ASSERT_EQUAL_INT(ECP_OK, solve(n).status);
        ASSERT_SMALL(min_map(n), TOL(5e-3, 1e-8));
    }
}

static void test_a_non_negative_offset_needs_no_pivot(void)
{
    M[0] = -1, M[1] = 0, M[2] = 0, M[3] = -1, q[0] = 0, q[1] = 2;
    const ecp_lemke_info info = solve(2);
    TEST_ASSERT_EQUAL_INT(ECP_OK, info.status);
    TEST_ASSERT_EQUAL_INT(0, info.pivots);
    ASSERT_SMALL(test_largest(z, 2), 0);
}

static void test_a_ray_leaves_the_output_alone(void)
{
    M[0] = -1, q[0] = -1;
    const ecp_lemke_info info = solve(1);
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, info.status);
    TEST_ASSERT_EQUAL_INT(ECP_LEMKE_RAY, info.reason);
    TEST_ASSERT_TRUE(test_is_poisoned(z, 1));
}

static void test_the_bound_on_pivots_leaves_the_output_alone(void)
{
    const ecp_lemke_options options = { .max_pivots = 2 };
    ecp_lemke_info info;
    test_random r = test_seed(2);
    random_problem(&r, 20, 20, 1, false);
    test_poison(z, 20);
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_lemke(M, q, 20, &options, z, work, basis, &info));
    TEST_ASSERT_EQUAL_INT(ECP_LEMKE_PIVOTS, info.reason);
    TEST_ASSERT_EQUAL_INT(2, info.pivots);
    TEST_ASSERT_TRUE(test_is_poisoned(z, 20));
}

static void test_a_diagonal_term_is_part_of_the_problem(void)
{
    const ecp_lemke_options options = { .diagonal = ECP_R(0.5) };
    M[0] = ECP_R(0.5), q[0] = -2;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_lemke(M, q, 1, &options, z, work, basis, NULL));
    ASSERT_NEAR(2, z[0], TOL(1e-6, 1e-14));
}

static void test_cycling_examples_end(void)
{
    // equal rows tie in every ratio test
    enum { n = 12 };
    for (int i = 0; i < n; i++) {
        q[i] = -1;
        for (int j = 0; j < n; j++) {
            M[i * n + j] = 1;
        }
    }
    TEST_ASSERT_EQUAL_INT(ECP_OK, solve(n).status);
    ASSERT_SMALL(min_map(n), TOL(1e-5, 1e-12));
}

static void test_bad_arguments_are_refused(void)
{
    ecp_lemke_info info;
    ecp_lemke_options options = { .diagonal = -1 };
    M[0] = 1, q[0] = -1;
    test_poison(z, 1);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(NULL, q, 1, NULL, z, work, basis, &info));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, NULL, 1, NULL, z, work, basis, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, NULL, NULL, work, basis, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, NULL, z, NULL, basis, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, NULL, z, work, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 0, NULL, z, work, basis, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, ECP_LEMKE_MAX + 1, NULL, z, work, basis, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, &options, z, work, basis, NULL));
    M[0] = (ecp_real)NAN;
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, NULL, z, work, basis, &info));
    TEST_ASSERT_EQUAL_INT(ECP_LEMKE_BAD_ARGUMENT, info.reason);
    M[0] = 1, q[0] = -(ecp_real)INFINITY;
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_lemke(M, q, 1, NULL, z, work, basis, NULL));
    TEST_ASSERT_TRUE(test_is_poisoned(z, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_linear_problem_of_the_list_is_solved);
    RUN_TEST(test_random_monotone_problems_are_solved);
    RUN_TEST(test_a_non_negative_offset_needs_no_pivot);
    RUN_TEST(test_a_ray_leaves_the_output_alone);
    RUN_TEST(test_the_bound_on_pivots_leaves_the_output_alone);
    RUN_TEST(test_a_diagonal_term_is_part_of_the_problem);
    RUN_TEST(test_cycling_examples_end);
    RUN_TEST(test_bad_arguments_are_refused);
    return UNITY_END();
}
