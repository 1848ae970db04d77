// Convex hulls of points and intersections of planes.
#include "test.h"

#include "hull.h"

static const double cube_points[] = {
    0.5,  0.5, 0.5, 0.5,  0.5, -0.5, 0.5,  -0.5, 0.5, 0.5,  -0.5, -0.5,
    -0.5, 0.5, 0.5, -0.5, 0.5, -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5,
};

// every vertex behind every plane and on at least three; V - E + F = 2; unit normals
static void check_polytope(const hull *h)
{
    int ends = 0;
    for (int i = 0; i < h->vertex_count; i++) {
        int on = 0;
        for (int k = 0; k < h->plane_count; k++) {
            const double *n = h->planes[k], *v = h->vertices[i];
            const double s = n[0] * v[0] + n[1] * v[1] + n[2] * v[2] - n[3];
            TEST_ASSERT_TRUE(s < 1e-9);
            on += s > -1e-9;
        }
        TEST_ASSERT_TRUE(on >= 3);
        ends += on;
    }
    for (int k = 0; k < h->plane_count; k++) {
        const double *n = h->planes[k];
        ASSERT_NEAR(1.0, n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1e-14);
        TEST_ASSERT_TRUE(n[3] > 0.0);
    }
    TEST_ASSERT_EQUAL_INT(2, h->vertex_count - ends / 2 + h->plane_count);
}

static void refuse_points(const double *points, int count, const char *word)
{
    hull h;
    const char *why = "";
    TEST_ASSERT_FALSE(hull_of_points(&h, points, count, &why));
    TEST_ASSERT_TRUE_MESSAGE(strstr(why, word) != NULL, why);
    TEST_ASSERT_NULL(h.planes);
}

static void refuse_planes(const double *planes, int count, const char *word)
{
    hull h;
    const char *why = "";
    TEST_ASSERT_FALSE(hull_of_planes(&h, planes, count, &why));
    TEST_ASSERT_TRUE_MESSAGE(strstr(why, word) != NULL, why);
    TEST_ASSERT_NULL(h.planes);
}

static void test_a_cube_has_six_facets_and_eight_corners(void)
{
    hull h;
    const char *why = "";
    TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, cube_points, 8, &why), why);
    TEST_ASSERT_EQUAL_INT(6, h.plane_count);
    TEST_ASSERT_EQUAL_INT(8, h.vertex_count);
    check_polytope(&h);
    hull_free(&h);
}

static void test_points_that_are_no_corners_are_dropped(void)
{
    // twice the cube, its centre, the middle of a facet, of an edge
    double points[57] = { 0 };
    hull h;
    const char *why = "";
    memcpy(&points[0], cube_points, sizeof cube_points);
    memcpy(&points[24], cube_points, sizeof cube_points);
    points[51] = 0.5;
    points[54] = points[55] = 0.5;
    TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, points, 19, &why), why);
    TEST_ASSERT_EQUAL_INT(6, h.plane_count);
    TEST_ASSERT_EQUAL_INT(8, h.vertex_count);
    check_polytope(&h);
    hull_free(&h);
}

// a cube of side 2, 5 x 5 x 5 points, turned and rounded as if printed with few digits
static int rounded_grid(double *points, double unit)
{
    static const double R[3][3] = { { 0.36, 0.48, -0.8 }, { -0.8, 0.6, 0.0 }, { 0.48, 0.64, 0.6 } };
    for (int i = 0; i < 125; i++) {
        const double p[3] = { i % 5 / 2.0 - 1.0, i / 5 % 5 / 2.0 - 1.0, i / 25 / 2.0 - 1.0 };
        for (int c = 0; c < 3; c++) {
            const double x = R[c][0] * p[0] + R[c][1] * p[1] + R[c][2] * p[2] + 1e-3 * R[c][1];
            points[3 * i + c] = unit > 0.0 ? unit * floor(x / unit + 0.5) : x;
        }
    }
    return 125;
}

static void test_a_mesh_has_the_facets_of_its_body_however_it_is_rounded(void)
{
    double points[375];
    for (int digits = 6; digits <= 17; digits++) {
        hull h;
        const char *why = "";
        const int count = rounded_grid(points, digits < 17 ? pow(10.0, -digits) / 3.0 : 0.0);
        TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, points, count, &why), why);
        check_polytope(&h);
        TEST_ASSERT_TRUE(h.vertex_count >= 8);
        TEST_ASSERT_TRUE(digits < 10 || h.plane_count == 6);
        hull_free(&h);
    }
}

static void test_more_points_than_corners_are_no_matter(void)
{
    // a box full of points: only the corners count
    static double points[3 * 20000];
    test_random r = test_seed(11);
    for (int i = 24; i < 3 * 20000; i++) {
        points[i] = (double)test_uniform(&r, -0.499, 0.499);
    }
    memcpy(&points[30000], cube_points, sizeof cube_points);
    hull h;
    const char *why = "";
    TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, points, 20000, &why), why);
    TEST_ASSERT_EQUAL_INT(6, h.plane_count);
    TEST_ASSERT_EQUAL_INT(8, h.vertex_count);
    check_polytope(&h);
    hull_free(&h);
}

static void random_sphere(double *points, int count, uint64_t seed)
{
    test_random r = test_seed(seed);
    for (int i = 0; i < count;) {
        double v[3], length = 0.0;
        for (int c = 0; c < 3; c++) {
            v[c] = (double)test_uniform(&r, -1.0, 1.0);
            length += v[c] * v[c];
        }
        if (length < 0.01 || length > 1.0) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            points[3 * i + c] = v[c] / sqrt(length);
        }
        i++;
    }
}

static void test_points_on_a_sphere_are_all_corners(void)
{
    enum { N = 60 };
    double points[3 * N];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        hull h;
        const char *why = "";
        random_sphere(points, N, seed);
        TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, points, N, &why), why);
        TEST_ASSERT_EQUAL_INT(N, h.vertex_count);
        TEST_ASSERT_EQUAL_INT(2 * N - 4, h.plane_count);
        check_polytope(&h);
        hull_free(&h);
    }
}

static void test_a_turned_and_scaled_cube_keeps_merged_facets(void)
{
    // turn by 0.6/0.8 about z, then about x; sizes of a speck and of a mountain
    static const double scales[] = { 1e-4, 1.0, 1e4 };
    for (int k = 0; k < 3; k++) {
        double points[24];
        hull h;
        const char *why = "";
        for (int i = 0; i < 8; i++) {
            const double *p = &cube_points[3 * i];
            const double x = 0.6 * p[0] - 0.8 * p[1], y = 0.8 * p[0] + 0.6 * p[1];
            points[3 * i] = scales[k] * x;
            points[3 * i + 1] = scales[k] * (0.28 * y - 0.96 * p[2]);
            points[3 * i + 2] = scales[k] * (0.96 * y + 0.28 * p[2]);
        }
        TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&h, points, 8, &why), why);
        TEST_ASSERT_EQUAL_INT(6, h.plane_count);
        TEST_ASSERT_EQUAL_INT(8, h.vertex_count);
        hull_free(&h);
    }
}

static void test_sets_without_an_inside_are_refused(void)
{
    static const double flat[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5, 0 };
    static const double line[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 };
    static const double same[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const double off[] = { 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2 };
    static const double border[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    refuse_points(flat, 5, "plane");
    refuse_points(line, 4, "plane");
    refuse_points(same, 4, "plane");
    refuse_points(flat, 3, "plane");
    refuse_points(flat, 0, "no points");
    refuse_points(off, 4, "origin");
    refuse_points(border, 4, "origin");
}

static void test_planes_give_the_corners_and_lose_what_bounds_nothing(void)
{
    // a box of 2 x 1 x 1 with normals of any length, a plane far off and one that only touches a
    // corner
    static const double planes[] = { 1, 0, 0, 1, -3, 0, 0,  3,   0, 1, 0, 0.5, 0, -1, 0, 0.5,
                                     0, 0, 2, 1, 0,  0, -1, 0.5, 1, 1, 1, 9,   1, 1,  1, 2 };
    hull h;
    const char *why = "";
    TEST_ASSERT_TRUE_MESSAGE(hull_of_planes(&h, planes, 8, &why), why);
    TEST_ASSERT_EQUAL_INT(6, h.plane_count);
    TEST_ASSERT_EQUAL_INT(8, h.vertex_count);
    check_polytope(&h);
    for (int i = 0; i < 8; i++) {
        ASSERT_NEAR(1.0, fabs(h.vertices[i][0]), 1e-12);
        ASSERT_NEAR(0.5, fabs(h.vertices[i][1]), 1e-12);
        ASSERT_NEAR(0.5, fabs(h.vertices[i][2]), 1e-12);
    }
    hull_free(&h);
}

static void test_planes_that_close_nothing_are_refused(void)
{
    static const double open[] = { 1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1 };
    static const double outside[] = { 1, 0,  0, 1, -1, 0, 0, 1, 0, 1, 0,  1,
                                      0, -1, 0, 1, 0,  0, 1, 1, 0, 0, -1, -0.5 };
    static const double zero[] = { 0, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1 };
    refuse_planes(open, 5, "bounded");
    refuse_planes(open, 2, "bounded");
    refuse_planes(outside, 6, "inside");
    refuse_planes(zero, 4, "normal");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_cube_has_six_facets_and_eight_corners);
    RUN_TEST(test_points_that_are_no_corners_are_dropped);
    RUN_TEST(test_points_on_a_sphere_are_all_corners);
    RUN_TEST(test_a_turned_and_scaled_cube_keeps_merged_facets);
    RUN_TEST(test_sets_without_an_inside_are_refused);
    RUN_TEST(test_planes_give_the_corners_and_lose_what_bounds_nothing);
    RUN_TEST(test_planes_that_close_nothing_are_refused);
    RUN_TEST(test_a_mesh_has_the_facets_of_its_body_however_it_is_rounded);
    RUN_TEST(test_more_points_than_corners_are_no_matter);
    return UNITY_END();
}
