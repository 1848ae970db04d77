// Lowest points of shapes: what a gap to a plane is made of.
#include "test.h"

#include "shape/convex.h"

static ecp_vec3 random_direction(test_random *r)
{
    const ecp_vec3 d = ecp_v3(test_uniform(r, -1, 1), test_uniform(r, -1, 1), test_uniform(r, -1, 1));
    return ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(d), d);
}

static void assert_at(ecp_vec3 expected, ecp_vec3 actual)
{
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(expected, actual)), TOL(1e-6, 1e-14));
}

static void test_lowest_point_of_an_ellipsoid_is_the_closed_form(void)
{
    // x = -A^-1 n/sqrt(n.A^-1 n), A^-1 = diag(a^2, b^2, c^2); its height is -sqrt(n.A^-1 n)
    const ecp_shape shape = ECP_ELLIPSOID(ECP_R(0.5), ECP_R(1.0), ECP_R(0.2));
    test_random r = test_seed(22);
    for (int i = 0; i < 200; i++) {
        const ecp_vec3 n = random_direction(&r);
        const ecp_vec3 An = ecp_v3(ECP_R(0.25) * n.x, n.y, ECP_R(0.04) * n.z);
        const ecp_real q = ecp_sqrt(ecp_v3_dot(n, An));
        ecp_vec3 where = { TEST_POISON, TEST_POISON, TEST_POISON };
        ASSERT_NEAR(-q, ecp_support(&shape, n, ECP_R(1e-7), &where), TOL(1e-6, 1e-14));
        assert_at(ecp_v3_scale(ECP_R(-1.0) / q, An), where);
    }
}

static void test_lowest_point_of_a_tilted_cylinder_is_on_its_lower_rim(void)
{
    // axis at angle a from n: height -(length/2 cos a + r sin a)
    const ecp_shape shape = ECP_CYLINDER(ECP_R(0.3), ECP_R(1.0));
    for (int i = 1; i < 90; i++) {
        const double a = i * 3.14159265358979323846 / 180.0;
        const ecp_vec3 n = ecp_v3((ecp_real)sin(a), 0, (ecp_real)cos(a));
        ecp_vec3 where = { TEST_POISON, TEST_POISON, TEST_POISON };
        ASSERT_NEAR(-(0.5 * cos(a) + 0.3 * sin(a)), ecp_support(&shape, n, ECP_R(1e-7), &where),
                    TOL(1e-6, 1e-14));
        assert_at(ecp_v3(ECP_R(-0.3), 0, ECP_R(-0.5)), where);
    }
}

static void test_closest_point_of_a_face_an_edge_and_a_corner_is_its_middle(void)
{
    const ecp_shape shape = ECP_BOX(ECP_R(2.0), ECP_R(4.0), ECP_R(6.0));
    const ecp_real s = ECP_R(0.70710678118654752);
    ecp_vec3 where;
    ASSERT_NEAR(-3, ecp_support(&shape, ecp_v3(0, 0, 1), ECP_R(1e-6), &where), 0);
    assert_at(ecp_v3(0, 0, -3), where);
    ASSERT_NEAR(-4 * s, ecp_support(&shape, ecp_v3(s, 0, s), ECP_R(1e-6), &where), TOL(1e-6, 1e-14));
    assert_at(ecp_v3(-1, 0, -3), where);
    (void)ecp_support(&shape, ecp_v3(ECP_R(0.6), ECP_R(0.48), ECP_R(0.64)), ECP_R(1e-6), &where);
    assert_at(ecp_v3(-1, -2, -3), where);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_lowest_point_of_an_ellipsoid_is_the_closed_form);
    RUN_TEST(test_lowest_point_of_a_tilted_cylinder_is_on_its_lower_rim);
    RUN_TEST(test_closest_point_of_a_face_an_edge_and_a_corner_is_its_middle);
    return UNITY_END();
}
