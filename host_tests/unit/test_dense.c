#include "math/dense.h"
#include "matrices.h"

static void test_products_agree_with_the_sums_they_stand_for(void)
{
    // 2 x 3 times 3 x 2
    const ecp_real a[6] = { 1, 2, 3, 4, 5, 6 }, b[6] = { 7, 8, 9, 10, 11, 12 };
    const ecp_real ab[4] = { 58, 64, 139, 154 };
    ecp_real c[9];
    test_poison(c, 9);
    TEST_ASSERT_TRUE(ecp_dense_mul(c, a, b, 2, 3, 2));
    TEST_ASSERT_EQUAL_MEMORY(ab, c, sizeof ab);
    TEST_ASSERT_TRUE(test_is_poisoned(c + 4, 5));
    // a^T a of the 2 x 3 matrix
    const ecp_real ata[9] = { 17, 22, 27, 22, 29, 36, 27, 36, 45 };
    TEST_ASSERT_TRUE(ecp_dense_tmul(c, a, a, 3, 2, 3));
    TEST_ASSERT_EQUAL_MEMORY(ata, c, sizeof ata);
}

static void test_matrix_vector_products_go_both_ways(void)
{
    const ecp_real a[6] = { 1, 2, 3, 4, 5, 6 }, x[3] = { 1, 0, -1 }, y[2] = { 1, 2 };
    ecp_real left[2], right[3];
    TEST_ASSERT_TRUE(ecp_dense_mulv(left, a, x, 2, 3));
    ASSERT_NEAR(-2, left[0], 0);
    ASSERT_NEAR(-2, left[1], 0);
    TEST_ASSERT_TRUE(ecp_dense_tmulv(right, a, y, 2, 3));
    ASSERT_NEAR(9, right[0], 0);
    ASSERT_NEAR(12, right[1], 0);
    ASSERT_NEAR(15, right[2], 0);
}

static void test_bad_sizes_and_null_pointers_write_nothing(void)
{
    const ecp_real a[4] = { 1, 2, 3, 4 };
    ecp_real c[4];
    int perm[2];
    test_poison(c, 4);
    TEST_ASSERT_FALSE(ecp_dense_mul(c, a, a, 0, 2, 2));
    TEST_ASSERT_FALSE(ecp_dense_mul(c, a, a, 2, -1, 2));
    TEST_ASSERT_FALSE(ecp_dense_tmul(c, a, a, 2, 2, ECP_DENSE_MAX + 1));
    TEST_ASSERT_FALSE(ecp_dense_mul(c, NULL, a, 2, 2, 2));
    TEST_ASSERT_FALSE(ecp_dense_mulv(c, a, NULL, 2, 2));
    TEST_ASSERT_FALSE(ecp_dense_tmulv(NULL, a, a, 2, 2));
    TEST_ASSERT_FALSE(ecp_dense_copy(c, a, 0, 1));
    TEST_ASSERT_FALSE(ecp_dense_copy(c, NULL, 1, 1));
    TEST_ASSERT_FALSE(ecp_dense_invert(NULL, 2, perm));
    TEST_ASSERT_FALSE(ecp_dense_invert(c, 2, NULL));
    TEST_ASSERT_FALSE(ecp_dense_invert(c, 0, perm));
    TEST_ASSERT_TRUE(test_is_poisoned(c, 4));
    ASSERT_NEAR(-1, ecp_dense_norm_max(NULL, 1, 1), 0);
    ASSERT_NEAR(-1, ecp_dense_norm_2(a, 0, 1), 0);
}

static void test_inverse_times_the_matrix_is_the_identity(void)
{
    static ecp_real a[400], inverse[400], product[400];
    int perm[20];
    test_random r = test_seed(1);
    for (int n = 1; n <= 20; n++) {
        test_fill(&r, a, n * n, -1, 1);
        for (int i = 0; i < n; i++) {
            a[i * n + (i + 1) % n] += 4;
        }
        TEST_ASSERT_TRUE(ecp_dense_copy(inverse, a, n, n));
        TEST_ASSERT_TRUE(ecp_dense_invert(inverse, n, perm));
        TEST_ASSERT_TRUE(ecp_dense_mul(product, a, inverse, n, n, n));
        for (int i = 0; i < n * n; i++) {
            ASSERT_NEAR(i / n == i % n ? 1 : 0, product[i], TOL(1e-4, 1e-12));
        }
    }
}

static void test_inverse_of_a_singular_matrix_is_refused(void)
{
    ecp_real a[4] = { 1, 2, 2, 4 }, zero[4] = { 0, 0, 0, 0 }, nan[1] = { (ecp_real)NAN };
    int perm[2];
    TEST_ASSERT_FALSE(ecp_dense_invert(a, 2, perm));
    TEST_ASSERT_FALSE(ecp_dense_invert(zero, 2, perm));
    TEST_ASSERT_FALSE(ecp_dense_invert(nan, 1, perm));
}

static void test_norms_neither_overflow_nor_hide_a_nan(void)
{
    const ecp_real large[2] = { ECP_REAL_MAX / 4, -ECP_REAL_MAX / 4 };
    const ecp_real nan[3] = { 1, (ecp_real)NAN, 2 }, small[2] = { 3, -4 };
    ASSERT_NEAR(5, ecp_dense_norm_2(small, 1, 2), TOL(1e-6, 1e-15));
    ASSERT_NEAR(4, ecp_dense_norm_max(small, 2, 1), 0);
    TEST_ASSERT_TRUE(ecp_finite(ecp_dense_norm_2(large, 1, 2)));
    TEST_ASSERT_FALSE(ecp_finite(ecp_dense_norm_max(nan, 1, 3)));
    TEST_ASSERT_FALSE(ecp_finite(ecp_dense_norm_2(nan, 1, 3)));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_products_agree_with_the_sums_they_stand_for);
    RUN_TEST(test_matrix_vector_products_go_both_ways);
    RUN_TEST(test_bad_sizes_and_null_pointers_write_nothing);
    RUN_TEST(test_inverse_times_the_matrix_is_the_identity);
    RUN_TEST(test_inverse_of_a_singular_matrix_is_refused);
    RUN_TEST(test_norms_neither_overflow_nor_hide_a_nan);
    return UNITY_END();
}
