#include "math/lu.h"
#include "solve/newton.h"
#include "test.h"

// small systems with a dense Jacobian
typedef struct client {
    int n;
    bool (*f)(const ecp_real *z, ecp_real *F, ecp_real *J);
    ecp_real J[16], tmp[4];
    int perm[4];
    int evaluations, factorisations, stop_after;
} client;

static bool evaluate(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural)
{
    client *c = ctx;
    c->evaluations++;
    const bool ok = c->f(z, F, c->J);
    *natural = test_largest(F, c->n);
    return ok;
}

static bool factor(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    client *c = ctx;
    (void)z;
    (void)norm_F;
    c->factorisations++;
    return ecp_lu_factor(c->J, c->n, c->perm);
}

static void direction(void *ctx, const ecp_real *F, ecp_real *dz)
{
    client *c = ctx;
    for (int i = 0; i < c->n; i++) {
        dz[i] = -F[i];
    }
    (void)ecp_lu_solve(c->J, c->n, c->perm, dz, 1, c->tmp);
}

static bool stop(void *ctx)
{
    const client *c = ctx;
    return c->factorisations >= c->stop_after;
}

static ecp_newton_problem problem_of(client *c)
{
    return (ecp_newton_problem){ .ctx = c, .n = c->n, .evaluate = evaluate, .factor = factor,
                                 .direction = direction };
}

static ecp_newton_options options_of(int iterations)
{
    return (ecp_newton_options){ .tolerance = TOL(1e-5, 1e-12), .accept = TOL(1e-5, 1e-12),
                                 .max_iterations = iterations, .max_trials = 5 };
}

static ecp_newton_info run(client *c, ecp_newton_options options, ecp_real *z)
{
    ecp_real work[ECP_NEWTON_WORK_REALS(4)];
    const ecp_newton_problem p = problem_of(c);
    test_poison(work, ECP_NEWTON_WORK_REALS(4));
    return ecp_newton(&p, &options, z, work);
}

// x^2 + y^2 = 4, x y = 1
static bool circle(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    F[0] = z[0] * z[0] + z[1] * z[1] - 4;
    F[1] = z[0] * z[1] - 1;
    J[0] = 2 * z[0], J[1] = 2 * z[1], J[2] = z[1], J[3] = z[0];
    return true;
}

// x/sqrt(1+x^2): the undamped method diverges from |x| > 1
static bool flat(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    const ecp_real s = ecp_sqrt(1 + z[0] * z[0]);
    F[0] = z[0] / s;
    J[0] = 1 / (s * s * s);
    return true;
}

// sqrt(x) - 2: no residual below zero
static bool root(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    if (z[0] < ECP_R(1e-6)) {
        F[0] = (ecp_real)NAN;
        return false;
    }
    F[0] = ecp_sqrt(z[0]) - 2;
    J[0] = 1 / (2 * ecp_sqrt(z[0]));
    return true;
}

// x^2 + 1: no zero
static bool nowhere(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    F[0] = z[0] * z[0] + 1;
    J[0] = 2 * z[0];
    return true;
}

// x^2 - 3 with rounding of 1e-4 in the residual
static bool coarse(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    const ecp_real grid = ECP_R(1024.0) * ECP_R(8.0);
    const ecp_real value = (z[0] * z[0] - 3) * grid;
    F[0] = ((ecp_real)(long)value + ECP_R(0.5)) / grid;
    J[0] = 2 * z[0];
    return true;
}

static bool constant(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    (void)z;
    F[0] = 1;
    J[0] = 0;
    return true;
}

static bool only_here(const ecp_real *z, ecp_real *F, ecp_real *J)
{
    F[0] = 1;
    J[0] = 1;
    return z[0] >= 0 && z[0] <= 0;
}

static void test_newton_converges_quadratically_near_a_zero(void)
{
    client c = { .n = 2, .f = circle };
    ecp_real z[2] = { 2, ECP_R(0.6) };
    const ecp_newton_info info = run(&c, options_of(10), z);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_CONVERGED, info.reason);
    TEST_ASSERT_TRUE(info.iterations <= 5);
    ASSERT_NEAR(1.9318516525781366, z[0], TOL(1e-5, 1e-12));
    ASSERT_NEAR(0.5176380902050415, z[1], TOL(1e-5, 1e-12));
}

static void test_line_search_converges_where_full_steps_diverge(void)
{
    client c = { .n = 1, .f = flat };
    ecp_real z[1] = { 3 };
    const ecp_newton_info info = run(&c, options_of(40), z);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_CONVERGED, info.reason);
    ASSERT_SMALL(z[0], TOL(1e-4, 1e-11));
}

static void test_points_outside_the_domain_are_halved_away(void)
{
    client c = { .n = 1, .f = root };
    ecp_real z[1] = { 30 };
    const ecp_newton_info info = run(&c, options_of(30), z);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_CONVERGED, info.reason);
    ASSERT_NEAR(4, z[0], TOL(1e-4, 1e-10));
}

static void test_a_start_without_a_residual_is_returned_untouched(void)
{
    client c = { .n = 1, .f = root };
    ecp_real z[1] = { -3 };
    const ecp_newton_info info = run(&c, options_of(30), z);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_NOT_FINITE, info.reason);
    TEST_ASSERT_EQUAL_INT(0, info.iterations);
    ASSERT_NEAR(-3, z[0], 0);
}

static void test_a_start_whose_every_trial_has_no_residual_is_kept(void)
{
    client c = { .n = 1, .f = only_here };
    ecp_real z[1] = { 0 };
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_NOT_FINITE, run(&c, options_of(30), z).reason);
    ASSERT_SMALL(z[0], 0);
}

static void test_the_bounds_on_iterations_and_evaluations_hold(void)
{
    for (int bound = 0; bound < 30; bound++) {
        for (int last = 0; last < 2; last++) {
            client c = { .n = 1, .f = nowhere };
            ecp_real z[1] = { 3 };
            ecp_newton_options options = options_of(bound);
            options.take_last = last == 1;
            const ecp_newton_info info = run(&c, options, z);
            TEST_ASSERT_TRUE(info.reason != ECP_NEWTON_CONVERGED);
            TEST_ASSERT_TRUE(info.iterations <= bound && c.factorisations <= bound);
            TEST_ASSERT_TRUE(c.evaluations <= 1 + 2 * bound + bound * options.max_trials);
        }
    }
}

static void test_the_result_is_never_worse_than_the_start(void)
{
    test_random r = test_seed(1);
    for (int i = 0; i < 200; i++) {
        client c = { .n = 2, .f = circle };
        ecp_real z[2], F[2], J[4];
        test_fill(&r, z, 2, -20, 20);
        circle(z, F, J);
        const ecp_real before = test_largest(F, 2);
        ecp_newton_options options = options_of(i % 7);
        options.take_last = i % 2 == 0;
        const ecp_newton_info info = run(&c, options, z);
        circle(z, F, J);
        TEST_ASSERT_TRUE(test_largest(F, 2) <= before);
        ASSERT_NEAR(test_largest(F, 2), info.residual, 0);
    }
}

static void test_a_rounding_floor_below_accept_is_accepted(void)
{
    client c = { .n = 1, .f = coarse };
    ecp_real z[1] = { 2 };
    ecp_newton_options options = options_of(100);
    options.accept = ECP_R(1e-3);
    const ecp_newton_info info = run(&c, options, z);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_ACCEPTED, info.reason);
    TEST_ASSERT_TRUE(info.iterations <= 12);
    ASSERT_NEAR(1.7320508, z[0], 1e-3);
}

static void test_a_singular_jacobian_is_reported(void)
{
    client c = { .n = 1, .f = constant };
    ecp_real z[1] = { 5 };
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_SINGULAR, run(&c, options_of(10), z).reason);
    ASSERT_NEAR(5, z[0], 0);
}

static void test_stop_ends_the_loop_at_once(void)
{
    client c = { .n = 1, .f = nowhere, .stop_after = 3 };
    ecp_newton_problem p = problem_of(&c);
    const ecp_newton_options options = options_of(50);
    ecp_real z[1] = { 3 }, work[ECP_NEWTON_WORK_REALS(1)];
    p.stop = stop;
    const ecp_newton_info info = ecp_newton(&p, &options, z, work);
    TEST_ASSERT_EQUAL_INT(ECP_NEWTON_STOPPED, info.reason);
    TEST_ASSERT_EQUAL_INT(3, info.iterations);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_newton_converges_quadratically_near_a_zero);
    RUN_TEST(test_line_search_converges_where_full_steps_diverge);
    RUN_TEST(test_points_outside_the_domain_are_halved_away);
    RUN_TEST(test_a_start_without_a_residual_is_returned_untouched);
    RUN_TEST(test_a_start_whose_every_trial_has_no_residual_is_kept);
    RUN_TEST(test_the_bounds_on_iterations_and_evaluations_hold);
    RUN_TEST(test_the_result_is_never_worse_than_the_start);
    RUN_TEST(test_a_rounding_floor_below_accept_is_accepted);
    RUN_TEST(test_a_singular_jacobian_is_reported);
    RUN_TEST(test_stop_ends_the_loop_at_once);
    return UNITY_END();
}
