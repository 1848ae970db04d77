#include "problems.h"

static ecp_real work[ECP_MNCP_WORK_REALS(PROBLEM_MAX)];
static int perm[PROBLEM_MAX];

static void assert_solved_from(const problem *p, ecp_real *z)
{
    const ecp_mncp_problem mncp = problem_mncp(p);
    ecp_mncp_info info;
    char text[96];
    const ecp_status status = ecp_mncp_solve(&mncp, NULL, z, work, perm, &info);
    snprintf(text, sizeof text, "%s: status %d after %d iterations", p->name, (int)status,
             info.iterations);
    TEST_ASSERT_TRUE_MESSAGE(status == ECP_OK, text);
    TEST_ASSERT_EQUAL_INT(ECP_OK, info.status);
    TEST_ASSERT_EQUAL_INT(ECP_MNCP_SOLVED, info.reason);
    TEST_ASSERT_TRUE(info.iterations <= ECP_MNCP_ITERATIONS);
    TEST_ASSERT_TRUE_MESSAGE(problem_natural(p, z) <= (double)TOL(1e-4, 1e-8), text);
    for (int i = 0; i < p->n; i++) {
        const bool is_free = p->is_free != NULL && p->is_free[i];
        TEST_ASSERT_TRUE_MESSAGE(is_free || z[i] >= -TOL(1e-4, 1e-8), text);
    }
    if (p->complete) {
        TEST_ASSERT_TRUE_MESSAGE(problem_distance(p, z) < (double)TOL(2e-3, 1e-6), text);
    }
}

static void test_listed_solutions_are_solutions(void)
{
    for (int k = 0; k < PROBLEMS; k++) {
        for (int s = 0; s < problems[k].known; s++) {
            ecp_real z[PROBLEM_MAX];
            for (int i = 0; i < problems[k].n; i++) {
                z[i] = (ecp_real)problem_solution(&problems[k], s, i);
            }
            // solutions are listed to 12 digits; a steep row amplifies the last one
            TEST_ASSERT_TRUE_MESSAGE(problem_natural(&problems[k], z) < (double)TOL(2e-5, 1e-6), problems[k].name);
        }
    }
}

static void test_jacobians_of_the_problems_agree_with_differences(void)
{
    test_random r = test_seed(1);
    for (int k = 0; k < PROBLEMS; k++) {
        const problem *p = &problems[k];
        ecp_real z[PROBLEM_MAX], J[PROBLEM_MAX * PROBLEM_MAX];
        test_fill(&r, z, p->n, 0.5, 2);
        TEST_ASSERT_TRUE(p->jacobian((void *)p, z, J));
        ASSERT_SMALL(test_jacobian_error(p->residual, (void *)p, z, J, p->n, p->n),
                     TOL(3e-2, 1e-6));
    }
}

static void test_every_problem_is_solved_from_zeros(void)
{
    for (int k = 0; k < PROBLEMS; k++) {
        ecp_real z[PROBLEM_MAX] = { 0 };
        assert_solved_from(&problems[k], z);
    }
}

static void test_every_problem_is_solved_from_ones(void)
{
    for (int k = 0; k < PROBLEMS; k++) {
        ecp_real z[PROBLEM_MAX];
        for (int i = 0; i < PROBLEM_MAX; i++) {
            z[i] = 1;
        }
        assert_solved_from(&problems[k], z);
    }
}

static void test_every_problem_is_solved_from_random_starts(void)
{
    test_random r = test_seed(2);
    for (int k = 0; k < PROBLEMS; k++) {
        for (int start = 0; start < 3; start++) {
            ecp_real z[PROBLEM_MAX];
            test_fill(&r, z, problems[k].n, 0, 10);
            assert_solved_from(&problems[k], z);
        }
    }
}

static void test_every_problem_is_solved_from_negative_starts(void)
{
    test_random r = test_seed(3);
    for (int k = 0; k < PROBLEMS; k++) {
        ecp_real z[PROBLEM_MAX];
        test_fill(&r, z, problems[k].n, -5, 0);
        assert_solved_from(&problems[k], z);
    }
}

static void test_a_solution_is_recognised_without_an_iteration(void)
{
    const ecp_mncp_problem mncp = problem_mncp(&problems[4]);
    ecp_real z[PROBLEM_MAX] = { 1 };
    ecp_mncp_info info;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, NULL, z, work, perm, &info));
    TEST_ASSERT_EQUAL_INT(0, info.iterations);
    ASSERT_NEAR(1, z[0], 0);
}

static void test_a_problem_without_solution_ends_within_the_bound_and_keeps_the_start(void)
{
    const ecp_mncp_problem mncp = problem_mncp(&problem_without_solution);
    const int bounds[4] = { 0, 1, 7, 3000 };
    for (int i = 0; i < 4; i++) {
        const ecp_mncp_options options = { .max_iterations = bounds[i] };
        ecp_real z[1] = { 3 };
        ecp_mncp_info info;
        TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED,
                              ecp_mncp_solve(&mncp, &options, z, work, perm, &info));
        TEST_ASSERT_EQUAL_INT(ECP_MNCP_NO_SOLUTION, info.reason);
        TEST_ASSERT_TRUE(info.iterations <= (bounds[i] ? bounds[i] : ECP_MNCP_ITERATIONS));
        TEST_ASSERT_TRUE(ecp_finite(info.residual) && info.residual > ECP_R(0.1));
        ASSERT_NEAR(3, z[0], 0);
        TEST_ASSERT_NOT_NULL(ecp_mncp_reason_text(info.reason));
    }
}

static void test_the_tolerance_asked_for_is_kept(void)
{
    const ecp_mncp_problem mncp = problem_mncp(&problems[1]);
    const ecp_real tolerances[3] = { ECP_R(1e-2), ECP_R(1e-4), TOL(2e-6, 1e-13) };
    for (int i = 0; i < 3; i++) {
        const ecp_mncp_options options = { .tolerance = tolerances[i] };
        ecp_real z[4] = { 1, 1, 1, 1 };
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, &options, z, work, perm, NULL));
        TEST_ASSERT_TRUE(problem_natural(&problems[1], z) <= (double)tolerances[i]);
    }
}

static bool nan_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    (void)ctx;
    (void)z;
    F[0] = (ecp_real)NAN;
    return true;
}

static bool refused(void *ctx, const ecp_real *z, ecp_real *F)
{
    (void)ctx;
    (void)z;
    (void)F;
    return false;
}

static void test_callbacks_that_fail_or_give_nan_end_in_a_status(void)
{
    ecp_mncp_problem mncp = problem_mncp(&problems[3]);
    ecp_mncp_info info;
    ecp_real z[1] = { ECP_R(0.5) };
    mncp.residual = nan_residual;
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_mncp_solve(&mncp, NULL, z, work, perm, &info));
    TEST_ASSERT_EQUAL_INT(ECP_MNCP_NO_DOMAIN, info.reason);
    mncp.residual = refused;
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_mncp_solve(&mncp, NULL, z, work, perm, &info));
    mncp.residual = problems[3].residual;
    mncp.jacobian = nan_residual;
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_mncp_solve(&mncp, NULL, z, work, perm, &info));
    mncp.jacobian = refused;
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_mncp_solve(&mncp, NULL, z, work, perm, &info));
    ASSERT_NEAR(0.5, z[0], 0);
}

static void assert_refused(ecp_mncp_problem p, const ecp_mncp_options *options, ecp_real start)
{
    ecp_real z[1] = { start };
    ecp_mncp_info info;
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_mncp_solve(&p, options, z, work, perm, &info));
    TEST_ASSERT_EQUAL_INT(ECP_MNCP_BAD_ARGUMENT, info.reason);
    TEST_ASSERT_EQUAL_MEMORY(&start, z, sizeof start);
}

static void test_bad_arguments_are_refused(void)
{
    const ecp_mncp_problem good = problem_mncp(&problems[3]);
    const int sizes[3] = { 0, -1, ECP_MNCP_MAX + 1 };
    ecp_mncp_problem bad = good;
    ecp_mncp_options options = { .tolerance = -1 };
    for (int i = 0; i < 3; i++) {
        bad.n = sizes[i];
        assert_refused(bad, NULL, 1);
    }
    bad = good, bad.residual = NULL;
    assert_refused(bad, NULL, 1);
    bad = good, bad.jacobian = NULL;
    assert_refused(bad, NULL, 1);
    assert_refused(good, NULL, (ecp_real)NAN);
    assert_refused(good, NULL, (ecp_real)INFINITY);
    assert_refused(good, &options, 1);
    options = (ecp_mncp_options){ .tolerance = (ecp_real)NAN };
    assert_refused(good, &options, 1);
    options = (ecp_mncp_options){ .max_iterations = -1 };
    assert_refused(good, &options, 1);
    ecp_real z[1] = { 1 };
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_mncp_solve(NULL, NULL, z, work, perm, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_mncp_solve(&good, NULL, NULL, work, perm, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_mncp_solve(&good, NULL, z, NULL, perm, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_mncp_solve(&good, NULL, z, work, NULL, NULL));
}

static void test_exactly_the_stated_memory_is_used(void)
{
    const problem *p = &problems[0];
    const ecp_mncp_problem mncp = problem_mncp(p);
    enum { reals = ECP_MNCP_WORK_REALS(4) };
    ecp_real guarded[reals + 8], z[4] = { 0, 0, 0, 0 };
    int guarded_perm[5] = { 0, 0, 0, 0, 77 };
    test_poison(guarded, reals + 8);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, NULL, z, guarded + 4, guarded_perm, NULL));
    TEST_ASSERT_TRUE(test_is_poisoned(guarded, 4));
    TEST_ASSERT_TRUE(test_is_poisoned(guarded + reals + 4, 4));
    TEST_ASSERT_EQUAL_INT(77, guarded_perm[4]);
}

static void test_the_same_call_gives_the_same_bits(void)
{
    const ecp_mncp_problem mncp = problem_mncp(&problems[18]);
    ecp_real a[4] = { 0, 0, 0, 0 }, b[4] = { 0, 0, 0, 0 };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, NULL, a, work, perm, NULL));
    test_poison(work, ECP_MNCP_WORK_REALS(PROBLEM_MAX));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, NULL, b, work, perm, NULL));
    TEST_ASSERT_EQUAL_MEMORY(a, b, sizeof a);
}

static const bool box_free[2] = { true, false };

// P20: velocity of the box after one step of h = 0.01
static ecp_real box_step(ecp_real v)
{
    friction_case c = { 1, { 1 }, { 1 }, { v }, ECP_R(0.3), ECP_R(0.0981) };
    const ecp_mncp_problem mncp = { .ctx = &c, .n = 2, .is_free = box_free,
                                    .residual = box_residual, .jacobian = box_jacobian };
    const ecp_mncp_options options = { .tolerance = TOL(1e-7, 1e-13) };
    ecp_real z[2] = { v, 1 };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_mncp_solve(&mncp, &options, z, work, perm, NULL));
    return z[0];
}

static void test_sliding_box_stops_after_68_steps_at_its_distance(void)
{
    ecp_real v = 2, x = 0;
    int steps = 0;
    while (v > TOL(1e-4, 1e-9) && steps < 100) {
        const ecp_real next = box_step(v);
        // ECP ahead of the centre by height times friction over normal impulse
        const ecp_real offset = ECP_R(0.2) * (v - next) / ECP_R(0.0981);
        if (next > TOL(1e-4, 1e-9)) {
            ASSERT_NEAR(0.06, offset, TOL(1e-3, 1e-9));
        }
        v = next;
        x += ECP_R(0.01) * v;
        steps++;
    }
    TEST_ASSERT_EQUAL_INT(68, steps);
    ASSERT_NEAR(0.6695846, x, TOL(1e-3, 1e-7));
}

static void test_slow_box_sticks_with_its_ecp_offset(void)
{
    const ecp_real v = ECP_R(0.01), next = box_step(v);
    ASSERT_SMALL(next, TOL(1e-5, 1e-11));
    ASSERT_NEAR(0.0203873598, ECP_R(0.2) * (v - next) / ECP_R(0.0981), TOL(1e-4, 1e-9));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_listed_solutions_are_solutions);
    RUN_TEST(test_jacobians_of_the_problems_agree_with_differences);
    RUN_TEST(test_every_problem_is_solved_from_zeros);
    RUN_TEST(test_every_problem_is_solved_from_ones);
    RUN_TEST(test_every_problem_is_solved_from_random_starts);
    RUN_TEST(test_every_problem_is_solved_from_negative_starts);
    RUN_TEST(test_a_solution_is_recognised_without_an_iteration);
    RUN_TEST(test_a_problem_without_solution_ends_within_the_bound_and_keeps_the_start);
    RUN_TEST(test_the_tolerance_asked_for_is_kept);
    RUN_TEST(test_callbacks_that_fail_or_give_nan_end_in_a_status);
    RUN_TEST(test_bad_arguments_are_refused);
    RUN_TEST(test_exactly_the_stated_memory_is_used);
    RUN_TEST(test_the_same_call_gives_the_same_bits);
    RUN_TEST(test_sliding_box_stops_after_68_steps_at_its_distance);
    RUN_TEST(test_slow_box_sticks_with_its_ecp_offset);
    return UNITY_END();
}
