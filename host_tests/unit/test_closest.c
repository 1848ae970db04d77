// Signed distance, closest points and normal of pairs of convex shapes.
//
// Apart, the answer proves itself: points a of A and b of B at the distance |a - b| bound it from
// above, the gap along n (least n.x of A less largest of B) from below.  Where shapes overlap every
// direction bounds the depth from one side, and all directions that can be the best are tried.
#include "test.h"

#include "solids.h"

#define EXACT TOL(4e-6, 1e-12)

// parts of the sizes by which the certificate of a result fails
static double fault_of(const solid *A, const solid *B, const ecp_closest_points *c)
{
    const double size = solid_size(A, B), gap = (double)c->gap;
    const dvec n = dv_of(c->n), ab = dv_axpy(dv_of(c->a), -1.0, dv_of(c->b));
    double worst = fabs(dv_norm(n) - 1.0);
    worst = fmax(worst, fabs(solid_gap_along(A, B, n) - gap) / size);
    worst = fmax(worst, dv_norm(dv_axpy(ab, -gap, n)) / size);
    return fmax(worst, fmax(solid_outside(A, c->a), solid_outside(B, c->b)) / size);
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

static double worst_of_pairs(int ka, int kb, bool square, test_random *r, int trials, double *touching)
{
    static solid A, B;
    double worst = 0;
    *touching = 0;
    for (int i = 0; i < trials; i++) {
        solid_random(&A, ka, r);
        solid_random(&B, kb, r);
        seat(&A, r, 2.0, square);
        seat(&B, r, 2.0, square);
        ecp_closest_points c = ecp_closest(&A.pose, &B.pose);
        if (!(c.gap > ECP_R(0.0))) {
            continue;
        }
        worst = fmax(worst, fault_of(&A, &B, &c));
        // brought to within a hair along the normal they stay nearest there
        for (double near = 1e-3; near > 1e-13; near *= 1e-2) {
            A.pose.x = ecp_v3_axpy(A.pose.x, (ecp_real)near - c.gap, c.n);
            c = ecp_closest(&A.pose, &B.pose);
            const double left = fabs((double)c.gap - near) / solid_size(&A, &B);
            *touching = fmax(*touching, fmax(left, fault_of(&A, &B, &c)));
        }
    }
    return worst;
}

static void test_apart_and_just_apart_upper_and_lower_bound_meet(void)
{
    static const char *names[3] = { "box", "sphere", "hull" };
    test_random r = test_seed(2026);
    for (int ka = 0; ka < 3; ka++) {
        for (int kb = 0; kb < 3; kb++) {
            for (int square = 0; square < 2; square++) {
                double touching;
                const double apart = worst_of_pairs(ka, kb, square, &r, 400, &touching);
                printf("%s on %s%s: apart %.1e, touching %.1e\n", names[ka], names[kb],
                       square ? ", square" : "", apart, touching);
                ASSERT_SMALL(apart, EXACT);
                ASSERT_SMALL(touching, EXACT);
            }
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
        ASSERT_SMALL(fault_of(&A, &B, &c), TOL(1e-6, 1e-15));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_apart_and_just_apart_upper_and_lower_bound_meet);
    RUN_TEST(test_depth_of_overlapping_polytopes_is_the_least_over_all_directions);
    RUN_TEST(test_touching_boxes_pressed_in_by_a_hair_have_that_depth);
    RUN_TEST(test_spheres_have_the_gap_of_their_centres_less_their_radii);
    return UNITY_END();
}
