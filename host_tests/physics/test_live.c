// What may change between steps takes effect in the next step, and in nothing else.
#include "scene.h"

static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));
static const ecp_real round_friction[3] = { 1, 1, ECP_R(0.1) };

// a cube of 1 kg that slides along x at 4 m/s with mu = 0.2
static void sliding_cube(void)
{
    ecp_state s = scene_at(0, 0, 0.5);
    s.velocity = ecp_v3(4, 0, 0);
    scene_on_floor(&cube, 1, s, 10.0, 0.2, 0.1);
}

static double speed_after(double h, int steps)
{
    for (int k = 0; k < steps; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, NULL));
    }
    return (double)scene_state(1).velocity.x;
}

static void test_friction_changes_the_braking_from_the_next_step_on(void)
{
    sliding_cube();
    ASSERT_NEAR(4.0 - 0.2 * 10.0 * 0.1, speed_after(0.01, 10), TOL(1e-4, 1e-9));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_friction(&scene_world, 0, ECP_R(0.6), round_friction));
    ASSERT_NEAR(3.8 - 0.6 * 10.0 * 0.1, speed_after(0.01, 10), TOL(1e-4, 1e-9));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_friction(&scene_world, 0, 0, round_friction));
    ASSERT_NEAR(3.2, speed_after(0.01, 10), TOL(1e-4, 1e-9));
}

static void test_mass_changes_what_a_force_does_but_not_the_braking(void)
{
    static const ecp_real uniform[6] = { 0 };
    sliding_cube();
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(ECP_R(-1.0), 0, 0),
                                                 ecp_v3(0, 0, 0)));
    ASSERT_NEAR(4.0 - (2.0 + 1.0) * 0.1, speed_after(0.01, 10), TOL(1e-4, 1e-9));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_mass(&scene_world, 1, 4, uniform));
    ASSERT_NEAR(3.7 - (2.0 + 0.25) * 0.1, speed_after(0.01, 10), TOL(1e-4, 1e-9));
}

static void test_step_length_may_change_at_every_step(void)
{
    sliding_cube();
    double t = 0;
    for (int k = 0; k < 40; k++) {
        const double h = 0.001 * (1 + k % 7);
        t += h;
        // float: a few 1e-5 of the speed is what the tolerance of a step leaves
        ASSERT_NEAR(4.0 - 2.0 * t, speed_after(h, 1), TOL(5e-4, 1e-9));
    }
}

static void test_an_impulse_acts_once_and_a_wrench_until_changed(void)
{
    sliding_cube();
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scene_world, 1, ecp_v3(ECP_R(0.5), 0, 0),
                                                    ecp_v3(0, 0, 0)));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scene_world, 1, ecp_v3(ECP_R(0.25), 0, 0),
                                                    ecp_v3(0, 0, 0)));
    ASSERT_NEAR(4.75 - 0.02, speed_after(0.01, 1), TOL(1e-5, 1e-10));
    ASSERT_NEAR(4.75 - 0.04, speed_after(0.01, 1), TOL(1e-5, 1e-10));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(2, 0, 0),
                                                 ecp_v3(0, 0, 0)));
    ASSERT_NEAR(4.71, speed_after(0.01, 20), TOL(1e-4, 1e-9));
}

static void test_state_set_in_mid_motion_is_the_start_of_the_next_step(void)
{
    sliding_cube();
    (void)speed_after(0.01, 10);
    ecp_state s = scene_at(7, 7, 0.5);
    s.velocity = ecp_v3(ECP_R(-3.0), 0, 0);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 1, &s));
    ASSERT_NEAR(-3.0 + 0.02, speed_after(0.01, 1), TOL(1e-5, 1e-10));
    ASSERT_NEAR(7.0 - 0.0298, scene_state(1).position.x, TOL(1e-5, 1e-10));
}

static void test_refused_changes_change_nothing(void)
{
    const ecp_real nan = (ecp_real)NAN, negative[3] = { 1, ECP_R(-1.0), 0 };
    const ecp_real flat[6] = { 1, 1, 3, 0, 0, 0 };  // breaks the triangle inequality
    sliding_cube();
    const ecp_state s = scene_state(1);
    ecp_state bad = s;
    bad.position.y = nan;
    TEST_ASSERT_EQUAL_INT(ECP_E_STATE, ecp_set_state(&scene_world, 1, &bad));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_state(&scene_world, 2, &s));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_friction(&scene_world, 0, ECP_R(-0.1),
                                                      round_friction));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_friction(&scene_world, 0, ECP_R(0.1), negative));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_friction(&scene_world, 1, ECP_R(0.1), round_friction));
    TEST_ASSERT_EQUAL_INT(ECP_E_MASS, ecp_set_mass(&scene_world, 1, 0, flat));
    TEST_ASSERT_EQUAL_INT(ECP_E_MASS, ecp_set_mass(&scene_world, 1, 1, flat));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_wrench(&scene_world, 0, ecp_v3(1, 0, 0),
                                                    ecp_v3(0, 0, 0)));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_wrench(&scene_world, 1, ecp_v3(nan, 0, 0),
                                                    ecp_v3(0, 0, 0)));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_apply_impulse(&scene_world, 1, ecp_v3(0, 0, 0),
                                                       ecp_v3(0, nan, 0)));
    TEST_ASSERT_TRUE(strlen(ecp_error(&scene_world)) > 0);
    ASSERT_NEAR(4.0 - 0.2, speed_after(0.01, 10), TOL(1e-4, 1e-9));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_friction_changes_the_braking_from_the_next_step_on);
    RUN_TEST(test_mass_changes_what_a_force_does_but_not_the_braking);
    RUN_TEST(test_step_length_may_change_at_every_step);
    RUN_TEST(test_an_impulse_acts_once_and_a_wrench_until_changed);
    RUN_TEST(test_state_set_in_mid_motion_is_the_start_of_the_next_step);
    RUN_TEST(test_refused_changes_change_nothing);
    return UNITY_END();
}
