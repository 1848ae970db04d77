// A run kept in memory: bounded rows, poses of what moves, the loads that acted.
#include "test.h"

#include "trace.h"

static const char text[] =
    "h = 0.01\nduration = 1\ngravity = [0, 0, 0]\n"
    "[[body]]\nname = \"ramp\"\nkind = \"kinematic\"\nshape = \"halfspace\"\nnormal = [0, 0, 1]\nvelocity = [1, 0, 0]\n"
    "[[body]]\nname = \"ball\"\nkind = \"dynamic\"\nshape = \"sphere\"\nradius = 1\nmass = 2\nposition = [0, 0, 9]\n"
    "[[wrench]]\nbody = \"ball\"\nfrom = 0.02\nto = 0.04\nforce = [3, 0, 0]\n"
    "[[impulse]]\nbody = \"ball\"\nat = 0.05\ntorque = [0, 0, 0.5]\n"
    "[[impulse]]\nbody = \"ball\"\ntrigger = \"vx >= 0.029\"\nforce = [0, 0.25, 0]\n";

static scenario s;
static ecp_world world;
static trace t;

static void start(void)
{
    fault why;
    TEST_ASSERT_TRUE(scenario_parse(&s, text, sizeof text - 1u, &why));
    TEST_ASSERT_TRUE(scenario_build(&s, &world, &why));
    trace_start(&t, &s);
}

static void end(void)
{
    trace_free(&t);
    scenario_free(&s);
}

static void offer(long k)
{
    static double csv[64];
    static ecp_report report;
    csv[0] = (double)k * s.h;
    trace_offer(&t, &s, &world, &report, csv, k);
}

static void test_long_runs_keep_every_second_fourth_step(void)
{
    start();
    for (long k = 0; k <= 3L * TRACE_ROWS; k++) {
        offer(k);
    }
    TEST_ASSERT_EQUAL_INT(4, (int)t.stride);
    TEST_ASSERT_TRUE(t.rows <= TRACE_ROWS && t.rows > TRACE_ROWS / 2);
    TEST_ASSERT_EQUAL_INT((int)(3L * TRACE_ROWS / 4) + 1, (int)t.rows);
    for (long row = 0; row < t.rows; row++) {
        ASSERT_NEAR((double)(4 * row) * s.h, trace_at(&t, row, 0), 1e-12);
    }
    end();
}

static void test_short_runs_keep_every_step(void)
{
    start();
    for (long k = 0; k < TRACE_ROWS; k++) {
        offer(k);
    }
    TEST_ASSERT_EQUAL_INT(1, (int)t.stride);
    TEST_ASSERT_EQUAL_INT(TRACE_ROWS, (int)t.rows);
    end();
}

// a row holds what acted in the step that led to it: steps 2 and 3 the force, step 5 the impulse
// over h, and from step 4 on (the speed at its start is 2 * 3/2 * 0.01) the triggered one
static void test_rows_hold_the_loads_of_their_step(void)
{
    start();
    offer(0);
    for (long k = 0; k < 8; k++) {
        ecp_state state;
        (void)ecp_get_state(&world, 1, &state);
        state.velocity.x += k == 2 || k == 3 ? ECP_R(0.015) : ECP_R(0.0);
        (void)ecp_set_state(&world, 1, &state);
        offer(k + 1);
    }
    const int fx = trace_column(&t, "ball.fx"), fy = trace_column(&t, "ball.fy"), tz = trace_column(&t, "ball.tz");
    for (int row = 0; row <= 8; row++) {
        ASSERT_NEAR(row == 3 || row == 4 ? 3.0 : 0.0, trace_at(&t, row, fx), 1e-12);
        ASSERT_NEAR(row == 6 ? 50.0 : 0.0, trace_at(&t, row, tz), 1e-9);
        ASSERT_NEAR(row >= 5 ? 25.0 : 0.0, trace_at(&t, row, fy), 1e-9);
    }
    end();
}

static void test_kinematic_bodies_have_their_pose(void)
{
    start();
    ecp_report report;
    offer(0);
    for (int k = 0; k < 10; k++) {
        TEST_ASSERT_TRUE(ecp_step(&world, ECP_R(0.01), &report) >= 0);
    }
    offer(1);
    ASSERT_NEAR(0.1, trace_pose(&t, &s, 0, 1).position.x, TOL(1e-6, 1e-14));
    TEST_ASSERT_TRUE(trace_column(&t, "ramp.px") >= t.csv_count);
    TEST_ASSERT_EQUAL_INT(-1, trace_column(&t, "ramp.vx"));
    end();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_long_runs_keep_every_second_fourth_step);
    RUN_TEST(test_short_runs_keep_every_step);
    RUN_TEST(test_rows_hold_the_loads_of_their_step);
    RUN_TEST(test_kinematic_bodies_have_their_pose);
    return UNITY_END();
}
