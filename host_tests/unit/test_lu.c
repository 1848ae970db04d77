#include "math/lu.h"
#include "matrices.h"

static ecp_real a[MATRIX_MAX * MATRIX_MAX], lu[MATRIX_MAX * MATRIX_MAX];
static ecp_real b[MATRIX_MAX], x[MATRIX_MAX], tmp[MATRIX_MAX];
static int perm[MATRIX_MAX];

static double solve_error(int n)
{
    memcpy(lu, a, (size_t)(n * n) * sizeof *a);
    memcpy(x, b, (size_t)n * sizeof *b);
    TEST_ASSERT_TRUE(ecp_lu_factor(lu, n, perm));
    TEST_ASSERT_TRUE(ecp_lu_solve(lu, n, perm, x, 1, tmp));
    return matrix_backward_error(a, n, x, b);
}

static void test_lu_solves_random_matrices_of_every_order(void)
{
    test_random r = test_seed(1);
    for (int n = 1; n <= MATRIX_MAX; n++) {
        test_fill(&r, a, n * n, -1, 1);
        test_fill(&r, b, n, -1, 1);
        ASSERT_SMALL(solve_error(n), TOL(4e-6, 8e-15));
    }
}

static void test_lu_needs_its_row_swaps(void)
{
    const ecp_real swap[9] = { 0, 0, 1, 1, 0, 0, 0, 1, 0 };
    memcpy(a, swap, sizeof swap);
    b[0] = 1, b[1] = 2, b[2] = 3;
    ASSERT_SMALL(solve_error(3), 0);
    ASSERT_NEAR(2, x[0], 0);
    ASSERT_NEAR(3, x[1], 0);
    ASSERT_NEAR(1, x[2], 0);
}

static void test_lu_backward_error_stays_small_on_hilbert_matrices(void)
{
    const int largest = ECP_REAL_BITS == 32 ? 4 : 9;
    test_random r = test_seed(2);
    for (int n = 2; n <= largest; n++) {
        matrix_hilbert(a, n);
        test_fill(&r, b, n, -1, 1);
        ASSERT_SMALL(solve_error(n), TOL(1e-6, 1e-15));
    }
}

static void test_lu_does_not_mind_the_scale_of_columns(void)
{
    test_random r = test_seed(3);
    const int n = 8;
    test_fill(&r, a, n * n, -1, 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] *= j % 2 == 0 ? TOL(1e-12, 1e-60) : TOL(1e12, 1e60);
        }
    }
    test_fill(&r, b, n, -1, 1);
    ASSERT_SMALL(solve_error(n), TOL(4e-6, 8e-15));
}

static void test_lu_refuses_singular_matrices(void)
{
    test_random r = test_seed(4);
    for (int n = 1; n <= 20; n++) {
        test_fill(&r, a, n * n, -1, 1);
        // the last column repeats the first, or is zero
        for (int i = 0; i < n; i++) {
            a[i * n + n - 1] = n > 1 ? 3 * a[i * n] : 0;
        }
        TEST_ASSERT_FALSE(ecp_lu_factor(a, n, perm));
    }
    for (int i = 0; i < 9; i++) {
        a[i] = (ecp_real)(i + 1);
    }
    TEST_ASSERT_FALSE(ecp_lu_factor(a, 3, perm));
}

static void test_lu_solves_nearly_singular_matrices_backward_stably(void)
{
    const ecp_real gap = TOL(1e-4, 1e-12);
    const ecp_real near[4] = { 1, 1, 1, 1 + gap };
    memcpy(a, near, sizeof near);
    b[0] = 1, b[1] = 2;
    ASSERT_SMALL(solve_error(2), TOL(1e-6, 1e-15));
}

static void test_lu_refuses_nan_and_infinity_anywhere(void)
{
    const ecp_real bad[2] = { (ecp_real)NAN, (ecp_real)INFINITY };
    test_random r = test_seed(5);
    for (int k = 0; k < 32; k++) {
        test_fill(&r, a, 16, -1, 1);
        a[k / 2] = bad[k % 2];
        TEST_ASSERT_FALSE(ecp_lu_factor(a, 4, perm));
    }
}

static void test_lu_refuses_bad_arguments(void)
{
    a[0] = 2;
    TEST_ASSERT_FALSE(ecp_lu_factor(NULL, 1, perm));
    TEST_ASSERT_FALSE(ecp_lu_factor(a, 1, NULL));
    TEST_ASSERT_FALSE(ecp_lu_factor(a, 0, perm));
    TEST_ASSERT_FALSE(ecp_lu_factor(a, -3, perm));
    TEST_ASSERT_FALSE(ecp_lu_factor(a, ECP_DENSE_MAX + 1, perm));
    TEST_ASSERT_TRUE(ecp_lu_factor(a, 1, perm));
    TEST_ASSERT_FALSE(ecp_lu_solve(NULL, 1, perm, b, 1, tmp));
    TEST_ASSERT_FALSE(ecp_lu_solve(a, 1, NULL, b, 1, tmp));
    TEST_ASSERT_FALSE(ecp_lu_solve(a, 1, perm, NULL, 1, tmp));
    TEST_ASSERT_FALSE(ecp_lu_solve(a, 1, perm, b, -1, tmp));
    TEST_ASSERT_FALSE(ecp_lu_solve(a, 0, perm, b, 1, tmp));
}

static void test_lu_says_so_when_a_solution_overflows(void)
{
    a[0] = ECP_R(0.001);
    b[0] = ECP_REAL_MAX;
    TEST_ASSERT_TRUE(ecp_lu_factor(a, 1, perm));
    TEST_ASSERT_FALSE(ecp_lu_solve(a, 1, perm, b, 1, tmp));
}

static void test_lu_solves_many_right_sides_as_one(void)
{
    enum { n = 7, m = 3 };
    ecp_real many[n * m];
    test_random r = test_seed(6);
    test_fill(&r, a, n * n, -1, 1);
    test_fill(&r, many, n * m, -1, 1);
    memcpy(lu, a, sizeof(ecp_real) * n * n);
    TEST_ASSERT_TRUE(ecp_lu_factor(lu, n, perm));
    for (int i = 0; i < n; i++) {
        b[i] = many[i * m + 1];
    }
    TEST_ASSERT_TRUE(ecp_lu_solve(lu, n, perm, many, m, tmp));
    TEST_ASSERT_TRUE(ecp_lu_solve(lu, n, perm, b, 1, tmp));
    for (int i = 0; i < n; i++) {
        ASSERT_NEAR(b[i], many[i * m + 1], 0);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_lu_solves_random_matrices_of_every_order);
    RUN_TEST(test_lu_needs_its_row_swaps);
    RUN_TEST(test_lu_backward_error_stays_small_on_hilbert_matrices);
    RUN_TEST(test_lu_does_not_mind_the_scale_of_columns);
    RUN_TEST(test_lu_refuses_singular_matrices);
    RUN_TEST(test_lu_solves_nearly_singular_matrices_backward_stably);
    RUN_TEST(test_lu_refuses_nan_and_infinity_anywhere);
    RUN_TEST(test_lu_refuses_bad_arguments);
    RUN_TEST(test_lu_says_so_when_a_solution_overflows);
    RUN_TEST(test_lu_solves_many_right_sides_as_one);
    return UNITY_END();
}
