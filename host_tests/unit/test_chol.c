#include "math/chol.h"
#include "matrices.h"

static ecp_real a[MATRIX_MAX * MATRIX_MAX], f[MATRIX_MAX * MATRIX_MAX];
static ecp_real b[MATRIX_MAX], x[MATRIX_MAX];

static double chol_error(int n)
{
    memcpy(f, a, (size_t)(n * n) * sizeof *a);
    memcpy(x, b, (size_t)n * sizeof *b);
    TEST_ASSERT_TRUE(ecp_chol_factor(f, n));
    TEST_ASSERT_TRUE(ecp_chol_solve(f, n, x, 1));
    return matrix_backward_error(a, n, x, b);
}

static double ldl_error(int n)
{
    memcpy(f, a, (size_t)(n * n) * sizeof *a);
    memcpy(x, b, (size_t)n * sizeof *b);
    TEST_ASSERT_TRUE(ecp_ldl_factor(f, n));
    TEST_ASSERT_TRUE(ecp_ldl_solve(f, n, x, 1));
    return matrix_backward_error(a, n, x, b);
}

static void test_chol_and_ldl_solve_random_positive_definite_matrices(void)
{
    test_random r = test_seed(1);
    for (int n = 1; n <= MATRIX_MAX; n++) {
        matrix_spd(&r, a, n, ECP_R(0.01));
        test_fill(&r, b, n, -1, 1);
        ASSERT_SMALL(chol_error(n), TOL(4e-6, 8e-15));
        ASSERT_SMALL(ldl_error(n), TOL(4e-6, 8e-15));
    }
}

static void test_chol_solves_hilbert_matrices_backward_stably(void)
{
    const int largest = ECP_REAL_BITS == 32 ? 4 : 9;
    for (int n = 2; n <= largest; n++) {
        matrix_hilbert(a, n);
        for (int i = 0; i < n; i++) {
            b[i] = 1;
        }
        ASSERT_SMALL(chol_error(n), TOL(1e-6, 1e-15));
        ASSERT_SMALL(ldl_error(n), TOL(1e-6, 1e-15));
    }
}

static void test_chol_factor_times_its_transpose_is_the_matrix(void)
{
    enum { n = 9 };
    test_random r = test_seed(2);
    matrix_spd(&r, a, n, 1);
    memcpy(f, a, sizeof(ecp_real) * n * n);
    TEST_ASSERT_TRUE(ecp_chol_factor(f, n));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            ecp_real s = 0;
            for (int k = 0; k <= j; k++) {
                s += f[i * n + k] * f[j * n + k];
            }
            ASSERT_NEAR(a[i * n + j], s, TOL(1e-5, 1e-14));
        }
    }
}

static void test_chol_refuses_what_is_not_positive_definite(void)
{
    const ecp_real indefinite[4] = { 1, 2, 2, 1 }, semidefinite[4] = { 1, 1, 1, 1 };
    const ecp_real negative[1] = { -1 }, zero[1] = { 0 };
    const ecp_real nan[4] = { 1, 0, (ecp_real)NAN, 1 }, infinite[1] = { (ecp_real)INFINITY };
    memcpy(f, indefinite, sizeof indefinite);
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 2));
    memcpy(f, semidefinite, sizeof semidefinite);
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 2));
    memcpy(f, nan, sizeof nan);
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 2));
    f[0] = negative[0];
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 1));
    f[0] = zero[0];
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 1));
    f[0] = infinite[0];
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 1));
}

static void test_chol_refuses_rank_deficient_gram_matrices(void)
{
    // v v^T with integer entries: exactly rank one
    for (int n = 2; n <= 12; n++) {
        for (int i = 0; i < n * n; i++) {
            f[i] = (ecp_real)((i / n + 1) * (i % n + 1));
        }
        TEST_ASSERT_FALSE(ecp_chol_factor(f, n));
    }
}

static void test_chol_is_not_misled_by_the_scale_of_rows(void)
{
    enum { n = 6 };
    test_random r = test_seed(3);
    matrix_spd(&r, a, n, 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] *= (i % 2 ? TOL(1e-6, 1e-30) : TOL(1e6, 1e30)) * (j % 2 ? TOL(1e-6, 1e-30) : TOL(1e6, 1e30));
        }
    }
    memcpy(f, a, sizeof(ecp_real) * n * n);
    TEST_ASSERT_TRUE(ecp_chol_factor(f, n));
}

static void test_ldl_solves_quasi_definite_matrices(void)
{
    enum { n = 10 };
    test_random r = test_seed(4);
    matrix_spd(&r, a, n, 2);
    for (int i = n / 2; i < n; i++) {
        for (int j = n / 2; j < n; j++) {
            a[i * n + j] = -a[i * n + j];
        }
    }
    test_fill(&r, b, n, -1, 1);
    ASSERT_SMALL(ldl_error(n), TOL(1e-5, 1e-13));
    for (int i = 0; i < n; i++) {
        TEST_ASSERT_TRUE((f[i * n + i] > 0) == (i < n / 2));
    }
}

static void test_ldl_refuses_a_vanishing_pivot(void)
{
    const ecp_real hollow[4] = { 0, 1, 1, 0 }, singular[4] = { -1, 2, 2, -4 };
    memcpy(f, hollow, sizeof hollow);
    TEST_ASSERT_FALSE(ecp_ldl_factor(f, 2));
    memcpy(f, singular, sizeof singular);
    TEST_ASSERT_FALSE(ecp_ldl_factor(f, 2));
}

static void test_triangular_solves_of_several_columns_undo_the_products(void)
{
    enum { n = 5, m = 2 };
    ecp_real many[n * m], copy[n * m];
    test_random r = test_seed(5);
    matrix_spd(&r, f, n, 1);
    TEST_ASSERT_TRUE(ecp_chol_factor(f, n));
    test_fill(&r, many, n * m, -1, 1);
    memcpy(copy, many, sizeof many);
    TEST_ASSERT_TRUE(ecp_chol_solve_lower(f, n, many, m));
    TEST_ASSERT_TRUE(ecp_chol_solve_upper(f, n, many, m));
    TEST_ASSERT_TRUE(ecp_chol_solve(f, n, copy, m));
    TEST_ASSERT_EQUAL_MEMORY(copy, many, sizeof many);
}

static void test_chol_refuses_bad_arguments(void)
{
    f[0] = 1;
    TEST_ASSERT_FALSE(ecp_chol_factor(NULL, 1));
    TEST_ASSERT_FALSE(ecp_chol_factor(f, 0));
    TEST_ASSERT_FALSE(ecp_chol_factor(f, ECP_DENSE_MAX + 1));
    TEST_ASSERT_FALSE(ecp_ldl_factor(NULL, 1));
    TEST_ASSERT_FALSE(ecp_ldl_factor(f, -1));
    TEST_ASSERT_FALSE(ecp_chol_solve(f, 1, NULL, 1));
    TEST_ASSERT_FALSE(ecp_chol_solve(NULL, 1, b, 1));
    TEST_ASSERT_FALSE(ecp_ldl_solve(f, 1, b, -1));
    b[0] = (ecp_real)NAN;
    TEST_ASSERT_FALSE(ecp_chol_solve(f, 1, b, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_chol_and_ldl_solve_random_positive_definite_matrices);
    RUN_TEST(test_chol_solves_hilbert_matrices_backward_stably);
    RUN_TEST(test_chol_factor_times_its_transpose_is_the_matrix);
    RUN_TEST(test_chol_refuses_what_is_not_positive_definite);
    RUN_TEST(test_chol_refuses_rank_deficient_gram_matrices);
    RUN_TEST(test_chol_is_not_misled_by_the_scale_of_rows);
    RUN_TEST(test_ldl_solves_quasi_definite_matrices);
    RUN_TEST(test_ldl_refuses_a_vanishing_pivot);
    RUN_TEST(test_triangular_solves_of_several_columns_undo_the_products);
    RUN_TEST(test_chol_refuses_bad_arguments);
    return UNITY_END();
}
