// What a controller must be able to rely on: rest that stays at rest, recovery without ejection, a
// warm start that cannot poison, spins that are split or refused. Both real types.
#include "scene.h"

#include <float.h>
#include <string.h>

static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));
static const ecp_shape rod = ECP_CYLINDER(ECP_R(0.3), ECP_R(1.0));
static const ecp_shape ball = ECP_SPHERE(ECP_R(0.5));

static ecp_real radius_of(const ecp_shape *shape)
{
    return shape == &ball ? ECP_R(0.5) : (shape == &cube ? ECP_R(0.8660254) : ECP_R(0.5830952));
}

// rotation about y
static ecp_quat tilted(double angle)
{
    return (ecp_quat){ (ecp_real)cos(0.5 * angle), 0, (ecp_real)sin(0.5 * angle), 0 };
}

static void test_box_on_an_incline_does_not_creep_in_ten_seconds(void)
{
    // 20 degrees, mu = 0.5 > tan 20: sticks. h = 1 ms, 10,000 steps
    const double angle = 20.0 * 3.14159265358979 / 180.0;
    static ecp_shape slope;
    slope = (ecp_shape)ECP_HALFSPACE((ecp_real)sin(angle), 0, (ecp_real)cos(angle), 0);
    ecp_state start = scene_at(0.5 * sin(angle), 0, 0.5 * cos(angle));
    start.orientation = tilted(angle);
    scene_begin(9.81);
    (void)scene_plane(&slope);
    (void)scene_body(&cube, 1, start);
    scene_contact(1, 0, 0.5, 1, 1, 0.1);
    for (int k = 0; k < 10000; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.001), NULL));
    }
    const ecp_vec3 moved = ecp_v3_sub(scene_state(1).position, start.position);
    ASSERT_SMALL(ecp_v3_norm(moved), TOL(1e-4, 1e-10));
}

static void test_sliding_cube_keeps_its_speed_at_a_millisecond(void)
{
    ecp_state start = scene_at(0, 0, 0.5);
    start.velocity = ecp_v3(ECP_R(4.0), ECP_R(3.0), 0);
    scene_on_floor(&cube, 1, start, 9.81, 0.12, 0.1);
    for (int k = 1; k <= 4000; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.001), NULL));
        const double speed = 5.0 - k * 0.001 * 0.12 * 9.81;
        ASSERT_NEAR(speed, ecp_v3_norm(scene_state(1).velocity), TOL(1e-4, 1e-9));
    }
}

static void test_rolling_disc_keeps_its_energy_at_a_millisecond(void)
{
    // a disc on its rim rolling straight: no slip, so no loss
    static const ecp_shape disc = ECP_CYLINDER(ECP_R(0.5), ECP_R(0.1));
    ecp_state start = scene_at(0, 0, 0.5);
    start.orientation = (ecp_quat){ ECP_R(0.70710678118654752), ECP_R(0.70710678118654752), 0, 0 };
    start.velocity = ecp_v3(ECP_R(1.0), 0, 0);
    start.angular_velocity = ecp_v3(0, ECP_R(2.0), 0);
    scene_on_floor(&disc, 1, start, 9.81, 0.5, 0.0);
    const double before = (double)ecp_energy(&scene_world) - 9.81 * 0.5;
    for (int k = 0; k < 10000; k++) {
        TEST_ASSERT_TRUE(ecp_step(&scene_world, ECP_R(0.001), NULL) >= ECP_OK);
    }
    const double after = (double)ecp_energy(&scene_world) - 9.81 * (double)scene_state(1).position.z;
    ASSERT_NEAR(1.0, after / before, TOL(1e-3, 1e-6));
}

static void test_rest_at_a_tenth_of_a_millisecond_is_ok_every_step(void)
{
    const ecp_shape *const shapes[] = { &cube, &rod, &ball };
    static const double height[] = { 0.5, 0.5, 0.5 };
    for (int i = 0; i < 3; i++) {
        scene_on_floor(shapes[i], 1, scene_at(0, 0, height[i]), 9.81, 0.3, 0.05);
        for (int k = 0; k < 2000; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(1e-4), NULL));
        }
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(scene_state(1).position, scene_at(0, 0, height[i]).position)),
                     TOL(1e-5, 1e-9));
    }
}

// ---------------------------------------------------------------------------------------------

// Depth shrinks every step by at most h v_rec (and the rounding of a position); the body leaves at no
// more than v_rec, which may lift it by v_rec^2/2g, and comes to rest on the surface.
static void recovers(const ecp_shape *shape, double height, double depth)
{
    const double R = (double)radius_of(shape), h = 0.005, g = 9.81, v_rec = 0.1 * R;
    ecp_report report;
    scene_on_floor(shape, 1, scene_at(0, 0, height - depth * R), g, 0.5, 0.05);
    double before = -depth * R;
    const int out = (int)(depth / 0.1 / h) + 2, rest = (int)(2.0 * v_rec / g / h) + 2;
    for (int k = 0; k < out + rest; k++) {
        const ecp_status status = ecp_step(&scene_world, (ecp_real)h, &report);
        TEST_ASSERT_TRUE(status == ECP_OK || status == ECP_SUBSTEPPED);
        const double gap = (double)report.gap_min;
        TEST_ASSERT_TRUE(gap >= (before < 0 ? before : 0) - (double)TOL(1e-6, 1e-12));
        TEST_ASSERT_TRUE(gap <= before + h * v_rec + (double)TOL(2e-6, 1e-11));
        TEST_ASSERT_TRUE(gap <= 0.5 * v_rec * v_rec / g + (double)TOL(2e-6, 1e-11));
        ASSERT_SMALL(ecp_v3_norm(scene_state(1).velocity), v_rec * 1.001 + (double)TOL(1e-4, 1e-9));
        TEST_ASSERT_TRUE(k + 1 < out || gap >= -(double)TOL(1e-5, 1e-9));
        before = gap;
    }
    ASSERT_SMALL(before, TOL(1e-5, 1e-9));
    ASSERT_SMALL(ecp_v3_norm(scene_state(1).velocity), TOL(1e-3, 1e-9));
}

static void test_penetrating_starts_come_out_at_the_recovery_speed(void)
{
    static const double depth[] = { 0.001, 0.005, 0.01, 0.05 };
    for (int i = 0; i < 4; i++) {
        recovers(&cube, 0.5, depth[i]);
        recovers(&rod, 0.5, depth[i]);
        recovers(&ball, 0.5, depth[i]);
    }
}

// ---------------------------------------------------------------------------------------------

// a cube thrown onto the floor, some steps in: point and edge contacts, stick and slip
static void throw_cube(int steps)
{
    ecp_state start = scene_at(0, 0, 0.8);
    start.velocity = ecp_v3(ECP_R(1.0), ECP_R(0.5), ECP_R(-1.0));
    start.angular_velocity = ecp_v3(ECP_R(1.0), ECP_R(2.0), ECP_R(0.5));
    scene_on_floor(&cube, 1, start, 9.81, 0.4, 0.1);
    for (int k = 0; k < steps; k++) {
        TEST_ASSERT_TRUE(ecp_step(&scene_world, ECP_R(0.01), NULL) >= ECP_OK);
    }
}

static void poison(ecp_warm *w, int kind, test_random *r)
{
    for (int i = 0; i < ECP_MAX_GENERATORS; i++) {
        w->feature[i] = (int16_t)(kind == 3 ? 4 * i + 3 : (int)test_uniform(r, -40, 40));
        w->lam[i] = kind == 0 ? (ecp_real)NAN : (kind == 1 ? ECP_REAL_MAX : test_uniform(r, -100, 100));
    }
    for (int i = 0; i < 3; i++) {
        w->phat[i] = kind == 0 ? (ecp_real)INFINITY : test_uniform(r, -100, 100);
    }
    w->count = ECP_MAX_GENERATORS;
}

static void test_warm_start_may_hold_anything(void)
{
    test_random r = test_seed(5);
    for (int steps = 0; steps < 60; steps += 3) {
        throw_cube(steps);
        const ecp_world before = scene_world;
        TEST_ASSERT_TRUE(ecp_step(&scene_world, ECP_R(0.01), NULL) >= ECP_OK);
        const ecp_state clean = scene_state(1);
        for (int kind = 0; kind < 4; kind++) {
            scene_world = before;
            poison(&scene_world.contact[0].warm, kind, &r);
            const ecp_status status = ecp_step(&scene_world, ECP_R(0.01), NULL);
            TEST_ASSERT_TRUE(status == ECP_OK || status == ECP_SUBSTEPPED);
            const ecp_state s = scene_state(1);
            ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(s.position, clean.position)), TOL(1e-5, 1e-9));
            ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(s.velocity, clean.velocity)), TOL(1e-3, 1e-7));
            ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(s.angular_velocity, clean.angular_velocity)), TOL(1e-3, 1e-7));
        }
    }
}

static void test_warm_start_count_out_of_range_is_ignored(void)
{
    throw_cube(40);
    scene_world.contact[0].warm.count = 30000;
    TEST_ASSERT_TRUE(ecp_step(&scene_world, ECP_R(0.01), NULL) >= ECP_OK);
    scene_world.contact[0].warm.count = -7;
    TEST_ASSERT_TRUE(ecp_step(&scene_world, ECP_R(0.01), NULL) >= ECP_OK);
}

// ---------------------------------------------------------------------------------------------

static void spin_top(double h_w, double h)
{
    static const ecp_shape top = ECP_CONE(ECP_R(0.1), ECP_R(0.2));
    ecp_state start = scene_at(0, 0, 0.15);
    start.orientation = (ecp_quat){ 0, 1, 0, 0 };  // tip down
    start.angular_velocity = ecp_v3(ECP_R(0.01), 0, (ecp_real)(h_w / h));
    scene_on_floor(&top, 0.5, start, 9.81, 0.5, 0.01);
}

static void test_fast_top_is_substepped_and_stays_finite(void)
{
    spin_top(3.0, 0.01);
    for (int k = 0; k < 200; k++) {
        ecp_report report;
        const ecp_status status = ecp_step(&scene_world, ECP_R(0.01), &report);
        TEST_ASSERT_TRUE(status >= ECP_OK);
        if (k == 0) {
            TEST_ASSERT_EQUAL_INT(ECP_SUBSTEPPED, status);
            TEST_ASSERT_EQUAL_INT(8, report.substeps);  // 3/8 <= 0.5 < 3/4
        }
        const ecp_state s = scene_state(1);
        TEST_ASSERT_TRUE(ecp_v3_finite(s.position) && ecp_v3_finite(s.angular_velocity));
    }
}

static void test_too_fast_top_is_refused_and_nothing_changes(void)
{
    spin_top(30.0, 0.01);
    const ecp_state before = scene_state(1);
    ecp_report report;
    TEST_ASSERT_EQUAL_INT(ECP_E_STATE, ecp_step(&scene_world, ECP_R(0.01), &report));
    const ecp_state after = scene_state(1);
    TEST_ASSERT_EQUAL_INT(0, memcmp(&before, &after, sizeof before));
    TEST_ASSERT_EQUAL_INT(ECP_E_STATE, report.status);
    TEST_ASSERT_TRUE(strlen(ecp_error(&scene_world)) > 0);
}

// ---------------------------------------------------------------------------------------------

// A cone that topples about its tip, held by friction between a floor and a wall: while it turns, the
// rows of the two contacts contradict one another by (h w)^2/2 radii, and at these friction
// coefficients no step satisfies all of them (MODEL.md [G10]). Solved by rates, or let go: it goes on
// toppling, inside the planes to the bound of a degraded step.
static void test_body_turning_about_a_held_point_is_not_caught_in_degraded_steps(void)
{
    static const ecp_shape cone = ECP_CONE(ECP_R(0.1), ECP_R(0.2));
    static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0);
    static const ecp_shape wall = ECP_HALFSPACE(1, 0, 0, 0);
    const double lean = 0.6;
    scene_begin(9.81);
    (void)scene_plane(&floor_shape);
    (void)scene_plane(&wall);
    // tip at the origin, the axis leaning away from the wall: a half turn about (sin, 0, cos) of half of it
    ecp_state start = scene_at(0.15 * sin(lean), 0, 0.15 * cos(lean));
    start.orientation = (ecp_quat){ 0, (ecp_real)cos(0.5 * lean), 0, (ecp_real)-sin(0.5 * lean) };
    (void)scene_body(&cone, 0.5, start);
    scene_contact(2, 0, 1.0, 1.5, 1, 0.05);
    scene_contact(2, 1, 1.0, 1.5, 1.5, 0.05);
    int degraded = 0, row = 0, longest = 0;
    for (int k = 0; k < 200; k++) {
        ecp_report report;
        const ecp_status status = ecp_step(&scene_world, ECP_R(0.002), &report);
        TEST_ASSERT_TRUE(status >= ECP_OK);
        TEST_ASSERT_TRUE((double)report.gap_min >= -0.15 * (double)TOL(1e-3, 1e-6));
        row = status == ECP_DEGRADED ? row + 1 : 0;
        longest = row > longest ? row : longest;
        degraded += status == ECP_DEGRADED;
    }
    const ecp_state s = scene_state(2);
    TEST_ASSERT_TRUE((double)s.position.z < 0.1);  // it fell
    TEST_ASSERT_TRUE(longest <= 2);
    TEST_ASSERT_TRUE(degraded <= 20);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_box_on_an_incline_does_not_creep_in_ten_seconds);
    RUN_TEST(test_sliding_cube_keeps_its_speed_at_a_millisecond);
    RUN_TEST(test_rolling_disc_keeps_its_energy_at_a_millisecond);
    RUN_TEST(test_rest_at_a_tenth_of_a_millisecond_is_ok_every_step);
    RUN_TEST(test_penetrating_starts_come_out_at_the_recovery_speed);
    RUN_TEST(test_warm_start_may_hold_anything);
    RUN_TEST(test_warm_start_count_out_of_range_is_ignored);
    RUN_TEST(test_fast_top_is_substepped_and_stays_finite);
    RUN_TEST(test_too_fast_top_is_refused_and_nothing_changes);
    RUN_TEST(test_body_turning_about_a_held_point_is_not_caught_in_degraded_steps);
    return UNITY_END();
}
