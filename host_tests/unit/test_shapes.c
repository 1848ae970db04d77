// Shapes: inequalities with gradient and Hessian, supports with ties, radius, inertia, validation.
#include "test.h"

#include "shape/convex.h"

static const ecp_shape box = ECP_BOX(ECP_R(0.6), ECP_R(0.4), ECP_R(0.2));
static const ecp_shape ball = ECP_SPHERE(ECP_R(0.5));
static const ecp_shape egg = ECP_ELLIPSOID(ECP_R(0.3), ECP_R(0.5), ECP_R(0.7));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.3), ECP_R(0.8));
static const ecp_shape spike = ECP_CONE(ECP_R(0.3), ECP_R(0.4));
static const ecp_shape ground = ECP_HALFSPACE(ECP_R(0.6), 0, ECP_R(0.8), ECP_R(-0.1));

// a regular tetrahedron of edge 2 sqrt 2 about the origin, and a unit octahedron
#define THIRD ECP_R(0.57735026918962576)
static const ecp_plane tetra_planes[4] = { { { THIRD, THIRD, THIRD }, THIRD }, { { -THIRD, -THIRD, THIRD }, THIRD },
                                           { { -THIRD, THIRD, -THIRD }, THIRD },
                                           { { THIRD, -THIRD, -THIRD }, THIRD } };
static const ecp_vec3 tetra_vertices[4] = { { -1, -1, -1 }, { 1, 1, -1 }, { 1, -1, 1 }, { -1, 1, 1 } };
static const ecp_shape tetra = ECP_POLYTOPE(4, tetra_planes, 4, tetra_vertices);
static const ecp_plane octa_planes[8] = {
    { { THIRD, THIRD, THIRD }, THIRD },   { { -THIRD, THIRD, THIRD }, THIRD },  { { THIRD, -THIRD, THIRD }, THIRD },
    { { -THIRD, -THIRD, THIRD }, THIRD }, { { THIRD, THIRD, -THIRD }, THIRD },  { { -THIRD, THIRD, -THIRD }, THIRD },
    { { THIRD, -THIRD, -THIRD }, THIRD }, { { -THIRD, -THIRD, -THIRD }, THIRD }
};
static const ecp_vec3 octa_vertices[6] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                            { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
static const ecp_shape octa = ECP_POLYTOPE(8, octa_planes, 6, octa_vertices);

static const ecp_shape *const all[] = { &box, &ball, &egg, &drum, &spike, &ground, &tetra, &octa };
#define SHAPES ((int)(sizeof all / sizeof all[0]))

static ecp_vec3 random_vector(test_random *r, double size)
{
    return ecp_v3(test_uniform(r, -size, size), test_uniform(r, -size, size), test_uniform(r, -size, size));
}

// ---------------------------------------------------------------------------------------------
// inequalities

typedef struct facet_at {
    const ecp_shape *shape;
    int facet;
} facet_at;

static bool value_of(void *ctx, const ecp_real *x, ecp_real *y)
{
    const facet_at *f = ctx;
    y[0] = ecp_facet_eval(f->shape, f->facet, ecp_v3(x[0], x[1], x[2])).f;
    return true;
}

static bool gradient_of(void *ctx, const ecp_real *x, ecp_real *y)
{
    const facet_at *f = ctx;
    const ecp_vec3 g = ecp_facet_eval(f->shape, f->facet, ecp_v3(x[0], x[1], x[2])).g;
    y[0] = g.x;
    y[1] = g.y;
    y[2] = g.z;
    return true;
}

static void test_gradient_and_hessian_are_the_differences_of_value_and_gradient(void)
{
    test_random r = test_seed(1);
    double worst = 0;
    for (int s = 0; s < SHAPES; s++) {
        for (int i = 0; i < ecp_facet_count(all[s]); i++) {
            for (int trial = 0; trial < 20; trial++) {
                facet_at at = { all[s], i };
                ecp_vec3 y = random_vector(&r, 0.6);
                y.x += ECP_R(0.7);  // away from the axis, where the cone side bends within 1e-3 radii
                const ecp_real x[3] = { y.x, y.y, y.z };
                const ecp_facet_value v = ecp_facet_eval(all[s], i, y);
                const ecp_real g[3] = { v.g.x, v.g.y, v.g.z };
                worst = fmax(worst, test_jacobian_error(value_of, &at, x, g, 1, 3));
                worst = fmax(worst, test_jacobian_error(gradient_of, &at, x, &v.H.m[0][0], 3, 3));
            }
        }
    }
    printf("gradients and Hessians: off by %.1e\n", worst);
    ASSERT_SMALL(worst, TOL(3e-3, 1e-8));
}

static void test_gradient_is_about_unit_on_the_surface(void)
{
    const ecp_vec3 on[] = { { ECP_R(0.3), 0, 0 }, { ECP_R(0.5), 0, 0 }, { ECP_R(0.3), 0, 0 },
                            { 0, ECP_R(0.3), ECP_R(0.1) } };
    const ecp_shape *const shape[] = { &box, &ball, &egg, &drum };
    for (int i = 0; i < 4; i++) {
        const ecp_facet_value v = ecp_facet_eval(shape[i], 0, on[i]);
        ASSERT_SMALL(v.f, TOL(1e-7, 1e-15));
        ASSERT_NEAR(1.0, ecp_v3_norm(v.g), TOL(1e-6, 1e-14));
    }
    // a quadric's gradient is longer where it is more curved: from 1 up to the ratio of the semi-axes
    ASSERT_NEAR(0.3 / 0.7, ecp_v3_norm(ecp_facet_eval(&egg, 0, ecp_v3(0, 0, ECP_R(0.7))).g), TOL(1e-6, 1e-14));
}

static void test_cone_side_is_rounded_at_the_tip_by_a_thousandth_of_the_radius(void)
{
    // far from the tip the side is exact to eps^2/2r; at the tip it is eps/sqrt(1 + k^2) outside
    const double eps = 1e-3 * 0.3, s = 0.8;
    const ecp_vec3 far = ecp_v3(ECP_R(0.15), 0, ECP_R(0.1));
    ASSERT_NEAR(s * eps * eps / (2 * 0.15), ecp_facet_eval(&spike, 0, far).f, TOL(1e-7, 1e-12));
    ASSERT_NEAR(s * eps, ecp_facet_eval(&spike, 0, ecp_v3(0, 0, ECP_R(0.3))).f, TOL(1e-7, 1e-15));
    const ecp_facet_value tip = ecp_facet_eval(&spike, 0, ecp_v3(0, 0, ECP_R(0.3)));
    ASSERT_SMALL(tip.g.x, 0);
    ASSERT_NEAR(0.6, tip.g.z, TOL(1e-6, 1e-15));
    ASSERT_NEAR(s / eps, tip.H.m[0][0], TOL(1e-2, 1e-9));
}

// every inequality is convex: its Hessian has no negative direction
static void test_inequalities_are_convex(void)
{
    test_random r = test_seed(2);
    for (int s = 0; s < SHAPES; s++) {
        for (int i = 0; i < ecp_facet_count(all[s]); i++) {
            for (int trial = 0; trial < 50; trial++) {
                const ecp_facet_value v = ecp_facet_eval(all[s], i, random_vector(&r, 1));
                const ecp_vec3 d = random_vector(&r, 1);
                const ecp_real bend = ecp_v3_dot(d, ecp_m3_mulv(&v.H, d));
                TEST_ASSERT_TRUE((double)bend >= -(double)TOL(1e-5, 1e-14) * (1 + (double)ecp_fabs(v.H.m[0][0])));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// supports

// a point of the surface where the shape ends in a direction: inside, and no sampled point is lower
static void test_support_is_the_lowest_point_of_the_inequalities(void)
{
    test_random r = test_seed(3);
    for (int s = 0; s < SHAPES; s++) {
        if (all[s]->kind == ECP_SHAPE_HALFSPACE) {
            continue;
        }
        const double R = (double)ecp_shape_radius(all[s]);
        for (int trial = 0; trial < 100; trial++) {
            ecp_vec3 d = random_vector(&r, 1), y;
            d = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(d), d);
            const ecp_real low = ecp_support(all[s], d, 0, &y);
            ASSERT_NEAR(low, ecp_v3_dot(d, y), TOL(1e-6, 1e-14));
            for (int i = 0; i < ecp_facet_count(all[s]); i++) {
                // the tip of the cone is exact, its side rounded
                const double slack = all[s] == &spike ? 1e-3 * 0.3 : 0;
                TEST_ASSERT_TRUE((double)ecp_facet_eval(all[s], i, y).f <= slack + (double)TOL(1e-6, 1e-14));
            }
            for (int k = 0; k < 100; k++) {
                const ecp_vec3 p = random_vector(&r, R);
                bool inside = true;
                for (int i = 0; i < ecp_facet_count(all[s]); i++) {
                    inside = inside && ecp_facet_eval(all[s], i, p).f <= ECP_R(0.0);
                }
                TEST_ASSERT_TRUE(!inside || ecp_v3_dot(d, p) >= low - TOL(1e-6, 1e-14));
            }
        }
    }
}

static void assert_point(double x, double y, double z, ecp_vec3 p)
{
    ASSERT_NEAR(x, p.x, TOL(1e-6, 1e-14));
    ASSERT_NEAR(y, p.y, TOL(1e-6, 1e-14));
    ASSERT_NEAR(z, p.z, TOL(1e-6, 1e-14));
}

static void test_support_of_ties_is_the_middle_of_face_edge_and_side(void)
{
    const ecp_real tie = ECP_R(1e-7), s = ECP_R(0.70710678118654752);
    ecp_vec3 y;
    ASSERT_NEAR(-0.1, ecp_support(&box, ecp_v3(0, 0, 1), tie, &y), TOL(1e-7, 1e-15));
    assert_point(0, 0, -0.1, y);
    (void)ecp_support(&box, ecp_v3(0, s, s), tie, &y);
    assert_point(0, -0.2, -0.1, y);
    (void)ecp_support(&drum, ecp_v3(1, 0, 0), tie, &y);
    assert_point(-0.3, 0, 0, y);
    (void)ecp_support(&drum, ecp_v3(0, 0, -1), tie, &y);
    assert_point(0, 0, 0.4, y);
    (void)ecp_support(&spike, ecp_v3(0, 0, 1), tie, &y);
    assert_point(0, 0, -0.1, y);
    // the side line from tip (0, 0, 0.3) to rim (-0.3, 0, -0.1): its middle
    (void)ecp_support(&spike, ecp_v3(ECP_R(0.8), 0, ECP_R(-0.6)), tie, &y);
    assert_point(-0.15, 0, 0.1, y);
    (void)ecp_support(&octa, ecp_v3(-THIRD, THIRD, THIRD), ECP_R(1e-6), &y);
    assert_point(1.0 / 3, -1.0 / 3, -1.0 / 3, y);
    (void)ecp_support(&egg, ecp_v3(0, 1, 0), tie, &y);
    assert_point(0, -0.5, 0, y);
    // asked for no point: the value alone
    ASSERT_NEAR(-0.5, ecp_support(&ball, ecp_v3(0, 0, 1), tie, NULL), TOL(1e-7, 1e-15));
}

static void test_radius_is_the_farthest_point(void)
{
    ASSERT_NEAR(sqrt(0.09 + 0.04 + 0.01), ecp_shape_radius(&box), TOL(1e-7, 1e-15));
    ASSERT_NEAR(0.7, ecp_shape_radius(&egg), TOL(1e-7, 1e-15));
    ASSERT_NEAR(0.5, ecp_shape_radius(&drum), TOL(1e-7, 1e-15));
    ASSERT_NEAR(sqrt(0.09 + 0.01), ecp_shape_radius(&spike), TOL(1e-7, 1e-15));
    ASSERT_NEAR(sqrt(3.0), ecp_shape_radius(&tetra), TOL(1e-6, 1e-15));
}

// ---------------------------------------------------------------------------------------------
// inertia

static void assert_inertia(const ecp_shape *s, double mass, double xx, double yy, double zz)
{
    ecp_vec3 c = { TEST_POISON, TEST_POISON, TEST_POISON };
    ecp_real I[6];
    test_poison(I, 6);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_shape_inertia(s, (ecp_real)mass, &c, I));
    const double expected[6] = { xx, yy, zz, 0, 0, 0 };
    for (int i = 0; i < 6; i++) {
        ASSERT_NEAR(expected[i], I[i], mass * (double)TOL(1e-6, 1e-14));
    }
    ASSERT_SMALL(ecp_v3_norm(c), TOL(1e-6, 1e-14));
}

static void test_inertia_of_uniform_density_in_closed_form(void)
{
    const double m = 3;
    assert_inertia(&box, m, m / 12 * (0.16 + 0.04), m / 12 * (0.36 + 0.04), m / 12 * (0.36 + 0.16));
    assert_inertia(&ball, m, 0.4 * m * 0.25, 0.4 * m * 0.25, 0.4 * m * 0.25);
    assert_inertia(&egg, m, m / 5 * (0.25 + 0.49), m / 5 * (0.09 + 0.49), m / 5 * (0.09 + 0.25));
    assert_inertia(&drum, m, m / 12 * (3 * 0.09 + 0.64), m / 12 * (3 * 0.09 + 0.64), m / 2 * 0.09);
    assert_inertia(&spike, m, m * 3 / 80 * (4 * 0.09 + 0.16), m * 3 / 80 * (4 * 0.09 + 0.16), m * 0.3 * 0.09);
    // regular tetrahedron m a^2/20 with a^2 = 8, octahedron m a^2/10 with a^2 = 2
    assert_inertia(&tetra, m, m * 0.4, m * 0.4, m * 0.4);
    assert_inertia(&octa, m, m * 0.2, m * 0.2, m * 0.2);
}

// a box of 0.6 x 0.4 x 0.2 turned about z and with its centre off the origin, as planes and vertices
static void test_inertia_of_a_polytope_is_a_full_tensor_about_the_origin(void)
{
    const double angle = 0.7, c = cos(angle), s = sin(angle), at[3] = { 0.05, -0.03, 0.02 }, m = 2;
    const double half[3] = { 0.3, 0.2, 0.1 }, e[3][3] = { { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } };
    ecp_plane planes[6];
    ecp_vec3 vertices[8];
    for (int i = 0; i < 6; i++) {
        const double sign = i % 2 ? -1 : 1, *n = e[i / 2];
        planes[i].n = ecp_v3((ecp_real)(sign * n[0]), (ecp_real)(sign * n[1]), (ecp_real)(sign * n[2]));
        planes[i].n = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(planes[i].n), planes[i].n);
        planes[i].d = (ecp_real)(half[i / 2] + sign * (n[0] * at[0] + n[1] * at[1] + n[2] * at[2]));
    }
    for (int i = 0; i < 8; i++) {
        double y[3];
        for (int k = 0; k < 3; k++) {
            y[k] = at[k] + ((i & 1) ? half[0] : -half[0]) * e[0][k] + ((i & 2) ? half[1] : -half[1]) * e[1][k] +
                   ((i & 4) ? half[2] : -half[2]) * e[2][k];
        }
        vertices[i] = ecp_v3((ecp_real)y[0], (ecp_real)y[1], (ecp_real)y[2]);
    }
    const ecp_shape shape = ECP_POLYTOPE(6, planes, 8, vertices);
    const char *why = "";
    TEST_ASSERT_TRUE_MESSAGE(ecp_shape_check(&shape, &why) == ECP_OK, why);
    ecp_vec3 centroid;
    ecp_real I[6];
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_shape_inertia(&shape, (ecp_real)m, &centroid, I));
    const double a = m / 12 * (0.16 + 0.04), b = m / 12 * (0.36 + 0.04), z = m / 12 * (0.36 + 0.16);
    const double x2 = at[0] * at[0], y2 = at[1] * at[1], z2 = at[2] * at[2];
    const double expected[6] = { a * c * c + b * s * s + m * (y2 + z2), a * s * s + b * c * c + m * (x2 + z2),
                                 z + m * (x2 + y2), (a - b) * c * s - m * at[0] * at[1], -m * at[0] * at[2],
                                 -m * at[1] * at[2] };
    for (int i = 0; i < 6; i++) {
        ASSERT_NEAR(expected[i], I[i], TOL(1e-6, 1e-14));
    }
    ASSERT_NEAR(at[0], centroid.x, TOL(1e-6, 1e-14));
    ASSERT_NEAR(at[1], centroid.y, TOL(1e-6, 1e-14));
    ASSERT_NEAR(at[2], centroid.z, TOL(1e-6, 1e-14));
}

static void test_half_space_has_no_inertia(void)
{
    ecp_vec3 c;
    ecp_real I[6];
    TEST_ASSERT_EQUAL_INT(ECP_E_SHAPE, ecp_shape_inertia(&ground, 1, &c, I));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_shape_inertia(NULL, 1, &c, I));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_shape_inertia(&box, (ecp_real)NAN, &c, I));
}

// ---------------------------------------------------------------------------------------------
// validation

static void refused(ecp_status status, const ecp_shape *s, const char *word)
{
    const char *why = "";
    TEST_ASSERT_EQUAL_INT(status, ecp_shape_check(s, &why));
    TEST_ASSERT_TRUE_MESSAGE(strstr(why, word) != NULL, why);
    TEST_ASSERT_EQUAL_INT(status, ecp_shape_check(s, NULL));
}

static void test_good_shapes_pass(void)
{
    for (int s = 0; s < SHAPES; s++) {
        const char *why = "";
        TEST_ASSERT_TRUE_MESSAGE(ecp_shape_check(all[s], &why) == ECP_OK, why);
    }
}

static void test_sizes_must_be_positive_and_finite(void)
{
    static const ecp_real bad[] = { 0, -1, (ecp_real)NAN, (ecp_real)INFINITY };
    for (int i = 0; i < 4; i++) {
        const ecp_shape list[] = { ECP_BOX(1, bad[i], 1), ECP_SPHERE(bad[i]), ECP_ELLIPSOID(1, 1, bad[i]),
                                   ECP_CYLINDER(bad[i], 1), ECP_CYLINDER(1, bad[i]), ECP_CONE(1, bad[i]),
                                   ECP_CONE(bad[i], 1) };
        for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
            refused(ECP_E_SHAPE, &list[k], "positive");
        }
    }
    const ecp_shape slanted = ECP_HALFSPACE(1, 1, 0, 0), endless = ECP_HALFSPACE(0, 0, 1, (ecp_real)INFINITY);
    refused(ECP_E_SHAPE, &slanted, "unit normal");
    refused(ECP_E_SHAPE, &endless, "finite offset");
    refused(ECP_E_ARG, NULL, "null");
    const ecp_shape unknown = { .kind = (ecp_shape_kind)99 };
    refused(ECP_E_SHAPE, &unknown, "kind");
}

static void test_polytopes_must_be_closed_bounded_and_hold_the_origin(void)
{
    ecp_plane p[8];
    ecp_vec3 v[6];
    // unbounded: a face is missing
    const ecp_shape open = ECP_POLYTOPE(7, octa_planes, 6, octa_vertices);
    refused(ECP_E_SHAPE, &open, "closed");
    // fewer than four of either
    const ecp_shape flat = ECP_POLYTOPE(3, octa_planes, 6, octa_vertices);
    const ecp_shape thin = ECP_POLYTOPE(8, octa_planes, 3, octa_vertices);
    refused(ECP_E_SHAPE, &flat, "four");
    refused(ECP_E_SHAPE, &thin, "four");
    const ecp_shape missing = ECP_POLYTOPE(8, NULL, 6, octa_vertices);
    refused(ECP_E_SHAPE, &missing, "four");
    // origin outside or on the surface: the shape moved along x
    for (int k = 0; k < 2; k++) {
        const ecp_real move = k ? ECP_R(1.0) : ECP_R(3.0);
        for (int i = 0; i < 8; i++) {
            p[i] = octa_planes[i];
            p[i].d += move * p[i].n.x;
        }
        for (int i = 0; i < 6; i++) {
            v[i] = ecp_v3_add(octa_vertices[i], ecp_v3(move, 0, 0));
        }
        const ecp_shape moved = ECP_POLYTOPE(8, p, 6, v);
        refused(ECP_E_SHAPE, &moved, "origin inside");
    }
    // a vertex beyond a plane, a plane away from the vertices
    memcpy(p, octa_planes, sizeof octa_planes);
    memcpy(v, octa_vertices, sizeof octa_vertices);
    v[0].x = ECP_R(1.01);
    const ecp_shape beyond = ECP_POLYTOPE(8, p, 6, v);
    refused(ECP_E_SHAPE, &beyond, "beyond");
    memcpy(v, octa_vertices, sizeof octa_vertices);
    p[3].d = ECP_R(0.7);
    const ecp_shape away = ECP_POLYTOPE(8, p, 6, v);
    refused(ECP_E_SHAPE, &away, "do not match");
    // normals that are not unit, numbers that are none
    memcpy(p, octa_planes, sizeof octa_planes);
    p[2].n.x *= 2;
    const ecp_shape stretched = ECP_POLYTOPE(8, p, 6, v);
    refused(ECP_E_SHAPE, &stretched, "unit normal");
    v[4].z = (ecp_real)NAN;
    const ecp_shape nan_vertex = ECP_POLYTOPE(8, octa_planes, 6, v);
    refused(ECP_E_SHAPE, &nan_vertex, "not finite");
}

static void test_too_many_facets_or_vertices_are_a_limit(void)
{
    static ecp_plane planes[ECP_MAX_FACETS + 1];
    static ecp_vec3 vertices[ECP_MAX_VERTICES + 1];
    const ecp_shape facets = ECP_POLYTOPE(ECP_MAX_FACETS + 1, planes, 6, vertices);
    const ecp_shape corners = ECP_POLYTOPE(8, planes, ECP_MAX_VERTICES + 1, vertices);
    refused(ECP_E_LIMIT, &facets, "ECP_MAX_FACETS");
    refused(ECP_E_LIMIT, &corners, "ECP_MAX_FACETS");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_gradient_and_hessian_are_the_differences_of_value_and_gradient);
    RUN_TEST(test_gradient_is_about_unit_on_the_surface);
    RUN_TEST(test_cone_side_is_rounded_at_the_tip_by_a_thousandth_of_the_radius);
    RUN_TEST(test_inequalities_are_convex);
    RUN_TEST(test_support_is_the_lowest_point_of_the_inequalities);
    RUN_TEST(test_support_of_ties_is_the_middle_of_face_edge_and_side);
    RUN_TEST(test_radius_is_the_farthest_point);
    RUN_TEST(test_inertia_of_uniform_density_in_closed_form);
    RUN_TEST(test_inertia_of_a_polytope_is_a_full_tensor_about_the_origin);
    RUN_TEST(test_half_space_has_no_inertia);
    RUN_TEST(test_good_shapes_pass);
    RUN_TEST(test_sizes_must_be_positive_and_finite);
    RUN_TEST(test_polytopes_must_be_closed_bounded_and_hold_the_origin);
    RUN_TEST(test_too_many_facets_or_vertices_are_a_limit);
    return UNITY_END();
}
