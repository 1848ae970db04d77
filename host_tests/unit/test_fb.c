#include "math/fb.h"
#include "test.h"

static void test_fb_keeps_its_digits_when_one_side_is_tiny(void)
{
    // phi(1, e) = e - e^2/2 + O(e^3); the textbook formula is wrong by over 10 % here
    const ecp_real e = TOL(1e-7, 1e-15);
    ASSERT_NEAR(e, ecp_fb_eval(ECP_R(1.0), e).phi, e * TOL(1e-5, 1e-12));
}

static void test_fb_vanishes_exactly_on_complementary_pairs(void)
{
    ASSERT_SMALL(ecp_fb_eval(0, 3).phi, 0);
    ASSERT_SMALL(ecp_fb_eval(2, 0).phi, 0);
    ASSERT_SMALL(ecp_fb_eval(0, 0).phi, 0);
    TEST_ASSERT_TRUE(ecp_fb_eval(1, 1).phi > 0);
    TEST_ASSERT_TRUE(ecp_fb_eval(-1, 1).phi < 0);
    TEST_ASSERT_TRUE(ecp_fb_eval(1, -1).phi < 0);
    TEST_ASSERT_TRUE(ecp_fb_eval(-1, -1).phi < 0);
    TEST_ASSERT_TRUE(ecp_fb_eval(0, -1).phi < 0);
}

static void test_fb_is_bounded_by_the_min_map_on_both_sides(void)
{
    test_random r = test_seed(1);
    for (int i = 0; i < 1000; i++) {
        const ecp_real a = test_uniform(&r, -5, 5), b = test_uniform(&r, -5, 5);
        const ecp_real least = ecp_fabs(ecp_min(a, b)), phi = ecp_fabs(ecp_fb_eval(a, b).phi);
        TEST_ASSERT_TRUE(phi >= ECP_R(0.585) * least && phi <= ECP_R(3.4143) * least);
    }
}

static bool pair(void *ctx, const ecp_real *x, ecp_real *y)
{
    y[0] = ecp_fb_eval_smoothed(x[0], x[1], *(const ecp_real *)ctx).phi;
    return true;
}

static void test_fb_gradient_agrees_with_differences(void)
{
    test_random r = test_seed(2);
    for (int i = 0; i < 200; i++) {
        ecp_real eps = i % 2 == 0 ? 0 : ECP_R(0.3), x[2];
        test_fill(&r, x, 2, -2, 2);
        if (x[0] * x[0] + x[1] * x[1] < ECP_R(0.05)) {
            continue;
        }
        const ecp_fb fb = ecp_fb_eval_smoothed(x[0], x[1], eps);
        const ecp_real J[2] = { fb.da, fb.db };
        ASSERT_SMALL(test_jacobian_error(pair, &eps, x, J, 1, 2), TOL(5e-3, 1e-7));
    }
}

static void test_fb_at_the_kink_has_the_gradient_of_the_diagonal(void)
{
    const ecp_fb at = ecp_fb_eval(0, 0), near = ecp_fb_eval(1, 1);
    ASSERT_NEAR(near.da, at.da, TOL(1e-6, 1e-15));
    ASSERT_NEAR(near.db, at.db, TOL(1e-6, 1e-15));
    // also where the squares underflow
    const ecp_real tiny = ECP_R(1e-30) * TOL(1.0, 1e-170);
    TEST_ASSERT_TRUE(ecp_finite(ecp_fb_eval(tiny, tiny).phi));
}

static void test_smoothed_fb_vanishes_where_the_product_is_eps_squared(void)
{
    const ecp_real eps = ECP_R(0.25);
    ASSERT_SMALL(ecp_fb_eval_smoothed(ECP_R(0.125), ECP_R(0.5), eps).phi, TOL(1e-7, 1e-16));
    ASSERT_SMALL(ecp_fb_eval_smoothed(eps, eps, eps).phi, 0);
    TEST_ASSERT_TRUE(ecp_fb_eval_smoothed(0, 0, eps).phi < 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_fb_keeps_its_digits_when_one_side_is_tiny);
    RUN_TEST(test_fb_vanishes_exactly_on_complementary_pairs);
    RUN_TEST(test_fb_is_bounded_by_the_min_map_on_both_sides);
    RUN_TEST(test_fb_gradient_agrees_with_differences);
    RUN_TEST(test_fb_at_the_kink_has_the_gradient_of_the_diagonal);
    RUN_TEST(test_smoothed_fb_vanishes_where_the_product_is_eps_squared);
    return UNITY_END();
}
