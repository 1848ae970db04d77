// What the step length costs in accuracy: a box that leans 0.02 rad beyond its balance on an edge falls
// over; the time it takes is known from the equation of the pendulum, theta'' = (m g L/I) sin theta.
#include "scene.h"

#define GRAVITY 9.81
#define LEAN 0.02

static const ecp_shape box = ECP_BOX(ECP_R(0.2), ECP_R(0.2), ECP_R(0.6));

// 0.2 x 0.6 about an edge: L^2 = 0.1^2 + 0.3^2, I/m = (0.2^2 + 0.6^2)/12 + L^2. It lies when its diagonal
// is atan(0.1/0.3) above the floor. Fourth-order steps of 10 us.
static double time_by_pendulum(void)
{
    const double k = GRAVITY * sqrt(0.1) / ((0.04 + 0.36) / 12.0 + 0.1);
    const double end = 0.5 * 3.14159265358979 - atan2(0.1, 0.3), dt = 1e-5;
    double x = LEAN, v = 0, t = 0;
    while (x < end) {
        const double a1 = k * sin(x), x2 = x + 0.5 * dt * v, v2 = v + 0.5 * dt * a1;
        const double a2 = k * sin(x2), x3 = x + 0.5 * dt * v2, v3 = v + 0.5 * dt * a2;
        const double a3 = k * sin(x3), x4 = x + dt * v3, v4 = v + dt * a3;
        x += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + k * sin(x4));
        t += dt;
    }
    return t;
}

static double time_by_steps(double h)
{
    const double tilt = atan2(0.1, 0.3) + LEAN;
    ecp_state s = scene_at(0, 0, sqrt(0.1) * cos(LEAN));
    s.orientation = (ecp_quat){ (ecp_real)cos(0.5 * tilt), 0, (ecp_real)sin(0.5 * tilt), 0 };
    scene_on_floor(&box, 2, s, GRAVITY, 0.8, 0.05);
    ecp_report report = { .contact_count = 0 };
    int k = 0;
    while (report.contact[0].patch < 3) {
        TEST_ASSERT_TRUE(k++ < 20000);
        TEST_ASSERT_TRUE(ecp_step(&scene_world, (ecp_real)h, &report) >= ECP_OK);
    }
    return k * h;
}

static void test_the_time_of_a_fall_is_right_to_first_order_in_the_step(void)
{
    static const double h[] = { 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005 };
    const double exact = time_by_pendulum();
    printf("fall of the leaning box: %.4f s\n", exact);
    for (int i = 0; i < 6; i++) {
        const double t = time_by_steps(h[i]);
        printf("h = %4g ms: %.4f s, %+.1f %%\n", 1e3 * h[i], t, 100.0 * (t / exact - 1.0));
        // measured 1.4 h to 2.3 h, one h of it from counting whole steps
        ASSERT_NEAR(exact, t, 3.0 * h[i]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_time_of_a_fall_is_right_to_first_order_in_the_step);
    return UNITY_END();
}
