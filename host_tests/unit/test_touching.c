// The set of points in which two shapes touch: point, line or surface, its border, the facets that
// hold it.  Expected values are plane geometry.
#include "test.h"

#include "solids.h"

#define HALF ECP_R(0.5)
#define TOUCH TOL(1e-4, 1e-7)
#define NEAR TOL(1e-5, 1e-12)

static const ecp_shape cube = ECP_BOX(1, 1, 1);
static const ecp_shape table = ECP_BOX(4, 2, 1);
static const ecp_shape rod = ECP_CYLINDER(HALF, 1);
static const ecp_shape top = ECP_CONE(HALF, 2);
static const ecp_shape ball = ECP_SPHERE(HALF);

static const ecp_quat upright = { 1, 0, 0, 0 };

typedef struct touch {
    int kind, facets;
    ecp_real edge;
} touch;

static ecp_posed at(const ecp_shape *shape, double x, double y, double z, ecp_quat q)
{
    return (ecp_posed){ shape, ecp_quat_matrix(ecp_quat_normalised(q)),
                        { (ecp_real)x, (ecp_real)y, (ecp_real)z } };
}

static ecp_quat about(double x, double y, double z, double degrees)
{
    const double a = degrees * 3.14159265358979323846 / 360.0, s = sin(a);
    return (ecp_quat){ (ecp_real)cos(a), (ecp_real)(s * x), (ecp_real)(s * y), (ecp_real)(s * z) };
}

static touch touching(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, double ax, double ay)
{
    touch t = { -1, -1, TEST_POISON };
    // the height of the ECP does not count
    const ecp_vec3 a = ecp_v3((ecp_real)ax, (ecp_real)ay, ECP_R(0.1));
    t.kind = ecp_pair_touching(A, B, n, TOUCH, a, &t.edge, &t.facets);
    return t;
}

// A above B, from its own side, and the kind and border the same from B's
static void expect(const ecp_posed *A, const ecp_posed *B, double ax, double ay, int kind, double edge, int facets)
{
    const touch t = touching(A, B, ecp_v3(0, 0, 1), ax, ay), u = touching(B, A, ecp_v3(0, 0, -1), ax, ay);
    TEST_ASSERT_EQUAL_INT(kind, t.kind);
    TEST_ASSERT_EQUAL_INT(kind, u.kind);
    ASSERT_NEAR(edge, t.edge, NEAR);
    ASSERT_NEAR(edge, u.edge, NEAR);
    TEST_ASSERT_EQUAL_INT(facets, t.facets);
}

static void test_a_turned_cube_on_a_cube_touches_in_an_octagon(void)
{
    // at 45 degrees all eight sides are 0.5 from the middle
    const ecp_posed B = at(&cube, 0, 0, 0, upright), A = at(&cube, 0, 0, 1, about(0, 0, 1, 45));
    expect(&A, &B, 0, 0, 3, 0.5, 1);
    expect(&A, &B, 0.2, 0, 3, 0.3, 1);
    expect(&A, &B, 0.25, 0.25, 3, 0.5 - sqrt(0.125), 1);
    const ecp_vec3 middle = ecp_pair_centre(&A, &B, ecp_v3(0, 0, 1), ECP_R(0.0));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(middle, ecp_v3(0, 0, HALF))), NEAR);
}

static void test_shifted_boxes_touch_where_both_faces_are(void)
{
    // the cube over the table's end: x from 1.7 to 2, y from -0.5 to 0.5
    const ecp_posed B = at(&table, 0, 0, 0, upright), A = at(&cube, 2.2, 0, 1, upright);
    expect(&A, &B, 1.9, 0, 3, 0.1, 1);
    expect(&A, &B, 1.75, 0, 3, 0.05, 1);
    expect(&A, &B, 1.85, 0.45, 3, 0.05, 1);
    expect(&A, &B, 2.1, 0, 3, 0.0, 1);  // an ECP beyond the border has no distance to it
    const ecp_vec3 middle = ecp_pair_centre(&A, &B, ecp_v3(0, 0, 1), ECP_R(0.0));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(middle, ecp_v3(ECP_R(1.85), 0, HALF))), NEAR);
}

static void test_faces_that_share_a_border_or_a_corner_touch_in_a_line_or_a_point(void)
{
    const ecp_posed B = at(&table, 0, 0, 0, upright);
    // cube beside the end: common line x = 2, y from -0.5 to 0.5, on two facets of each
    const ecp_posed beside = at(&cube, 2.5, 0, 1, upright), corner = at(&cube, 2.5, 1.5, 1, upright);
    expect(&beside, &B, 2, 0.1, 2, 0.4, 2);
    expect(&corner, &B, 2, 1, 1, 0, 3);
    const ecp_posed away = at(&cube, 2.51, 0, 1, upright);
    expect(&away, &B, 2, 0, 0, 0, 0);
}

static void test_an_edge_on_a_face_is_a_line_clipped_by_the_face(void)
{
    // cube on its edge along y over the long side of the table: y from 0.7 to 1
    const double h = sqrt(0.5) + 0.5;
    const ecp_posed B = at(&table, 0, 0, 0, upright), A = at(&cube, 0.3, 1.2, h, about(0, 1, 0, 45));
    expect(&A, &B, 0.3, 0.8, 2, 0.1, 2);
    expect(&A, &B, 0.3, 0.95, 2, 0.05, 2);
    TEST_ASSERT_EQUAL_INT(1, touching(&B, &A, ecp_v3(0, 0, -1), 0.3, 0.8).facets);
    const ecp_posed middle = at(&cube, 0.3, 0, h, about(0, 1, 0, 45));
    expect(&middle, &B, 0.3, 0.2, 2, 0.3, 2);
}

static void test_edges_crossing_touch_in_a_point_and_parallel_ones_in_their_common_part(void)
{
    const double h = sqrt(0.5);
    const ecp_posed B = at(&cube, 0, 0, 0, about(1, 0, 0, 45));  // upper edge along x
    const ecp_posed across = at(&cube, 0.1, 0.2, 2 * h, about(0, 1, 0, 45));
    expect(&across, &B, 0.1, 0, 1, 0, 2);
    const ecp_posed beside = at(&cube, 0.4, 0, 2 * h, about(1, 0, 0, 45));  // x from -0.1 to 0.5
    expect(&beside, &B, 0.1, 0, 2, 0.2, 2);
    // turned by 0.02 rad the edges cross: a point
    const ecp_posed turned = at(&cube, 0.1, 0, 2 * h, about(1, 0, 0, 45));
    ecp_posed slow = turned;
    const ecp_mat3 Z = ecp_quat_matrix(ecp_quat_normalised(about(0, 0, 1, 1.2)));
    slow.R = ecp_m3_mul(&Z, &turned.R);
    expect(&slow, &B, 0.1, 0, 1, 0, 2);
}

static void test_corner_edge_and_face_lie_on_three_two_and_one_facets(void)
{
    // a corner down: the diagonal of the cube upright, 45 degrees about x, then the rest about y
    const ecp_posed B = at(&table, 0, 0, 0, upright);
    ecp_posed A = at(&cube, 0, 0, 0, about(1, 0, 0, 45));
    const double rest = atan(1.0 / sqrt(2.0)) * 180.0 / 3.14159265358979323846;
    const ecp_mat3 Y = ecp_quat_matrix(ecp_quat_normalised(about(0, 1, 0, rest)));
    A.R = ecp_m3_mul(&Y, &A.R);
    A.x.z = (ecp_real)(0.5 + 0.5 * sqrt(3.0));
    expect(&A, &B, 0, 0, 1, 0, 3);
    TEST_ASSERT_EQUAL_INT(1, touching(&B, &A, ecp_v3(0, 0, -1), 0, 0).facets);
}

static void test_a_standing_cylinder_touches_in_its_disc_within_the_face(void)
{
    const ecp_posed B = at(&table, 0, 0, 0, upright), A = at(&rod, 0, 0, 1, upright);
    expect(&A, &B, 0.1, 0, 3, 0.4, 1);
    const ecp_posed over = at(&rod, 1.8, 0, 1, upright);  // 0.3 over the end
    expect(&over, &B, 1.9, 0, 3, 0.1, 1);
    expect(&over, &B, 1.5, 0, 3, 0.2, 1);
    // cap on the upper edge of a cube: a chord, on the cap alone
    const ecp_posed roof = at(&cube, 0, 0.3, 0, about(1, 0, 0, 45));
    const ecp_posed on_roof = at(&rod, 0, 0, 0.5 + sqrt(0.5), upright);
    expect(&on_roof, &roof, 0.1, 0.3, 2, 0.3, 1);
    TEST_ASSERT_EQUAL_INT(2, touching(&roof, &on_roof, ecp_v3(0, 0, -1), 0, 0.3).facets);
}

static void test_discs_touch_in_a_lens_or_where_their_rims_meet(void)
{
    const ecp_posed B = at(&rod, 0, 0, 0, upright), A = at(&rod, 0.6, 0, 1, upright);
    expect(&A, &B, 0.3, 0, 3, 0.2, 1);
    expect(&A, &B, 0.2, 0, 3, 0.1, 1);
    const ecp_posed rim = at(&rod, 1, 0, 1, upright), away = at(&rod, 1.01, 0, 1, upright);
    expect(&rim, &B, 0.5, 0, 1, 0, 2);
    TEST_ASSERT_EQUAL_INT(0, touching(&away, &B, ecp_v3(0, 0, 1), 0.5, 0).kind);
    const ecp_vec3 middle = ecp_pair_centre(&A, &B, ecp_v3(0, 0, 1), ECP_R(0.0));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(middle, ecp_v3(ECP_R(0.3), 0, HALF))), NEAR);
}

static void test_a_lying_cylinder_and_a_lying_cone_touch_in_a_line(void)
{
    const ecp_posed B = at(&table, 0, 0, 0, upright);
    const ecp_posed A = at(&rod, 1.8, 0, 1, about(0, 1, 0, 90));  // x from 1.3 to 2 over the table
    expect(&A, &B, 1.9, 0, 2, 0.1, 1);
    const ecp_posed crossed = at(&rod, 0, 0, 1.0, about(0, 1, 0, 90)), below = at(&rod, 0, 0, 0, about(1, 0, 0, 90));
    expect(&crossed, &below, 0, 0, 1, 0, 1);
    const ecp_posed along = at(&rod, 0.7, 0, 1, about(0, 1, 0, 90)), under = at(&rod, 0, 0, 0, about(0, 1, 0, 90));
    expect(&along, &under, 0.3, 0, 2, 0.1, 1);  // x from 0.2 to 0.5
    // half-angle of the cone: tan = 1/4; its side horizontal, the side line sqrt(4 + 1/4) long
    const double tilt = atan(0.25), side = sqrt(4.25);
    const double centre = 1.5 * sin(tilt);
    const ecp_posed lying = at(&top, 0, 0, 0.5 + centre, about(0, 1, 0, 90 + tilt * 180 / 3.14159265358979323846));
    const double tip = 1.5 * cos(tilt);
    const touch t = touching(&lying, &B, ecp_v3(0, 0, 1), tip - side / 2, 0);
    TEST_ASSERT_EQUAL_INT(2, t.kind);
    TEST_ASSERT_EQUAL_INT(1, t.facets);
    ASSERT_NEAR(side / 2, t.edge, TOL(1e-4, 1e-9));
}

static void test_a_ball_touches_in_a_point_and_only_within_the_tolerance(void)
{
    const ecp_posed B = at(&table, 0, 0, 0, upright), A = at(&ball, 0.2, 0, 1, upright);
    expect(&A, &B, 0.2, 0, 1, 0, 1);
    const ecp_posed near = at(&ball, 0.2, 0, 1 + 0.5 * (double)TOUCH, upright);
    const ecp_posed far = at(&ball, 0.2, 0, 1 + 2 * (double)TOUCH, upright);
    expect(&near, &B, 0.2, 0, 1, 0, 1);
    expect(&far, &B, 0.2, 0, 0, 0, 0);
}

static void test_on_a_wide_box_every_shape_touches_as_on_a_plane(void)
{
    static solid A;
    static const ecp_shape ground = ECP_BOX(100, 100, 2);
    test_random r = test_seed(31);
    int kinds[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < 600; i++) {
        solid_random(&A, i % 6, &r);
        // by quarter turns about x half of the time: standing and lying
        const ecp_quat lying = about(1, 0, 0, 90.0 * (double)(i / 6 % 4));
        solid_place(&A, ecp_v3(0, 0, 0), i / 24 % 2 ? lying : solid_random_turn(&r));
        A.pose.x.z = (ecp_real)-solid_lowest(&A, dv(0, 0, 1));
        const ecp_posed B = at(&ground, 3, 2, -1, upright);
        const ecp_vec3 n = ecp_v3(0, 0, 1), a = ecp_pair_centre(&A.pose, &B, n, TOL(2e-6, 1e-13));
        touch on_plane = { 0, 0, 0 }, on_box = { 0, 0, 0 };
        on_plane.kind = ecp_plane_touching(&A.pose, n, 0, TOUCH, a, &on_plane.edge, &on_plane.facets);
        on_box.kind = ecp_pair_touching(&A.pose, &B, n, TOUCH, a, &on_box.edge, &on_box.facets);
        TEST_ASSERT_EQUAL_INT(on_plane.kind, on_box.kind);
        TEST_ASSERT_EQUAL_INT(on_plane.facets, on_box.facets);
        ASSERT_NEAR(on_plane.edge, on_box.edge, NEAR);
        kinds[on_plane.kind]++;
    }
    TEST_ASSERT_EQUAL_INT(0, kinds[0]);
    TEST_ASSERT_TRUE(kinds[1] > 50 && kinds[2] > 20 && kinds[3] > 50);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_turned_cube_on_a_cube_touches_in_an_octagon);
    RUN_TEST(test_shifted_boxes_touch_where_both_faces_are);
    RUN_TEST(test_faces_that_share_a_border_or_a_corner_touch_in_a_line_or_a_point);
    RUN_TEST(test_an_edge_on_a_face_is_a_line_clipped_by_the_face);
    RUN_TEST(test_edges_crossing_touch_in_a_point_and_parallel_ones_in_their_common_part);
    RUN_TEST(test_corner_edge_and_face_lie_on_three_two_and_one_facets);
    RUN_TEST(test_a_standing_cylinder_touches_in_its_disc_within_the_face);
    RUN_TEST(test_discs_touch_in_a_lens_or_where_their_rims_meet);
    RUN_TEST(test_a_lying_cylinder_and_a_lying_cone_touch_in_a_line);
    RUN_TEST(test_a_ball_touches_in_a_point_and_only_within_the_tolerance);
    RUN_TEST(test_on_a_wide_box_every_shape_touches_as_on_a_plane);
    return UNITY_END();
}
