// A cone on its base, on its side and on its tip: rest, tipping, rolling, falling, spinning as a top.
// The cone is 0.4 m high with a radius of 0.3 m (half angle 36.87 degrees: sine 0.6, cosine 0.8); its
// centre is 0.3 m from the tip and 0.1 m above the base.
#include "judge.h"

#define G 9.81
#define MASS 2.0
#define RADIUS 0.3
#define HEIGHT 0.4

static const ecp_shape cone = ECP_CONE(ECP_R(0.3), ECP_R(0.4));

static void widen(double *to, double value)
{
    *to = fabs(value) > *to ? fabs(value) : *to;
}

static ecp_quat about_y(double angle)
{
    return (ecp_quat){ (ecp_real)cos(0.5 * angle), 0, (ecp_real)sin(0.5 * angle), 0 };
}

// tip towards +x on the floor, the axis rising towards the base
static ecp_state on_its_side(void)
{
    ecp_state s = scene_at(0, 0, 0.18);
    s.orientation = about_y(atan2(0.8, -0.6));
    return s;
}

// axis `tilt` from upside down, the tip in the origin
static ecp_state on_its_tip(double tilt)
{
    ecp_state s = scene_at(0.3 * sin(tilt), 0, 0.3 * cos(tilt));
    s.orientation = about_y(3.14159265358979323846 + tilt);
    return s;
}

static vec axis_now(void)
{
    return turn(scene_state(1).orientation, vec_of(0, 0, 1));
}

// a step that must be ECP_OK and fulfil the model
static void judged_step(double h, ecp_report *r, judgement *all)
{
    static judge start;
    judge_start(&start, h);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, r));
    *all = judgement_join(*all, judge_step(&start, 1, r));
}

// ---------------------------------------------------------------------------------------------
// rest

static void rests(const char *name, ecp_state s, int steps, int patch, double edge)
{
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    double moved = 0, turned = 0, under = 0;
    scene_on_floor(&cone, MASS, s, G, 0.5, 0.1);
    for (int k = 0; k < steps; k++) {
        ecp_report r;
        judged_step(0.01, &r, &all);
        const ecp_state now = scene_state(1);
        widen(&moved, (double)ecp_v3_norm(ecp_v3_sub(now.position, s.position)));
        widen(&turned, judge_quat_distance(now.orientation, s.orientation));
        widen(&under, (double)(r.contact[0].a.x - s.position.x));
        widen(&under, (double)(r.contact[0].a.y - s.position.y));
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
        TEST_ASSERT_EQUAL_INT(patch, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(1, r.contact[0].facets);
        ASSERT_NEAR(edge, r.contact[0].edge, TOL(1e-4, 1e-8));
        ASSERT_NEAR(MASS * G * 0.01, r.contact[0].pn, TOL(1e-5, 1e-9));
    }
    printf("cone on its %s: %d steps, moved %.1e m, turned %.1e, ECP %.1e m from under the centre\n", name, steps,
           moved, turned, under);
    ASSERT_SMALL(moved, TOL(1e-5, 1e-9));
    ASSERT_SMALL(turned, TOL(1e-4, 1e-9));
    ASSERT_SMALL(under, TOL(1e-4, 1e-8));
    ASSERT_SMALL(judgement_worst(all), TOL(1e-3, 1e-8));
}

static void test_cone_rests_on_its_base(void)
{
    rests("base", scene_at(0, 0, 0.1), 200, 3, RADIUS);
}

static void test_cone_rests_on_its_side(void)
{
    // the centre is above the line, 0.24 m from the tip and 0.26 m from the rim
    rests("side", on_its_side(), 200, 2, 0.24);
}

static void test_cone_stands_on_its_tip_until_rounding_grows(void)
{
    // exp(t sqrt(m g l/I)) = 16 in 0.4 s: rounding of 1e-16 stays small; float: 1e-7
    rests("tip", on_its_tip(0), 40, 1, 0);
}

// ---------------------------------------------------------------------------------------------
// tipping over the rim of the base: torque against m g r

static void test_cone_tips_over_its_rim_when_the_torque_exceeds_weight_times_radius(void)
{
    for (int side = -1; side <= 1; side += 2) {
        const double torque = MASS * G * RADIUS * (1 + side * 1e-3), c = 0.6, s = 0.8;
        ecp_report r;
        judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
        scene_on_floor(&cone, MASS, scene_at(0, 0, 0.1), G, 0.8, 0.1);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(0, 0, 0),
                                                     ecp_v3((ecp_real)(-s * torque), (ecp_real)(c * torque), 0)));
        for (int k = 0; k < 60; k++) {
            judged_step(0.01, &r, &all);
        }
        TEST_ASSERT_EQUAL_INT(side < 0 ? 3 : 1, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(side < 0 ? 1 : 2, r.contact[0].facets);
        // the ECP is at the rim, on the side the torque presses down
        const vec a = vec_sub(vec_from(r.contact[0].a), vec_from(scene_state(1).position));
        ASSERT_NEAR(1.0, (c * a.x + s * a.y) / sqrt(a.x * a.x + a.y * a.y), TOL(1e-3, 1e-6));
        TEST_ASSERT_TRUE((ecp_v3_norm(scene_state(1).angular_velocity) > TOL(1e-3, 1e-6)) == (side > 0));
        ASSERT_SMALL(judgement_worst(all), TOL(1e-3, 1e-8));
    }
}

// ---------------------------------------------------------------------------------------------
// rolling on the side about the tip: spin w along the line, the axis goes round at w tan(half angle),
// nothing slips and nothing is lost; backward Euler: to first order in h

typedef struct rolled {
    double turned, lost, tip;
} rolled;

static rolled roll_about_the_tip(double h, double time)
{
    const double w = 4;
    const int steps = (int)(time / h + 0.5);
    ecp_state s = on_its_side();
    s.angular_velocity.x = (ecp_real)w;
    // v = w x (centre - tip): the tip rests
    s.velocity = ecp_v3(0, (ecp_real)(-w * 0.18), 0);
    scene_on_floor(&cone, MASS, s, G, 0.6, 0.1);
    const vec tip = vec_add(vec_from(s.position), vec_scale(0.3, axis_now()));
    const double start = (double)ecp_energy(&scene_world) - MASS * G * 0.18;
    for (int k = 0; k < steps; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        TEST_ASSERT_EQUAL_INT(2, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    }
    const vec a = axis_now(), end = vec_add(vec_from(scene_state(1).position), vec_scale(0.3, a));
    return (rolled){ atan2(a.y, a.x), 1.0 - ((double)ecp_energy(&scene_world) - MASS * G * 0.18) / start,
                     vec_norm(vec_sub(end, tip)) };
}

static void test_lying_cone_rolls_about_its_tip(void)
{
    const double exact = 4 * 0.75 * 0.5;
    const rolled coarse = roll_about_the_tip(1e-3, 0.5), fine = roll_about_the_tip(5e-4, 0.5);
    printf("lying cone: goes round by %.5f rad (%.5f) in 0.5 s, loses %.1e of its energy, tip moves %.1e m; "
           "with half the step %.5f, %.1e, %.1e\n",
           coarse.turned, exact, coarse.lost, coarse.tip, fine.turned, fine.lost, fine.tip);
    ASSERT_NEAR(exact, coarse.turned, 5e-3);
    // first order: half the step, half the error, in angle and in energy; the tip stays
    ASSERT_NEAR(2.0, (coarse.turned - exact) / (fine.turned - exact), TOL(0.2, 0.05));
    ASSERT_SMALL(coarse.lost, 0.015);
    ASSERT_NEAR(2.0, coarse.lost / fine.lost, 0.05);
    ASSERT_SMALL(coarse.tip, TOL(1e-5, 1e-9));
    ASSERT_SMALL(fine.tip, TOL(1e-5, 1e-9));
}

// ---------------------------------------------------------------------------------------------
// falling from the tip: (I + m l^2) a'' = m g l sin a while it sticks, then onto the side

static double fallen_angle(double a, double time)
{
    const double I = MASS * (0.15 * RADIUS * RADIUS + 0.0375 * HEIGHT * HEIGHT) + MASS * 0.09;
    const double k = MASS * G * 0.3 / I;
    const int n = 4000;
    const double h = time / n;
    double w = 0;
    for (int i = 0; i < n; i++) {
        const double k1 = k * sin(a), k2 = k * sin(a + 0.5 * h * w), k3 = k * sin(a + 0.5 * h * w + 0.25 * h * h * k1);
        const double k4 = k * sin(a + h * w + 0.5 * h * h * k2);
        a += h * w + h * h / 6 * (k1 + k2 + k3);
        w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return a;
}

static double fall_for(double tilt, double time, int steps)
{
    scene_on_floor(&cone, MASS, on_its_tip(tilt), G, 1.5, 0.0);
    for (int k = 0; k < steps; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)(time / steps), &r));
        TEST_ASSERT_EQUAL_INT(1, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    }
    return acos(-axis_now().z);
}

static void test_cone_falls_from_its_tip_as_a_pendulum(void)
{
    const double exact = fallen_angle(0.1, 0.25), coarse = fall_for(0.1, 0.25, 250) - exact;
    const double fine = fall_for(0.1, 0.25, 500) - exact;
    printf("falling cone: %.5f rad after 0.25 s; off by %.2e, with half the step %.2e\n", exact, coarse, fine);
    ASSERT_SMALL(coarse, 0.01 * exact);
    ASSERT_NEAR(2.0, coarse / fine, TOL(0.3, 0.05));
}

static void test_cone_falls_from_its_tip_onto_its_side(void)
{
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int landed = -1;
    scene_on_floor(&cone, MASS, on_its_tip(0.1), G, 0.5, 0.05);
    for (int k = 0; k < 400; k++) {
        ecp_report r;
        judged_step(0.005, &r, &all);
        if (landed < 0 && r.contact[0].patch == 2) {
            landed = k;
        }
        // once it lies it stays on its side
        TEST_ASSERT_EQUAL_INT(landed < 0 ? 1 : 2, r.contact[0].patch);
    }
    printf("falling cone: on its side after %.3f s\n", landed * 0.005);
    judgement_print("falling cone", all);
    TEST_ASSERT_TRUE(landed > 40 && landed < 200);
    ASSERT_NEAR(-0.6, axis_now().z, TOL(1e-4, 1e-8));
    ASSERT_NEAR(0.18, scene_state(1).position.z, TOL(1e-4, 1e-8));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

// ---------------------------------------------------------------------------------------------
// a top on its tip: steady precession W about the vertical, I3 w3 W - I1 W^2 cos a = m g l (I1 about the
// tip); started in it, it keeps its tilt

static void test_spinning_cone_precesses_as_a_top(void)
{
    const double I3 = MASS * 0.3 * RADIUS * RADIUS, m = MASS, l = 0.3, tilt = 0.3, W = 2.0;
    const double I1 = m * (0.15 * RADIUS * RADIUS + 0.0375 * HEIGHT * HEIGHT) + m * l * l;
    const double w3 = (m * G * l + I1 * W * W * cos(tilt)) / (I3 * W);
    const double time = 0.25, h = 2.5e-4;
    ecp_state s = on_its_tip(tilt);
    // from the tip to the centre; w = w3 u + W (z - u cos a)
    const vec u = vec_scale(1.0 / l, vec_from(s.position));
    const vec w = vec_add(vec_scale(w3 - W * cos(tilt), u), vec_of(0, 0, W));
    s.angular_velocity = vec_to(w);
    s.velocity = vec_to(vec_cross(w, vec_from(s.position)));
    scene_on_floor(&cone, MASS, s, G, 1.5, 0.0);
    for (int k = 0; k < (int)(time / h + 0.5); k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        TEST_ASSERT_EQUAL_INT(1, r.contact[0].patch);
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    }
    const vec a = vec_scale(-1.0, axis_now());
    printf("top at %.1f rad/s: precesses by %.4f rad (%.4f) in 0.25 s, tilt %.4f (%.4f)\n", w3, atan2(a.y, a.x),
           W * time, acos(a.z), tilt);
    // first order in h: the spin turns by h w3 = 0.03 in a step
    ASSERT_NEAR(W * time, atan2(a.y, a.x), 0.03 * W * time);
    ASSERT_NEAR(tilt, acos(a.z), 0.03 * tilt);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cone_rests_on_its_base);
    RUN_TEST(test_cone_rests_on_its_side);
    RUN_TEST(test_cone_stands_on_its_tip_until_rounding_grows);
    RUN_TEST(test_cone_tips_over_its_rim_when_the_torque_exceeds_weight_times_radius);
    RUN_TEST(test_lying_cone_rolls_about_its_tip);
    RUN_TEST(test_cone_falls_from_its_tip_as_a_pendulum);
    RUN_TEST(test_cone_falls_from_its_tip_onto_its_side);
    RUN_TEST(test_spinning_cone_precesses_as_a_top);
    return UNITY_END();
}
