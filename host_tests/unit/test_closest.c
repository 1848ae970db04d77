// Signed distance, closest points and normal of pairs of convex shapes.
//
// Apart, the answer proves itself: points a of A and b of B at the distance |a - b| bound it from
// above, the gap along n (least n.x of A less largest of B) from below.  Where shapes overlap every
// direction bounds the depth from one side, and all directions that can be the best are tried.
#include "test.h"

#include "solids.h"

#define EXACT TOL(4e-6, 1e-12)

// parts of the sizes by which the certificate of a result fails: of the gap, of the points
typedef struct faults {
    double gap, points;
} faults;

static faults faults_of(const solid *A, const solid *B, const ecp_closest_points *c)
{
    const double size = solid_size(A, B), gap = (double)c->gap;
    const dvec n = dv_of(c->n), ab = dv_axpy(dv_of(c->a), -1.0, dv_of(c->b));
    const double below = fmax(fabs(dv_norm(n) - 1.0), fabs(solid_gap_along(A, B, n) - gap) / size);
    const double outside = fmax(solid_outside(A, c->a), solid_outside(B, c->b)) / size;
    return (faults){ below, fmax(dv_norm(dv_axpy(ab, -gap, n)) / size, outside) };
}

static void worse(faults *worst, faults f)
{
    worst->gap = fmax(worst->gap, f.gap);
    worst->points = fmax(worst->points, f.points);
}

static void seat(solid *s, test_random *r, double reach, bool square)
{
    const ecp_vec3 x = ecp_v3(test_uniform(r, -reach, reach), test_uniform(r, -reach, reach),
                              test_uniform(r, -reach, reach));
    // square: by multiples of a quarter turn, so that faces are flush and edges parallel
    ecp_quat q = solid_random_turn(r);
    if (square) {
        q = (ecp_quat){ 1, 0, 0, 0 };
        q.x = test_uniform(r, 0, 1) > ECP_R(0.5) ? ECP_R(1.0) : ECP_R(0.0);
        q.y = q.x > ECP_R(0.5) || test_uniform(r, 0, 1) > ECP_R(0.5) ? ECP_R(0.0) : ECP_R(1.0);
    }
    solid_place(s, x, q);
}

// pairs of two kinds at random, and each brought to within a hair along its normal: it stays nearest
// there, and the gap is known
static void worst_of_pairs(int ka, int kb, bool square, test_random *r, faults *apart, faults *touching)
{
    static solid A, B;
    for (int i = 0; i < 250; i++) {
        solid_random(&A, ka, r);
        solid_random(&B, kb, r);
        seat(&A, r, 2.0, square);
        seat(&B, r, 2.0, square);
        ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        if (!(c.gap > ECP_R(0.0))) {
            continue;
        }
        worse(apart, faults_of(&A, &B, &c));
        for (double near = 1e-3; near > 1e-13; near *= 1e-2) {
            A.pose.x = ecp_v3_axpy(A.pose.x, (ecp_real)near - c.gap, c.n);
            c = ecp_closest(&A.pose, &B.pose);
            const double left = fabs((double)c.gap - near) / solid_size(&A, &B);
            worse(touching, faults_of(&A, &B, &c));
            worse(touching, (faults){ left, 0 });
        }
    }
}

static const char *const names[6] = { "box", "sphere", "hull", "ellipsoid", "cylinder", "cone" };

static void check_kinds(int ka, int kb)
{
    test_random r = test_seed((uint64_t)(2026 + 10 * ka + kb));
    faults apart = { 0, 0 }, touching = { 0, 0 };
    worst_of_pairs(ka, kb, false, &r, &apart, &touching);
    worst_of_pairs(ka, kb, true, &r, &apart, &touching);
    printf("%s on %s: apart %.1e, points %.1e; touching %.1e, points %.1e\n", names[ka], names[kb],
           apart.gap, apart.points, touching.gap, touching.points);
    ASSERT_SMALL(apart.gap, EXACT);
    ASSERT_SMALL(touching.gap, EXACT);
    // in float crossing edges and rims, nearly parallel ones apart too, are seen along a normal good to half
    // the digits
    const bool curved = ka > 2 || kb > 2;
    ASSERT_SMALL(apart.points, curved ? TOL(1e-3, 1e-11) : EXACT);
    ASSERT_SMALL(touching.points, TOL(1e-3, curved ? 1e-8 : 1e-12));
}

static void test_polytopes_and_spheres_apart_and_just_apart_bounds_meet(void)
{
    for (int k = 0; k < 9; k++) {
        check_kinds(k / 3, k % 3);
    }
}

static void test_curved_shapes_apart_and_just_apart_bounds_meet(void)
{
    for (int ka = 0; ka < 6; ka++) {
        for (int kb = ka > 2 ? 0 : 3; kb < 6; kb++) {
            check_kinds(ka, kb);
        }
    }
}

static double best_along(const solid *A, const solid *B, dvec n, double best)
{
    const double length = dv_norm(n);
    if (length < 1e-9) {
        return best;
    }
    n = dv(n.x / length, n.y / length, n.z / length);
    best = fmax(best, solid_gap_along(A, B, n));
    return fmax(best, solid_gap_along(A, B, dv(-n.x, -n.y, -n.z)));
}

// all normals through three corners of one solid, all cross products of lines through two corners
static double depth_by_trying_all(const solid *A, const solid *B)
{
    double best = -HUGE_VAL;
    const solid *both[2] = { A, B };
    for (int k = 0; k < 2; k++) {
        const solid *s = both[k];
        for (int i = 0; i < solid_corners(s); i++) {
            for (int j = 0; j < i; j++) {
                for (int m = 0; m < j; m++) {
                    const dvec p = solid_to_world(s, solid_corner(s, i)), q = solid_to_world(s, solid_corner(s, j));
                    const dvec o = solid_to_world(s, solid_corner(s, m));
                    best = best_along(A, B, dv_cross(dv_axpy(p, -1, o), dv_axpy(q, -1, o)), best);
                }
            }
        }
    }
    for (int i = 0; i < solid_corners(A); i++) {
        for (int j = 0; j < i; j++) {
            const dvec e = dv_axpy(solid_to_world(A, solid_corner(A, i)), -1, solid_to_world(A, solid_corner(A, j)));
            for (int k = 0; k < solid_corners(B); k++) {
                for (int m = 0; m < k; m++) {
                    const dvec f = dv_axpy(solid_to_world(B, solid_corner(B, k)), -1,
                                           solid_to_world(B, solid_corner(B, m)));
                    best = best_along(A, B, dv_cross(e, f), best);
                }
            }
        }
    }
    return best;
}

static void test_depth_of_overlapping_polytopes_is_the_least_over_all_directions(void)
{
    static solid A, B;
    test_random r = test_seed(7);
    int overlaps = 0;
    for (int i = 0; i < 600; i++) {
        solid_random(&A, i & 1 ? 0 : 2, &r);
        solid_random(&B, i & 2 ? 0 : 2, &r);
        seat(&A, &r, i & 4 ? 0.1 : 0.6, i & 8);
        seat(&B, &r, 0.6, i & 8);
        const ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        if (c.gap < ECP_R(0.0)) {
            overlaps++;
            ASSERT_SMALL(((double)c.gap - depth_by_trying_all(&A, &B)) / solid_size(&A, &B), EXACT);
            ASSERT_SMALL(solid_gap_along(&A, &B, dv_of(c.n)) - (double)c.gap, EXACT * 4);
        }
    }
    TEST_ASSERT_TRUE(overlaps > 300);
}

// 150 steps to the best of eight neighbours, halved where none is better
static double climb(const solid *A, const solid *B, dvec n, double best)
{
    double step = 0.1;
    for (int turn = 0; turn < 150 && step > 1e-7; turn++) {
        dvec t = fabs(n.x) < 0.6 ? dv(1, 0, 0) : dv(0, 1, 0);
        t = dv_axpy(t, -dv_dot(n, t), n);
        t = dv_axpy(dv(0, 0, 0), 1 / dv_norm(t), t);
        const dvec o = dv_cross(n, t);
        dvec to = n;
        for (int k = 0; k < 9; k++) {
            dvec m = dv_axpy(dv_axpy(n, step * (k % 3 - 1), t), step * (k / 3 - 1), o);
            m = dv_axpy(dv(0, 0, 0), 1 / dv_norm(m), m);
            const double h = solid_gap_along(A, B, m);
            to = h > best ? m : to;
            best = fmax(best, h);
        }
        step = dv_norm(dv_axpy(to, -1, n)) > 0 ? step : 0.5 * step;
        n = to;
    }
    return best;
}

// climbs from the best of 600 random directions and of the neighbourhood of where the library is
static double depth_by_searching(const solid *A, const solid *B, dvec found, test_random *r)
{
    dvec start[3];
    double h[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }, best = -HUGE_VAL;
    for (int i = 0; i < 600; i++) {
        dvec d = dv_of(ecp_v3(test_uniform(r, -1, 1), test_uniform(r, -1, 1), test_uniform(r, -1, 1)));
        d = dv_axpy(dv(0, 0, 0), 1 / dv_norm(d), d);
        const double hd = solid_gap_along(A, B, d);
        if (hd > h[i % 3]) {
            h[i % 3] = hd;
            start[i % 3] = d;
        }
    }
    for (int i = 0; i < 3; i++) {
        best = fmax(best, climb(A, B, start[i], h[i]));
    }
    return fmax(best, climb(A, B, found, solid_gap_along(A, B, found)));
}

static void test_depth_of_overlapping_curved_shapes_is_the_least_that_a_search_finds(void)
{
    static solid A, B;
    test_random r = test_seed(11);
    int overlaps = 0, deep = 0, missed = 0;
    double worst_shallow = 0, worst_deep = 0;
    for (int i = 0; i < 360; i++) {
        solid_random(&A, 3 + i % 3, &r);
        solid_random(&B, i / 3 % 6, &r);
        // a third of them pushed in by 1e-9 to 1e-3 from where they touch
        seat(&A, &r, i % 9 < 3 ? 1.5 : 0.5, i & 8);
        seat(&B, &r, 0.5, i & 8);
        ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        if (i % 9 < 3 && c.gap > ECP_R(0.0)) {
            const double depth = 1e-9 * (double)(i % 4 < 2 ? 1 : 1000000);
            A.pose.x = ecp_v3_axpy(A.pose.x, -c.gap - (ecp_real)depth, c.n);
            c = ecp_closest(&A.pose, &B.pose);
        }
        if (!(c.gap < ECP_R(0.0))) {
            continue;
        }
        const double size = solid_size(&A, &B), gap = (double)c.gap;
        overlaps++;
        ASSERT_SMALL((solid_gap_along(&A, &B, dv_of(c.n)) - gap) / size, EXACT);
        const double less = fmax(0, depth_by_searching(&A, &B, dv_of(c.n), &r) - gap) / size;
        if (gap < -0.01 * size) {
            deep++;
            missed += less > (double)TOL(1e-5, 1e-10);
            worst_deep = fmax(worst_deep, less);
        } else {
            worst_shallow = fmax(worst_shallow, less);
        }
    }
    printf("%d overlaps, shallow: too deep by %.1e; %d deep, %d too deep by more than rounding, by %.1e\n",
           overlaps, worst_shallow, deep, missed, worst_deep);
    ASSERT_SMALL(worst_shallow, TOL(4e-6, 1e-9));
    // deep inside each other the net of directions may miss the best one: rarely and not by much
    TEST_ASSERT_LESS_OR_EQUAL_INT(deep / 100, missed);
    ASSERT_SMALL(worst_deep, 0.05);
    TEST_ASSERT_TRUE(deep > 150 && overlaps - deep > 50);
}

static void test_concentric_shapes_have_the_least_of_their_reaches_as_depth(void)
{
    // all about one point: the least translation is along the shortest reach of both together
    static solid A, B;
    static const ecp_shape shapes[4] = { ECP_SPHERE(ECP_R(0.5)), ECP_ELLIPSOID(1, ECP_R(0.25), ECP_R(0.75)),
                                         ECP_CYLINDER(ECP_R(0.5), 2), ECP_BOX(2, ECP_R(1.5), 1) };
    static const double reach[4] = { 0.5, 0.25, 0.5, 0.5 };
    for (int i = 0; i < 4; i++) {
        A.shape = shapes[i];
        B.shape = shapes[i];
        solid_place(&A, ecp_v3(1, 2, 3), (ecp_quat){ 1, 0, 0, 0 });
        solid_place(&B, ecp_v3(1, 2, 3), (ecp_quat){ 1, 0, 0, 0 });
        const ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        ASSERT_NEAR(-2 * reach[i], c.gap, TOL(4e-6, 1e-12));
        TEST_ASSERT_TRUE(ecp_v3_finite(c.a) && ecp_v3_finite(c.b));
    }
}

static void test_touching_boxes_pressed_in_by_a_hair_have_that_depth(void)
{
    // face on face, the upper turned about the normal, edges parallel at 0: gap = height given
    static solid A, B;
    A.shape = (ecp_shape)ECP_BOX(ECP_R(1.0), ECP_R(0.5), ECP_R(0.25));
    B.shape = (ecp_shape)ECP_BOX(2, 2, 1);
    for (int turn = 0; turn < 8; turn++) {
        for (double gap = -1e-4; gap < 1.1e-4; gap += 1e-4) {
            for (double scale = 1; scale > 1e-9; scale *= 1e-2) {
                const double a = 0.1 * turn;
                solid_place(&A, ecp_v3(ECP_R(0.3), ECP_R(-0.2), (ecp_real)(0.625 + gap * scale)),
                            (ecp_quat){ (ecp_real)cos(a), 0, 0, (ecp_real)sin(a) });
                solid_place(&B, ecp_v3(0, 0, 0), (ecp_quat){ 1, 0, 0, 0 });
                const ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
                ASSERT_NEAR(gap * scale, c.gap, TOL(1e-6, 1e-15));
                ASSERT_NEAR(1.0, c.n.z, TOL(1e-6, 1e-15));
                // the middle of the lower face
                ASSERT_NEAR(0.3, c.a.x, TOL(1e-6, 1e-14));
                ASSERT_NEAR(-0.2, c.a.y, TOL(1e-6, 1e-14));
            }
        }
    }
}

static void test_spheres_have_the_gap_of_their_centres_less_their_radii(void)
{
    static solid A, B;
    A.shape = (ecp_shape)ECP_SPHERE(ECP_R(0.5));
    B.shape = (ecp_shape)ECP_SPHERE(ECP_R(0.25));
    for (int i = -5; i <= 20; i++) {
        solid_place(&A, ecp_v3(ECP_R(0.0), ECP_R(0.1) * (ecp_real)i, 0), (ecp_quat){ 1, 0, 0, 0 });
        solid_place(&B, ecp_v3(0, 0, 0), (ecp_quat){ 1, 0, 0, 0 });
        const ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        ASSERT_NEAR(fabs(0.1 * i) - 0.75, c.gap, TOL(1e-6, 1e-15));
        ASSERT_SMALL(faults_of(&A, &B, &c).gap, TOL(1e-6, 1e-15));
        ASSERT_SMALL(faults_of(&A, &B, &c).points, TOL(1e-6, 1e-15));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_polytopes_and_spheres_apart_and_just_apart_bounds_meet);
    RUN_TEST(test_curved_shapes_apart_and_just_apart_bounds_meet);
    RUN_TEST(test_depth_of_overlapping_polytopes_is_the_least_over_all_directions);
    RUN_TEST(test_depth_of_overlapping_curved_shapes_is_the_least_that_a_search_finds);
    RUN_TEST(test_concentric_shapes_have_the_least_of_their_reaches_as_depth);
    RUN_TEST(test_touching_boxes_pressed_in_by_a_hair_have_that_depth);
    RUN_TEST(test_spheres_have_the_gap_of_their_centres_less_their_radii);
    return UNITY_END();
}
