#include "math/quat.h"
#include "test.h"

static ecp_vec3 random_vector(test_random *r)
{
    ecp_real x[3];
    test_fill(r, x, 3, -1, 1);
    return ecp_v3(x[0], x[1], x[2]);
}

static ecp_quat random_quat(test_random *r)
{
    ecp_real x[4];
    test_fill(r, x, 4, -1, 1);
    return ecp_quat_normalised((ecp_quat){ x[0], x[1], x[2], x[3] });
}

static void test_matrix_of_a_unit_quaternion_is_a_rotation(void)
{
    test_random r = test_seed(1);
    for (int k = 0; k < 50; k++) {
        const ecp_mat3 R = ecp_quat_matrix(random_quat(&r));
        const ecp_vec3 a = random_vector(&r), back = ecp_m3_tmulv(&R, ecp_m3_mulv(&R, a));
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(a, back)), TOL(2e-6, 4e-15));
        const ecp_vec3 z = ecp_v3_cross(ecp_m3_column(&R, 0), ecp_m3_column(&R, 1));
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(z, ecp_m3_column(&R, 2))), TOL(2e-6, 4e-15));
    }
}

static void test_product_turns_by_the_right_factor_first(void)
{
    test_random r = test_seed(2);
    const ecp_quat p = random_quat(&r), q = random_quat(&r);
    const ecp_mat3 P = ecp_quat_matrix(p), Q = ecp_quat_matrix(q), PQ = ecp_m3_mul(&P, &Q);
    const ecp_mat3 direct = ecp_quat_matrix(ecp_quat_mul(p, q));
    for (int i = 0; i < 9; i++) {
        ASSERT_NEAR((&PQ.m[0][0])[i], (&direct.m[0][0])[i], TOL(2e-6, 4e-15));
    }
}

static void test_cayley_of_the_vector_and_of_the_quaternion_agree(void)
{
    test_random r = test_seed(3);
    for (int k = 0; k < 50; k++) {
        const ecp_quat q = random_quat(&r);
        const ecp_vec3 u = random_vector(&r), a = random_vector(&r);
        const ecp_mat3 R = ecp_quat_matrix(q), S = ecp_quat_matrix(ecp_quat_cayley_step(q, u));
        const ecp_vec3 direct = ecp_cayley(u, ecp_m3_mulv(&R, a));
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(direct, ecp_m3_mulv(&S, a))), TOL(2e-6, 4e-15));
    }
}

static void test_cayley_turns_by_twice_the_arctangent(void)
{
    // u = (0, 0, tan(pi/8)) turns by pi/4
    const ecp_vec3 u = ecp_v3(0, 0, ECP_R(0.41421356237309503));
    const ecp_vec3 a = ecp_cayley(u, ecp_v3(1, 0, 0));
    ASSERT_NEAR(0.70710678118654752, a.x, TOL(1e-6, 1e-15));
    ASSERT_NEAR(0.70710678118654752, a.y, TOL(1e-6, 1e-15));
}

static void test_cayley_increment_keeps_its_digits_for_tiny_turns(void)
{
    const ecp_real tiny = TOL(1e-12, 1e-30);
    const ecp_vec3 d = ecp_cayley_increment(ecp_v3(0, 0, tiny), ecp_v3(1, 0, 0));
    ASSERT_NEAR(1.0, d.y / (2 * tiny), TOL(1e-6, 1e-15));
}

static void test_normalising_zero_gives_the_identity(void)
{
    const ecp_quat q = ecp_quat_normalised((ecp_quat){ 0, 0, 0, 0 });
    ASSERT_NEAR(1.0, q.w, 0);
    ASSERT_SMALL(q.x + q.y + q.z, 0);
    TEST_ASSERT_TRUE(ecp_quat_finite(q));
    TEST_ASSERT_FALSE(ecp_quat_finite((ecp_quat){ 1, 0, (ecp_real)NAN, 0 }));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_matrix_of_a_unit_quaternion_is_a_rotation);
    RUN_TEST(test_product_turns_by_the_right_factor_first);
    RUN_TEST(test_cayley_of_the_vector_and_of_the_quaternion_agree);
    RUN_TEST(test_cayley_turns_by_twice_the_arctangent);
    RUN_TEST(test_cayley_increment_keeps_its_digits_for_tiny_turns);
    RUN_TEST(test_normalising_zero_gives_the_identity);
    return UNITY_END();
}
