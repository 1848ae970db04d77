// What a step reports of each contact: mode, patch, facets, ECP, frame, gap, edge, reserve; open contacts;
// the order of the bodies; sums over substeps.
#include "judge.h"

#define G 9.81
#define H 0.01
#define HALF_TURN 3.14159265358979323846

static const ecp_shape cube = ECP_BOX(1, 1, 1);
static const ecp_shape brick = ECP_BOX(ECP_R(0.6), ECP_R(0.4), ECP_R(0.2));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.3), ECP_R(0.8));
static const ecp_shape spike = ECP_CONE(ECP_R(0.3), ECP_R(0.4));
static const ecp_shape ball = ECP_SPHERE(ECP_R(0.5));
static const ecp_shape egg = ECP_ELLIPSOID(ECP_R(0.3), ECP_R(0.5), ECP_R(0.7));

static ecp_quat turned(double x, double y, double z, double angle)
{
    const double k = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    return (ecp_quat){ (ecp_real)cos(0.5 * angle), (ecp_real)(k * x), (ecp_real)(k * y), (ecp_real)(k * z) };
}

static ecp_report one_step(void)
{
    ecp_report r;
    memset(&r, 0x5a, sizeof r);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
    return r;
}

// ---------------------------------------------------------------------------------------------
// patch, facets and edge of every way to stand

typedef struct stance {
    const char *name;
    const ecp_shape *shape;
    ecp_quat q;
    double z;
    int patch, facets;
    double edge;  // of the ECP under the centre
} stance;

static void test_patch_facets_and_edge_of_every_way_to_stand(void)
{
    const double corner = sqrt(3.0) / 2, side = atan2(0.8, -0.6), rim = atan2(0.3, 0.4);
    const stance list[] = {
        { "cube on a face", &cube, { 1, 0, 0, 0 }, 0.5, 3, 1, 0.5 },
        { "cube on an edge", &cube, turned(0, 1, 0, HALF_TURN / 4), sqrt(0.5), 2, 2, 0.5 },
        { "cube on a corner", &cube, turned(1, -1, 0, atan(sqrt(2.0))), corner, 1, 3, 0 },
        { "brick on its smallest face", &brick, turned(0, 1, 0, HALF_TURN / 2), 0.3, 3, 1, 0.1 },
        { "cylinder standing", &drum, { 1, 0, 0, 0 }, 0.4, 3, 1, 0.3 },
        { "cylinder lying", &drum, turned(0, 1, 0, HALF_TURN / 2), 0.3, 2, 1, 0.4 },
        { "cylinder on its rim", &drum, turned(1, 0, 0, rim), 0.5, 1, 2, 0 },
        { "cone on its base", &spike, { 1, 0, 0, 0 }, 0.1, 3, 1, 0.3 },
        { "cone on its side", &spike, turned(0, 1, 0, side), 0.18, 2, 1, 0.24 },
        { "cone on its tip", &spike, turned(1, 0, 0, HALF_TURN), 0.3, 1, 1, 0 },
        { "cone on its rim", &spike, turned(0, 1, 0, atan2(0.3, 0.1)), sqrt(0.1), 1, 2, 0 },
        { "sphere", &ball, turned(1, 2, 3, 1), 0.5, 1, 1, 0 },
        { "ellipsoid", &egg, { 1, 0, 0, 0 }, 0.7, 1, 1, 0 },
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const stance *s = &list[i];
        ecp_state at = scene_at(2, -1, s->z);
        at.orientation = s->q;
        scene_on_floor(s->shape, 3, at, G, 0.5, 0.1);
        const ecp_report r = one_step();
        const ecp_contact_report *c = &r.contact[0];
        printf("%s: patch %d, %d facets, edge %.6f m\n", s->name, c->patch, c->facets, (double)c->edge);
        TEST_ASSERT_EQUAL_INT(ECP_STICK, c->mode);
        TEST_ASSERT_EQUAL_INT(s->patch, c->patch);
        TEST_ASSERT_EQUAL_INT(s->facets, c->facets);
        ASSERT_NEAR(s->edge, c->edge, TOL(1e-4, 1e-7));
        ASSERT_NEAR(2, c->a.x, TOL(1e-4, 1e-7));
        ASSERT_NEAR(-1, c->a.y, TOL(1e-4, 1e-7));
        ASSERT_SMALL(c->gap, TOL(1e-5, 1e-10));
        ASSERT_NEAR(3 * G * H, c->pn, TOL(1e-4, 1e-8));
        ASSERT_NEAR(1.0, c->reserve, TOL(1e-3, 1e-7));
        ASSERT_SMALL(c->sigma, TOL(1e-4, 1e-8));
    }
}

// a hull of four feet: all feet touch, so a surface; the edge is that of their hull
static void test_four_feet_are_a_surface(void)
{
    static const ecp_real h = ECP_R(0.25);
    static const ecp_plane planes[6] = { { { 1, 0, 0 }, ECP_R(0.25) }, { { -1, 0, 0 }, ECP_R(0.25) },
                                         { { 0, 1, 0 }, ECP_R(0.25) }, { { 0, -1, 0 }, ECP_R(0.25) },
                                         { { 0, 0, 1 }, ECP_R(0.05) }, { { 0, 0, -1 }, ECP_R(0.45) } };
    ecp_vec3 v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = ecp_v3((i & 1) ? h : -h, (i & 2) ? h : -h, (i & 4) ? ECP_R(0.05) : ECP_R(-0.45));
    }
    const ecp_shape desk = ECP_POLYTOPE(6, planes, 8, v);
    ecp_body_def d = { .kind = ECP_DYNAMIC, .shape = &desk, .mass = 15, .state = scene_at(0, 0, 0.45) };
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    scene_begin(G);
    (void)scene_plane(&scene_floor);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, &d, NULL));
    scene_contact(1, 0, 0.5, 1, 1, 0.1);
    // 15 N at 0.45 m and 15 g: the ECP 0.04587 m ahead
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(15, 0, 0), ecp_v3(0, 0, 0)));
    const ecp_report r = one_step();
    TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
    TEST_ASSERT_EQUAL_INT(1, r.contact[0].facets);
    ASSERT_NEAR(0.25 - 0.45 / G, r.contact[0].edge, TOL(1e-5, 1e-9));
    ASSERT_NEAR(1 - 15 / (0.5 * 15 * G), r.contact[0].reserve, TOL(1e-5, 1e-9));
}

// ---------------------------------------------------------------------------------------------
// open contacts: closest point, normal and gap of the shapes, everything else zero

static void assert_silent(const ecp_contact_report *c)
{
    TEST_ASSERT_EQUAL_INT(ECP_OPEN, c->mode);
    TEST_ASSERT_EQUAL_INT(0, c->patch);
    TEST_ASSERT_EQUAL_INT(0, c->facets);
    const ecp_real zero[7] = { c->pn, c->pt, c->po, c->pr, c->sigma, c->edge, c->reserve };
    ASSERT_SMALL(test_largest(zero, 7), 0);
}

static void test_open_contact_knows_its_closest_point_and_nothing_else(void)
{
    // P22: the lowest point of an ellipsoid is c - A n/sqrt(n.A n), A its matrix of squared semi-axes
    test_random q = test_seed(22);
    double worst = 0;
    for (int i = 0; i < 50; i++) {
        ecp_state s = scene_at(0.3, -0.4, 3);
        s.orientation = turned((double)test_uniform(&q, -1, 1), (double)test_uniform(&q, -1, 1),
                               (double)test_uniform(&q, 0.1, 1), (double)test_uniform(&q, 0, 3));
        scene_on_floor(&egg, 1, s, 0, 0.5, 0.1);
        const ecp_report r = one_step();
        const vec n = turn_back(s.orientation, vec_of(0, 0, 1)), An = vec_of(0.09 * n.x, 0.25 * n.y, 0.49 * n.z);
        const double reach = sqrt(vec_dot(n, An));
        const vec lowest = vec_sub(vec_of(0.3, -0.4, 3), vec_scale(1 / reach, turn(s.orientation, An)));
        assert_silent(&r.contact[0]);
        worst = fmax(worst, vec_norm(vec_sub(vec_from(r.contact[0].a), lowest)));
        worst = fmax(worst, fabs((double)r.contact[0].gap - (3 - reach)));
        ASSERT_NEAR(1.0, r.contact[0].n.z, 0);
        TEST_ASSERT_EQUAL_INT(0, r.iterations);
    }
    printf("hovering ellipsoid: closest point and gap off by %.1e m\n", worst);
    ASSERT_SMALL(worst, TOL(3e-6, 1e-14));
}

static void test_touching_without_impulse_is_open(void)
{
    // no weight, no motion, gap zero
    scene_on_floor(&cube, 1, scene_at(0, 0, 0.5), 0, 0.5, 0.1);
    const ecp_report r = one_step();
    assert_silent(&r.contact[0]);
    ASSERT_SMALL(r.gap_min, 0);
}

static void test_gap_of_an_overlap_is_minus_its_depth(void)
{
    ecp_report r;
    ecp_state s = scene_at(0, 0, 0.4);
    scene_on_floor(&cube, 1, s, G, 0.5, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_observe(&scene_world, &r));
    ASSERT_NEAR(-0.1, r.contact[0].gap, TOL(1e-6, 1e-15));
    ASSERT_NEAR(-0.1, r.gap_min, TOL(1e-6, 1e-15));
    assert_silent(&r.contact[0]);
    TEST_ASSERT_EQUAL_INT(1, r.contact_count);
    s.orientation = turned(0, 1, 0, HALF_TURN / 4);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 1, &s));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_observe(&scene_world, &r));
    ASSERT_NEAR(0.4 - sqrt(0.5), r.contact[0].gap, TOL(1e-6, 1e-15));
}

// ---------------------------------------------------------------------------------------------
// the frame: t from the world axis least aligned with n, ties x before y before z; or from `axis`

typedef struct frame_case {
    double n[3];
    int axis;
} frame_case;

static void test_tangent_comes_from_the_world_axis_least_aligned_with_the_normal(void)
{
    static const frame_case list[] = {
        { { 0, 0, 1 }, 0 },  { { 0, 1, 0 }, 0 },    { { 1, 0, 0 }, 1 },  { { 0, 0, -1 }, 0 },
        { { 1, 1, 1 }, 0 },  { { 1, 1, 0 }, 2 },    { { 1, 0, 1 }, 1 },  { { 0, 1, 1 }, 0 },
        { { -3, 1, 2 }, 1 }, { { 0.4, -0.3, 0.2 }, 2 },
        { { 0.5 + 5e-7, 0.5, 0.70710678 }, 0 },  // within 1e-6: a tie
        { { 0.5 + 8e-6, 0.5, 0.70710678 }, 1 },
        { { 0.8, 0.424264, 0.424264 - 8e-6 }, 2 },
    };
    static ecp_shape plane;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const vec n = vec_unit(vec_of(list[i].n[0], list[i].n[1], list[i].n[2]));
        vec e = { list[i].axis == 0, list[i].axis == 1, list[i].axis == 2 };
        e = vec_unit(vec_sub(e, vec_scale(vec_dot(e, n), n)));
        plane = (ecp_shape)ECP_HALFSPACE((ecp_real)n.x, (ecp_real)n.y, (ecp_real)n.z, 0);
        scene_begin(0);
        (void)scene_plane(&plane);
        ecp_state s = scene_at(0.5 * n.x, 0.5 * n.y, 0.5 * n.z);
        s.velocity = vec_to(vec_scale(-1, n));
        (void)scene_body(&ball, 1, s);
        scene_contact(1, 0, 0.5, 1, 1, 0.1);
        const ecp_report r = one_step();
        ASSERT_SMALL(vec_norm(vec_sub(vec_from(r.contact[0].t), e)), TOL(1e-6, 1e-14));
        ASSERT_SMALL(vec_norm(vec_sub(vec_from(r.contact[0].n), n)), TOL(1e-6, 1e-14));
        ASSERT_NEAR(1.0, r.contact[0].pn, TOL(1e-5, 1e-10));
        // ecp_observe of the same pose: the same frame
        ecp_report o;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_observe(&scene_world, &o));
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(o.contact[0].t, r.contact[0].t)), 0);
    }
}

// a tilting half-space: n of the end of the step, t its projection of the axis chosen at the start
static void test_frame_of_a_tilting_plane_is_that_of_the_end_of_the_step(void)
{
    const double w = 20, half = 0.5 * H * w;
    scene_begin(G);
    ecp_body_def d = { .kind = ECP_KINEMATIC, .shape = &scene_floor, .state = scene_at(0, 0, 0) };
    d.state.angular_velocity.y = (ecp_real)w;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, &d, NULL));
    (void)scene_body(&ball, 1, scene_at(0, 0, 0.5));
    scene_contact(1, 0, 0.5, 1, 1, 0.1);
    const ecp_report r = one_step();
    // Cayley: the angle is 2 arctan(h w/2)
    const double angle = 2 * atan(half);
    ASSERT_NEAR(sin(angle), r.contact[0].n.x, TOL(1e-6, 1e-14));
    ASSERT_NEAR(cos(angle), r.contact[0].n.z, TOL(1e-6, 1e-14));
    ASSERT_NEAR(cos(angle), r.contact[0].t.x, TOL(1e-6, 1e-14));
    ASSERT_NEAR(-sin(angle), r.contact[0].t.z, TOL(1e-6, 1e-14));
}

// ---------------------------------------------------------------------------------------------
// the half-space named first: n reversed, the ECP on it, the impulse that the body exerts on it

static ecp_report slide_and_spin(bool plane_first)
{
    ecp_state s = scene_at(0, 0, 0.1);
    s.velocity = ecp_v3(1, ECP_R(0.4), 0);
    s.angular_velocity.z = 3;
    scene_begin(G);
    (void)scene_plane(&scene_floor);
    (void)scene_body(&brick, 2, s);
    scene_contact(plane_first ? 0 : 1, plane_first ? 1 : 0, 0.3, 0.8, 1.3, 0.1);
    return one_step();
}

static void test_other_order_reports_the_opposite_impulse_in_its_own_frame(void)
{
    const ecp_report body_first = slide_and_spin(false), plane_first = slide_and_spin(true);
    const ecp_contact_report *c = &body_first.contact[0], *d = &plane_first.contact[0];
    const vec n = vec_from(c->n), t = vec_from(c->t), m = vec_from(d->n), s = vec_from(d->t);
    const vec P = vec_add(vec_scale((double)c->pn, n),
                          vec_add(vec_scale((double)c->pt, t), vec_scale((double)c->po, vec_cross(n, t))));
    const vec Q = vec_add(vec_scale((double)d->pn, m),
                          vec_add(vec_scale((double)d->pt, s), vec_scale((double)d->po, vec_cross(m, s))));
    ASSERT_SMALL(vec_norm(vec_add(n, m)), 0);
    ASSERT_SMALL(vec_norm(vec_sub(t, s)), 0);
    ASSERT_SMALL(vec_norm(vec_add(P, Q)), TOL(1e-5, 1e-10));
    // moment about n: both reversed
    ASSERT_NEAR(c->pr, d->pr, TOL(1e-5, 1e-10));
    ASSERT_NEAR(c->sigma, d->sigma, TOL(1e-5, 1e-10));
    ASSERT_SMALL(vec_norm(vec_sub(vec_from(c->a), vec_from(d->a))), TOL(1e-5, 1e-9));
    TEST_ASSERT_EQUAL_INT(c->mode, d->mode);
    TEST_ASSERT_EQUAL_INT(c->patch, d->patch);
    // one facet of the half-space holds whatever touches
    TEST_ASSERT_EQUAL_INT(1, d->facets);
    ASSERT_NEAR(c->edge, d->edge, TOL(1e-5, 1e-9));
    TEST_ASSERT_TRUE((double)c->pt < 0 && (double)d->pt > 0);
}

// ---------------------------------------------------------------------------------------------
// reserve and mode

static void test_reserve_falls_to_zero_where_slip_begins(void)
{
    for (int i = 0; i <= 12; i++) {
        const double force = 0.1 * i * 0.5 * 2 * G;  // of the limit: 0 to 1.2
        scene_on_floor(&brick, 2, scene_at(0, 0, 0.1), G, 0.5, 0.1);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3((ecp_real)force, 0, 0), ecp_v3(0, 0, 0)));
        const ecp_report r = one_step();
        if (i == 10) {
            continue;  // on the border both are right
        }
        TEST_ASSERT_EQUAL_INT(i < 10 ? ECP_STICK : ECP_SLIP, r.contact[0].mode);
        ASSERT_NEAR(fmax(0.0, 1 - 0.1 * i), r.contact[0].reserve, TOL(1e-5, 1e-9));
        ASSERT_NEAR(fmax(0.0, (force - 0.5 * 2 * G) / 2 * H), r.contact[0].sigma, TOL(1e-5, 1e-9));
    }
}

static void test_smooth_contact_slips_without_force_and_every_number_is_finite(void)
{
    ecp_state s = scene_at(0, 0, 0.1);
    scene_on_floor(&brick, 2, s, G, 0, 0.1);
    ecp_report r = one_step();  // at rest
    TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    TEST_ASSERT_TRUE(isfinite((double)r.contact[0].reserve));
    s.velocity.x = 1;
    scene_on_floor(&brick, 2, s, G, 0, 0.1);
    r = one_step();
    TEST_ASSERT_EQUAL_INT(ECP_SLIP, r.contact[0].mode);
    ASSERT_NEAR(1.0, r.contact[0].sigma, TOL(1e-6, 1e-12));
    ASSERT_SMALL(r.contact[0].reserve, 0);
    ASSERT_SMALL(r.contact[0].pt, 0);
}

// slip speed counts e_t, e_o and e_r: |(e_t vx, e_o vy, e_r wz)|
static void test_sigma_is_the_slip_speed_of_the_ellipsoid(void)
{
    const ecp_report r = slide_and_spin(false);
    const ecp_state s = scene_state(1);
    const vec arm = vec_sub(vec_from(r.contact[0].a), vec_from(s.position));
    const vec v = vec_add(vec_from(s.velocity), vec_cross(vec_from(s.angular_velocity), arm));
    const double a = 0.8 * v.x, b = 1.3 * v.y, c = 0.1 * (double)s.angular_velocity.z;
    ASSERT_NEAR(sqrt(a * a + b * b + c * c), r.contact[0].sigma, TOL(1e-5, 1e-9));
}

// ---------------------------------------------------------------------------------------------
// substeps: impulses add up

static void test_impulses_of_substeps_add_up_to_the_load_of_the_step(void)
{
    // a sphere that spins by 0.8 rad in a step: two substeps
    ecp_state s = scene_at(0, 0, 0.5);
    s.angular_velocity.z = 80;
    scene_on_floor(&ball, 2, s, G, 0.2, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scene_world, 1, ecp_v3(0, 0, ECP_R(-0.5)), ecp_v3(0, 0, 0)));
    ecp_report r;
    TEST_ASSERT_EQUAL_INT(ECP_SUBSTEPPED, ecp_step(&scene_world, (ecp_real)H, &r));
    TEST_ASSERT_EQUAL_INT(ECP_SUBSTEPPED, r.status);
    TEST_ASSERT_EQUAL_INT(2, r.substeps);
    // loads are held, the impulse acts once
    ASSERT_NEAR(2 * G * H + 0.5, r.contact[0].pn, TOL(1e-5, 1e-9));
    ASSERT_NEAR(-0.2 * 0.1 * (2 * G * H + 0.5), r.contact[0].pr, TOL(1e-5, 1e-9));
    const double w = 80 + (double)r.contact[0].pr / (0.4 * 2 * 0.25);
    ASSERT_NEAR(w, scene_state(1).angular_velocity.z, TOL(1e-4, 1e-9));
    ASSERT_NEAR(0.1 * w, r.contact[0].sigma, TOL(1e-4, 1e-9));
}

static void test_report_may_be_left_out(void)
{
    ecp_state s = scene_at(0, 0, 0.1), with;
    s.velocity = ecp_v3(1, 2, -1);
    scene_on_floor(&brick, 2, s, G, 0.3, 0.1);
    (void)one_step();
    with = scene_state(1);
    scene_on_floor(&brick, 2, s, G, 0.3, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, NULL));
    const ecp_state without = scene_state(1);
    TEST_ASSERT_EQUAL_MEMORY(&with, &without, sizeof with);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_patch_facets_and_edge_of_every_way_to_stand);
    RUN_TEST(test_four_feet_are_a_surface);
    RUN_TEST(test_open_contact_knows_its_closest_point_and_nothing_else);
    RUN_TEST(test_touching_without_impulse_is_open);
    RUN_TEST(test_gap_of_an_overlap_is_minus_its_depth);
    RUN_TEST(test_tangent_comes_from_the_world_axis_least_aligned_with_the_normal);
    RUN_TEST(test_frame_of_a_tilting_plane_is_that_of_the_end_of_the_step);
    RUN_TEST(test_other_order_reports_the_opposite_impulse_in_its_own_frame);
    RUN_TEST(test_reserve_falls_to_zero_where_slip_begins);
    RUN_TEST(test_smooth_contact_slips_without_force_and_every_number_is_finite);
    RUN_TEST(test_sigma_is_the_slip_speed_of_the_ellipsoid);
    RUN_TEST(test_impulses_of_substeps_add_up_to_the_load_of_the_step);
    RUN_TEST(test_report_may_be_left_out);
    return UNITY_END();
}
