#include "math/project.h"
#include "test.h"

static bool cone(void *ctx, const ecp_real *z, ecp_real *p)
{
    (void)ctx;
    ecp_project_cone(z, p, NULL);
    return true;
}

// unknowns: z and the radius
static bool ball(void *ctx, const ecp_real *z, ecp_real *p)
{
    (void)ctx;
    ecp_project_ball(z, z[3], p, NULL, NULL);
    return true;
}

static bool near_cone_boundary(const ecp_real *z)
{
    const ecp_real s = ecp_sqrt(z[1] * z[1] + z[2] * z[2]);
    return ecp_fabs(z[0] - s) < ECP_R(0.1) || ecp_fabs(z[0] + s) < ECP_R(0.1) || s < ECP_R(0.1);
}

static ecp_real margin(const ecp_real p[3])
{
    return p[0] - ecp_sqrt(p[1] * p[1] + p[2] * p[2]);
}

static void test_cone_projection_splits_a_vector_into_orthogonal_parts(void)
{
    // Moreau: z = p - d with p and d in K and p.d = 0
    test_random r = test_seed(1);
    for (int i = 0; i < 500; i++) {
        ecp_real z[3], p[3], d[3];
        test_fill(&r, z, 3, -2, 2);
        test_poison(p, 3);
        ecp_project_cone(z, p, NULL);
        for (int j = 0; j < 3; j++) {
            d[j] = p[j] - z[j];
        }
        TEST_ASSERT_TRUE(margin(p) >= -TOL(1e-6, 1e-15));
        TEST_ASSERT_TRUE(margin(d) >= -TOL(1e-6, 1e-15));
        ASSERT_SMALL(p[0] * d[0] + p[1] * d[1] + p[2] * d[2], TOL(3e-6, 1e-14));
    }
}

static void test_cone_projection_keeps_members_and_sends_the_polar_to_zero(void)
{
    const ecp_real in[3] = { 2, 1, -1 }, edge[3] = { 5, 3, 4 }, polar[3] = { -2, 1, 1 };
    ecp_real p[3], D[3][3];
    ecp_project_cone(in, p, D);
    TEST_ASSERT_EQUAL_MEMORY(in, p, sizeof p);
    ASSERT_NEAR(1, D[0][0] * D[1][1] * D[2][2], 0);
    ecp_project_cone(edge, p, NULL);
    TEST_ASSERT_EQUAL_MEMORY(edge, p, sizeof p);
    ecp_project_cone(polar, p, D);
    ASSERT_SMALL(test_largest(p, 3), 0);
    ASSERT_SMALL(test_largest(&D[0][0], 9), 0);
}

static void test_cone_projection_may_work_in_place(void)
{
    ecp_real z[3] = { 0, 3, 4 };
    ecp_project_cone(z, z, NULL);
    ASSERT_NEAR(2.5, z[0], TOL(1e-6, 1e-15));
    ASSERT_NEAR(1.5, z[1], TOL(1e-6, 1e-15));
    ASSERT_NEAR(2.0, z[2], TOL(1e-6, 1e-15));
}

static void test_cone_derivative_agrees_with_differences(void)
{
    test_random r = test_seed(2);
    for (int i = 0; i < 300; i++) {
        ecp_real z[3], p[3], D[3][3];
        test_fill(&r, z, 3, -2, 2);
        if (near_cone_boundary(z)) {
            continue;
        }
        ecp_project_cone(z, p, D);
        ASSERT_SMALL(test_jacobian_error(cone, NULL, z, &D[0][0], 3, 3), TOL(5e-3, 1e-7));
    }
}

static void test_ball_derivative_agrees_with_differences(void)
{
    test_random r = test_seed(3);
    for (int i = 0; i < 300; i++) {
        ecp_real z[4], p[3], D[3][3], dr[3], J[12];
        test_fill(&r, z, 3, -2, 2);
        z[3] = test_uniform(&r, 0.2, 2);
        const ecp_real s = ecp_sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
        if (s < ECP_R(0.3) || ecp_fabs(s - z[3]) < ECP_R(0.1)) {
            continue;
        }
        ecp_project_ball(z, z[3], p, D, dr);
        for (int j = 0; j < 3; j++) {
            memcpy(J + 4 * j, D[j], sizeof D[j]);
            J[4 * j + 3] = dr[j];
        }
        ASSERT_SMALL(test_jacobian_error(ball, NULL, z, J, 3, 4), TOL(5e-3, 1e-7));
    }
}

static void test_ball_of_no_radius_is_the_origin_with_a_radial_derivative(void)
{
    const ecp_real z[3] = { 3, 0, 4 }, origin[3] = { 0, 0, 0 }, radii[2] = { 0, -1 };
    ecp_real p[3], D[3][3], dr[3];
    for (int i = 0; i < 2; i++) {
        ecp_project_ball(z, radii[i], p, D, dr);
        ASSERT_SMALL(test_largest(p, 3) + test_largest(&D[0][0], 9), 0);
        ASSERT_NEAR(0.6, dr[0], TOL(1e-6, 1e-15));
        ASSERT_NEAR(0.8, dr[2], TOL(1e-6, 1e-15));
        ecp_project_ball(origin, radii[i], p, D, dr);
        ASSERT_SMALL(test_largest(p, 3) + test_largest(&D[0][0], 9) + test_largest(dr, 3), 0);
    }
}

static void test_ball_keeps_its_members_and_shortens_the_others(void)
{
    const ecp_real z[3] = { 3, 0, 4 };
    ecp_real p[3], D[3][3], dr[3];
    ecp_project_ball(z, 6, p, D, dr);
    TEST_ASSERT_EQUAL_MEMORY(z, p, sizeof p);
    ASSERT_SMALL(test_largest(dr, 3), 0);
    ASSERT_NEAR(1, D[1][1], 0);
    ecp_project_ball(z, 1, p, NULL, NULL);
    ASSERT_NEAR(0.6, p[0], TOL(1e-6, 1e-15));
    ASSERT_NEAR(0.8, p[2], TOL(1e-6, 1e-15));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cone_projection_splits_a_vector_into_orthogonal_parts);
    RUN_TEST(test_cone_projection_keeps_members_and_sends_the_polar_to_zero);
    RUN_TEST(test_cone_projection_may_work_in_place);
    RUN_TEST(test_cone_derivative_agrees_with_differences);
    RUN_TEST(test_ball_derivative_agrees_with_differences);
    RUN_TEST(test_ball_of_no_radius_is_the_origin_with_a_radial_derivative);
    RUN_TEST(test_ball_keeps_its_members_and_shortens_the_others);
    return UNITY_END();
}
