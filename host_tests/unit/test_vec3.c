#include "math/mat3.h"
#include "test.h"

static ecp_vec3 random_vector(test_random *r)
{
    ecp_real x[3];
    test_fill(r, x, 3, -2, 2);
    return ecp_v3(x[0], x[1], x[2]);
}

static void assert_same(ecp_vec3 a, ecp_vec3 b, ecp_real tol)
{
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(a, b)), tol);
}

static void test_cross_product_is_normal_to_both_factors(void)
{
    test_random r = test_seed(1);
    for (int i = 0; i < 100; i++) {
        const ecp_vec3 a = random_vector(&r), b = random_vector(&r), c = ecp_v3_cross(a, b);
        ASSERT_SMALL(ecp_v3_dot(a, c), TOL(1e-5, 1e-14));
        ASSERT_SMALL(ecp_v3_dot(b, c), TOL(1e-5, 1e-14));
        // |a x b|^2 + (a.b)^2 = |a|^2 |b|^2
        const ecp_real d = ecp_v3_dot(a, b);
        ASSERT_NEAR(ecp_v3_dot(a, a) * ecp_v3_dot(b, b), ecp_v3_dot(c, c) + d * d, TOL(1e-4, 1e-13));
    }
}

static void test_axpy_is_add_of_scaled(void)
{
    const ecp_vec3 a = ecp_v3(1, 2, 3), b = ecp_v3(-1, 4, 2);
    assert_same(ecp_v3_add(a, ecp_v3_scale(ECP_R(0.5), b)), ecp_v3_axpy(a, ECP_R(0.5), b), 0);
    assert_same(ecp_v3(-1, 8, 6), ecp_v3_mul(a, b), 0);
}

static void test_finite_refuses_nan_and_infinity_in_any_place(void)
{
    const ecp_real bad[3] = { (ecp_real)NAN, (ecp_real)INFINITY, -(ecp_real)INFINITY };
    TEST_ASSERT_TRUE(ecp_v3_finite(ecp_v3(ECP_REAL_MAX, -ECP_REAL_MAX, 0)));
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_FALSE(ecp_v3_finite(ecp_v3(bad[i], 0, 0)));
        TEST_ASSERT_FALSE(ecp_v3_finite(ecp_v3(0, bad[i], 0)));
        TEST_ASSERT_FALSE(ecp_v3_finite(ecp_v3(0, 0, bad[i])));
    }
}

static void test_skew_matrix_is_the_cross_product(void)
{
    test_random r = test_seed(2);
    const ecp_vec3 a = random_vector(&r), b = random_vector(&r);
    const ecp_mat3 A = ecp_m3_skew(a);
    assert_same(ecp_v3_cross(a, b), ecp_m3_mulv(&A, b), TOL(1e-6, 1e-15));
    assert_same(ecp_v3_cross(b, a), ecp_m3_tmulv(&A, b), TOL(1e-6, 1e-15));
}

static void test_matrix_product_applies_the_right_factor_first(void)
{
    test_random r = test_seed(3);
    const ecp_mat3 A = ecp_m3_skew(random_vector(&r)), B = ecp_m3_skew(random_vector(&r));
    const ecp_mat3 AB = ecp_m3_mul(&A, &B);
    const ecp_vec3 x = random_vector(&r);
    assert_same(ecp_m3_mulv(&A, ecp_m3_mulv(&B, x)), ecp_m3_mulv(&AB, x), TOL(1e-5, 1e-14));
    assert_same(ecp_m3_mulv(&A, ecp_v3(0, 1, 0)), ecp_m3_column(&A, 1), 0);
}

static void test_congruence_is_symmetric_to_the_bit(void)
{
    test_random r = test_seed(4);
    ecp_real s[6];
    test_fill(&r, s, 6, -1, 1);
    const ecp_mat3 S = ecp_m3_symmetric(s), R = ecp_m3_skew(random_vector(&r));
    const ecp_mat3 C = ecp_m3_congruence(&R, &S);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            TEST_ASSERT_EQUAL_MEMORY(&C.m[i][j], &C.m[j][i], sizeof(ecp_real));
        }
    }
    const ecp_vec3 x = random_vector(&r);
    const ecp_vec3 direct = ecp_m3_mulv(&R, ecp_m3_mulv(&S, ecp_m3_tmulv(&R, x)));
    assert_same(direct, ecp_m3_mulv(&C, x), TOL(1e-5, 1e-13));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cross_product_is_normal_to_both_factors);
    RUN_TEST(test_axpy_is_add_of_scaled);
    RUN_TEST(test_finite_refuses_nan_and_infinity_in_any_place);
    RUN_TEST(test_skew_matrix_is_the_cross_product);
    RUN_TEST(test_matrix_product_applies_the_right_factor_first);
    RUN_TEST(test_congruence_is_symmetric_to_the_bit);
    return UNITY_END();
}
