// Sliding, sticking and pushing on planes against closed forms of the time-stepping scheme itself, so
// that double must agree to rounding and the tolerance of the solver (1e-11 of the speeds). Float: each
// step may be wrong by its tolerance of 1e-5 g h, and positions by their rounding.
#include "file_scene.h"
#include "judge.h"

#define DEGREE 0.017453292519943295

static const ecp_shape block = ECP_BOX(ECP_R(0.4), ECP_R(0.4), ECP_R(0.4));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.5), ECP_R(0.4));
static const ecp_shape spike = ECP_CONE(ECP_R(0.6), ECP_R(0.8));

typedef struct worst {
    double speed, place, turn, ecp, depth;
} worst;

static void widen(double *to, double value)
{
    *to = fabs(value) > *to ? fabs(value) : *to;
}

// ---------------------------------------------------------------------------------------------
// cube_slide: speed 5 - k h mu g along (0.8, 0.6), no rotation, ECP mu/2 ahead of the centre

static void compare_slide(worst *w, int k, const ecp_report *r)
{
    const ecp_state s = scene_state(1);
    const double drop = 0.01 * 0.12 * 9.8, speed = 5.0 - k * drop;
    const double path = 0.01 * (5.0 * k - drop * 0.5 * k * (k + 1.0));
    widen(&w->speed, (double)s.velocity.x - 0.8 * speed);
    widen(&w->speed, (double)s.velocity.y - 0.6 * speed);
    widen(&w->speed, (double)s.velocity.z);
    widen(&w->place, (double)s.position.x - 0.8 * path);
    widen(&w->place, (double)s.position.y - 0.6 * path);
    widen(&w->place, (double)s.position.z - 0.5);
    widen(&w->turn, (double)ecp_v3_norm(s.angular_velocity));
    widen(&w->turn, judge_quat_distance(s.orientation, (ecp_quat){ 1, 0, 0, 0 }));
    widen(&w->ecp, (double)(r->contact[0].a.x - s.position.x) - 0.8 * 0.06);
    widen(&w->ecp, (double)(r->contact[0].a.y - s.position.y) - 0.6 * 0.06);
    widen(&w->ecp, (double)r->contact[0].a.z);
    widen(&w->depth, fmin(0.0, (double)r->contact[0].gap));
}

static void test_cube_slide_is_the_discrete_solution_in_every_step(void)
{
    worst w = { 0, 0, 0, 0, 0 };
    file_open("cube_slide");
    TEST_ASSERT_EQUAL_INT(400, (int)file_scene.steps);
    for (int k = 1; k <= 400; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, file_step(k - 1, &r));
        TEST_ASSERT_EQUAL_INT(ECP_SLIP, r.contact[0].mode);
        TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(1, r.contact[0].facets);
        compare_slide(&w, k, &r);
    }
    scenario_free(&file_scene);
    printf("cube_slide: velocity %.1e, place %.1e, rotation %.1e, ECP %.1e, penetration %.1e\n", w.speed,
           w.place, w.turn, w.ecp, w.depth);
    ASSERT_SMALL(w.speed, TOL(1e-3, 1e-8));
    ASSERT_SMALL(w.place, TOL(3e-3, 1e-8));
    ASSERT_SMALL(w.turn, TOL(1e-3, 1e-8));
    ASSERT_SMALL(w.ecp, TOL(1e-2, 1e-8));
    ASSERT_SMALL(w.depth, TOL(1e-5, 1e-10));
}

// ---------------------------------------------------------------------------------------------
// a sliding box stops: P20 of the list of complementarity problems

static void test_sliding_box_stops_in_68_steps_after_0_6695846_m(void)
{
    ecp_state s = scene_at(0, 0, 0.2);
    s.velocity.x = 2;
    scene_on_floor(&block, 1, s, 9.81, 0.3, 0.1);
    for (int k = 1; k <= 200; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        const ecp_state now = scene_state(1);
        if (k < 68) {
            TEST_ASSERT_TRUE(now.velocity.x > ECP_R(1e-3));
            ASSERT_NEAR(0.06, r.contact[0].a.x - now.position.x, TOL(5e-3, 1e-8));
        } else {
            ASSERT_SMALL(now.velocity.x, TOL(1e-5, 1e-10));
            TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
        }
    }
    const double path = (double)scene_state(1).position.x;
    printf("box of 2 m/s: stops after %.9f m\n", path);
    ASSERT_NEAR(0.6695846, path, TOL(1e-4, 1e-8));
}

static void test_slow_box_sticks_at_once_with_the_ecp_ahead_by_v_z_over_g_h(void)
{
    ecp_state s = scene_at(0, 0, 0.2);
    s.velocity.x = ECP_R(0.01);
    scene_on_floor(&block, 1, s, 9.81, 0.3, 0.1);
    ecp_report r;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    printf("slow box: ECP ahead by %.10f m\n", (double)(r.contact[0].a.x - scene_state(1).position.x));
    ASSERT_NEAR(0.0203873598, r.contact[0].a.x - scene_state(1).position.x, TOL(1e-5, 1e-9));
    ASSERT_SMALL(scene_state(1).velocity.x, TOL(1e-6, 1e-10));
    // |phat|/(mu pn) = v/(mu g h)
    ASSERT_NEAR(1.0 - 0.01 / (0.3 * 9.81 * 0.01), r.contact[0].reserve, TOL(1e-4, 1e-8));
}

// ---------------------------------------------------------------------------------------------
// a push at the centre of height z and a torque: the ECP moves to (F z + (tau_y, -tau_x))/(m g)

static double push_and_compare(const ecp_shape *shape, double z, const double load[4])
{
    const double fx = load[0], fy = load[1], tx = load[2], ty = load[3];
    double worst_ecp = 0;
    const double g = 9.81, m = 2.0, h = 0.01, er = 0.1;
    const double dx = (fx * z + ty) / (m * g), dy = (fy * z - tx) / (m * g);
    // friction acts at the ECP: what it turns about the normal there, torsion holds
    const double turning = dx * fy - dy * fx, needed = sqrt(fx * fx + fy * fy + turning * turning / (er * er));
    scene_on_floor(shape, m, scene_at(0.3, -0.2, z), g, 0.5, er);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3((ecp_real)fx, (ecp_real)fy, 0),
                                                 ecp_v3((ecp_real)tx, (ecp_real)ty, 0)));
    for (int k = 0; k < 20; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        const ecp_contact_report *c = &r.contact[0];
        TEST_ASSERT_EQUAL_INT(ECP_STICK, c->mode);
        TEST_ASSERT_EQUAL_INT(3, c->patch);
        widen(&worst_ecp, (double)c->a.x - 0.3 - dx);
        widen(&worst_ecp, (double)c->a.y + 0.2 - dy);
        // float accepts a step at 4e-5 m U, 1e-5 N s here
        ASSERT_NEAR(m * g * h, c->pn, TOL(2e-5, 1e-10));
        ASSERT_NEAR(-fx * h, c->pt, TOL(2e-5, 1e-10));
        ASSERT_NEAR(-fy * h, c->po, TOL(2e-5, 1e-10));
        ASSERT_NEAR(turning * h, c->pr, TOL(1e-5, 1e-10));
        ASSERT_NEAR(1.0 - needed / (0.5 * m * g), c->reserve, TOL(1e-4, 1e-9));
    }
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(scene_state(1).position, scene_at(0.3, -0.2, z).position)),
                 TOL(1e-6, 1e-12));
    return worst_ecp;
}

static void test_ecp_moves_by_force_times_height_over_weight(void)
{
    static const double load[][4] = { { 0, 0, 0, 0 }, { 4, 0, 0, 0 },   { 0, -5, 0, 0 },
                                      { 3, 4, 0, 0 }, { 2, -1, 1, -1 }, { 0, 0, -1, 0.5 } };
    double worst_ecp = 0;
    for (size_t i = 0; i < sizeof load / sizeof load[0]; i++) {
        widen(&worst_ecp, push_and_compare(&block, 0.2, load[i]));
        widen(&worst_ecp, push_and_compare(&drum, 0.2, load[i]));
        widen(&worst_ecp, push_and_compare(&spike, 0.2, load[i]));
    }
    printf("pushed box, cylinder, cone: ECP off by %.1e\n", worst_ecp);
    ASSERT_SMALL(worst_ecp, TOL(1e-4, 1e-9));
}

// ---------------------------------------------------------------------------------------------
// inclines

typedef struct slope_body {
    const char *name;
    const ecp_shape *shape;
    double height;  // of the origin above the plane
} slope_body;

static const slope_body on_slope[] = { { "box", &block, 0.2 }, { "cylinder", &drum, 0.2 }, { "cone", &spike, 0.2 } };
static ecp_shape incline;

// plane tilted about y by `angle`, downhill +x; the body turned by `yaw` about the normal
static void lay_on_incline(const slope_body *b, double angle, double yaw, double mu)
{
    incline = (ecp_shape)ECP_HALFSPACE((ecp_real)sin(angle), 0, (ecp_real)cos(angle), 0);
    const ecp_quat tilt = { (ecp_real)cos(0.5 * angle), 0, (ecp_real)sin(0.5 * angle), 0 };
    const ecp_quat turned = { (ecp_real)cos(0.5 * yaw), 0, 0, (ecp_real)sin(0.5 * yaw) };
    ecp_state s = scene_at(b->height * sin(angle), 0, b->height * cos(angle));
    s.orientation = turn_product(tilt, turned);
    scene_begin(9.81);
    (void)scene_plane(&incline);
    (void)scene_body(b->shape, 1.5, s);
    scene_contact(1, 0, mu, 1, 1, 0.1);
}

static void test_body_steeper_than_friction_slides_at_g_sin_minus_mu_cos(void)
{
    const double angle = 25 * DEGREE, mu = 0.3, h = 0.01;
    const double gain = h * 9.81 * (sin(angle) - mu * cos(angle));
    const vec down = { cos(angle), 0, -sin(angle) };
    for (int i = 0; i < 3; i++) {
        double speed = 0, place = 0, ecp = 0;
        lay_on_incline(&on_slope[i], angle, 0.3 + i, mu);
        const vec start = vec_from(scene_state(1).position);
        for (int k = 1; k <= 200; k++) {
            ecp_report r;
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
            const ecp_state s = scene_state(1);
            const vec x = vec_from(s.position);
            widen(&speed, vec_norm(vec_sub(vec_from(s.velocity), vec_scale(k * gain, down))));
            widen(&place, vec_norm(vec_sub(vec_sub(x, start), vec_scale(0.5 * h * gain * k * (k + 1.0), down))));
            // friction points uphill: the line of action through the centre meets the plane mu z downhill
            widen(&ecp, vec_dot(down, vec_sub(vec_from(r.contact[0].a), x)) - mu * on_slope[i].height);
        }
        printf("%s slides down 25 degrees: velocity %.1e, place %.1e, ECP %.1e\n", on_slope[i].name, speed,
               place, ecp);
        ASSERT_SMALL(speed, TOL(1e-3, 1e-8));
        ASSERT_SMALL(place, TOL(2e-3, 1e-8));
        ASSERT_SMALL(ecp, TOL(1e-2, 1e-8));
    }
}

static void test_body_less_steep_than_friction_does_not_creep_in_ten_seconds(void)
{
    // tan 16.6 degrees = 0.298 < 0.3; h = 10 ms, 1,000 steps (1 ms: test_robust)
    for (int i = 0; i < 3; i++) {
        lay_on_incline(&on_slope[i], 16.6 * DEGREE, 0.3 + i, 0.3);
        const ecp_state start = scene_state(1);
        for (int k = 0; k < 1000; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), NULL));
        }
        const ecp_state end = scene_state(1);
        const double moved = (double)ecp_v3_norm(ecp_v3_sub(end.position, start.position));
        const double turned = judge_quat_distance(end.orientation, start.orientation);
        printf("%s on 16.6 degrees, mu 0.3: moved %.1e m, turned %.1e in 10 s\n", on_slope[i].name, moved, turned);
        ASSERT_SMALL(moved, TOL(1e-4, 1e-10));
        ASSERT_SMALL(turned, TOL(1e-4, 1e-10));
    }
}

static void test_incline_sticks_below_and_slides_above_the_friction_angle(void)
{
    for (int i = 0; i < 3; i++) {
        for (int side = -1; side <= 1; side += 2) {
            const double angle = atan(0.4) + side * 1e-3;
            ecp_report r;
            lay_on_incline(&on_slope[i], angle, 0.2, 0.4);
            for (int k = 0; k < 10; k++) {
                TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
            }
            TEST_ASSERT_EQUAL_INT(side < 0 ? ECP_STICK : ECP_SLIP, r.contact[0].mode);
            ASSERT_NEAR(side < 0 ? 1.0 - tan(angle) / 0.4 : 0.0, r.contact[0].reserve, TOL(1e-3, 1e-8));
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cube_slide_is_the_discrete_solution_in_every_step);
    RUN_TEST(test_sliding_box_stops_in_68_steps_after_0_6695846_m);
    RUN_TEST(test_slow_box_sticks_at_once_with_the_ecp_ahead_by_v_z_over_g_h);
    RUN_TEST(test_ecp_moves_by_force_times_height_over_weight);
    RUN_TEST(test_body_steeper_than_friction_slides_at_g_sin_minus_mu_cos);
    RUN_TEST(test_body_less_steep_than_friction_does_not_creep_in_ten_seconds);
    RUN_TEST(test_incline_sticks_below_and_slides_above_the_friction_angle);
    return UNITY_END();
}
