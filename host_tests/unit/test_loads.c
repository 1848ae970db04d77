// Sine and cosine of loads, the steps in which loads act, and the hash.
#include "test.h"

#include "hash.h"
#include "loads.h"

static const char world_text[] =
    "h = 0.1\nduration = 1\ngravity = [0, 0, 0]\n"
    "[[body]]\nname = \"b\"\nkind = \"dynamic\"\nshape = \"sphere\"\n"
    "radius = 1\nmass = 2\n";

static void load(scenario *s, const char *tables)
{
    char text[1024];
    fault why;
    (void)snprintf(text, sizeof text, "%s%s", world_text, tables);
    TEST_ASSERT_TRUE_MESSAGE(scenario_parse(s, text, strlen(text), &why), why.text);
}

static void test_sine_and_cosine_are_accurate(void)
{
    const double two_pi = 6.283185307179586477;
    for (int i = -4000; i <= 4000; i++) {
        const double turns = (double)i / 1237.0;
        ecp_real s, c;
        scene_sincos(load_turn(turns), &s, &c);
        // the reference loses digits with the size of its argument, float with 2^-24 of an eighth turn
        const double tolerance = (double)TOL(2e-7, 1e-15) + 3e-16 * fabs(two_pi * turns);
        ASSERT_NEAR(sin(two_pi * turns), s, tolerance);
        ASSERT_NEAR(cos(two_pi * turns), c, tolerance);
    }
}

static void test_whole_and_quarter_turns_are_exact(void)
{
    // -7.25, 1e15, 1e300 and -1e-300 turns: sine and cosine without any error
    static const double turns[] = { 0.5, -7.25, 7.25, 1e15, 1e300, -1e-300 };
    static const double sine[] = { 0, -1, 1, 0, 0, 0 }, cosine[] = { -1, 0, 0, 1, 1, 1 };
    for (int i = 0; i < 6; i++) {
        ecp_real s, c;
        scene_sincos(load_turn(turns[i]), &s, &c);
        ASSERT_NEAR(sine[i], s, 0);
        ASSERT_NEAR(cosine[i], c, 0);
    }
}

static void test_a_phase_does_not_drift_in_a_million_steps(void)
{
    // 3/8 turn per step: after 8 m + 3 steps always 1/8 turn, sine = cosine = 1/sqrt 2
    const uint64_t turn = load_turn(0.375);
    ecp_real s, c;
    scene_sincos(turn * UINT64_C(8000003), &s, &c);
    ASSERT_NEAR(0.70710678118654752, s, TOL(1e-7, 2e-16));
    ASSERT_NEAR(0.70710678118654752, c, TOL(1e-7, 2e-16));
}

static void test_a_wrench_acts_from_its_first_step_until_before_its_last(void)
{
    scenario s;
    // 0.3 and 0.6 are not multiples of 0.1 in binary; both ends count within 1e-6 h
    load(&s,
         "[[wrench]]\nbody = \"b\"\nfrom = 0.3\nto = 0.6\nforce = [1, 0, 0]\n"
         "[[wrench]]\nbody = \"b\"\nfrom = 0.5\nto = 9\nforce = [2, 0, 0]\n");
    static const double expected[] = { 0, 0, 0, 1, 1, 3, 2, 2 };
    for (uint32_t k = 0; k < 8; k++) {
        ecp_real w[6];
        TEST_ASSERT_TRUE(scene_wrench_sum(&s.scene, 0, k, w));
        ASSERT_NEAR(expected[k], w[0], 0);
    }
    scenario_free(&s);
}

static void test_periodic_parts_use_the_time_of_the_scenario(void)
{
    scenario s;
    load(&s,
         "[[wrench]]\nbody = \"b\"\nfrom = 0.2\nto = 1\nforce = [1, 0, 0]\nfrequency = 2.5\n"
         "sin_force = [3, 0, 0]\ncos_torque = [0, 0, 5]\n");
    ecp_real w[6];
    TEST_ASSERT_TRUE(scene_wrench_sum(&s.scene, 0, 3, w)); // 2.5 * 0.3 = 3/4 turn
    ASSERT_NEAR(1.0 - 3.0, w[0], 1e-14);
    ASSERT_NEAR(0.0, w[5], 1e-14);
    TEST_ASSERT_TRUE(scene_wrench_sum(&s.scene, 0, 4, w));
    ASSERT_NEAR(1.0, w[0], 1e-14);
    ASSERT_NEAR(5.0, w[5], 1e-14);
    TEST_ASSERT_FALSE(scene_wrench_sum(&s.scene, 1, 4, w));
    scenario_free(&s);
}

static void test_impulses_act_at_a_step_or_on_a_trigger(void)
{
    scenario s;
    ecp_state state = { .angular_velocity = { 0, 0, (ecp_real)0.5 } };
    load(&s,
         "[[impulse]]\nbody = \"b\"\nat = 0.25\nforce = [1, 0, 0]\n"
         "[[impulse]]\nbody = \"b\"\ntrigger = \"wz <= 0.5\"\n"
         "[[impulse]]\nbody = \"b\"\ntrigger = \" vx>=1e-3 \"\n");
    TEST_ASSERT_FALSE(scene_impulse_acts(&s.scene.impulses[0], 2, &state));
    TEST_ASSERT_TRUE(scene_impulse_acts(&s.scene.impulses[0], 3, &state));
    TEST_ASSERT_FALSE(scene_impulse_acts(&s.scene.impulses[0], 4, &state));
    TEST_ASSERT_TRUE(scene_impulse_acts(&s.scene.impulses[1], 7, &state));
    TEST_ASSERT_FALSE(scene_impulse_acts(&s.scene.impulses[2], 7, &state));
    state.angular_velocity.z = 1;
    state.velocity.x = 1;
    TEST_ASSERT_FALSE(scene_impulse_acts(&s.scene.impulses[1], 7, &state));
    TEST_ASSERT_TRUE(scene_impulse_acts(&s.scene.impulses[2], 7, &state));
    scenario_free(&s);
}

static void test_the_hash_is_fnv_1a(void)
{
    // published values of the 64-bit FNV-1a
    TEST_ASSERT_TRUE(hash_bytes(HASH_START, (const unsigned char *)"", 0) ==
                     UINT64_C(0xcbf29ce484222325));
    TEST_ASSERT_TRUE(hash_bytes(HASH_START, (const unsigned char *)"a", 1) ==
                     UINT64_C(0xaf63dc4c8601ec8c));
    TEST_ASSERT_TRUE(hash_bytes(HASH_START, (const unsigned char *)"foobar", 6) ==
                     UINT64_C(0x85944171f73967e8));
    // 1.0 is 3f800000 or 3ff0000000000000, least significant byte first
    static const unsigned char one[2][8] = { { 0, 0, 0x80, 0x3f, 0, 0, 0, 0 },
                                             { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f } };
    TEST_ASSERT_TRUE(hash_real(HASH_START, 1) ==
                     hash_bytes(HASH_START, one[ECP_REAL_BITS == 64], ECP_REAL_BITS / 8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_sine_and_cosine_are_accurate);
    RUN_TEST(test_whole_and_quarter_turns_are_exact);
    RUN_TEST(test_a_phase_does_not_drift_in_a_million_steps);
    RUN_TEST(test_a_wrench_acts_from_its_first_step_until_before_its_last);
    RUN_TEST(test_periodic_parts_use_the_time_of_the_scenario);
    RUN_TEST(test_impulses_act_at_a_step_or_on_a_trigger);
    RUN_TEST(test_the_hash_is_fnv_1a);
    return UNITY_END();
}
