// Rolling and spinning against closed forms. All of them are exact for the time-stepping scheme: what
// friction does to speed and to spin is the same impulse, so m v r + I w about the ground is conserved
// step by step. Double: rounding and the solver's tolerance. Float: its tolerance, step after step.
#include "file_scene.h"
#include "judge.h"

static const ecp_shape ball = ECP_SPHERE(ECP_R(0.5));
static const ecp_shape roller = ECP_CYLINDER(ECP_R(0.5), ECP_R(2.0));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.5), ECP_R(0.4));
// z to y: the axis of a lying cylinder
static const ecp_quat lying = { ECP_R(0.70710678118654752), ECP_R(-0.70710678118654752), 0, 0 };

// ---------------------------------------------------------------------------------------------
// cylinder_roll: ECP on the line, kicks, and the periodic pattern of fig. 7 of the paper

#define ROLL_STEPS 1000
#define PERIOD 11

typedef struct roll_record {
    double L[ROLL_STEPS + 1], D;
    int kicks, first_kick, late;  // late: kicks not 11 steps after the one before
    int off_line;                 // steps without line contact on two facets' common edge
} roll_record;

static roll_record roll;

// L along the contact line, D across it, of the ECP from the centre
static void record_place(int k, int body, const ecp_report *r)
{
    const ecp_state s = scene_state(body);
    const vec axis = turn(s.orientation, vec_of(0, 0, 1));
    const vec a = vec_sub(vec_from(r->contact[0].a), vec_from(s.position));
    roll.L[k] = axis.x * a.x + axis.y * a.y;
    roll.D = fmax(roll.D, fabs(axis.y * a.x - axis.x * a.y));
    roll.off_line += r->contact[0].patch != 2;
}

static void record_kick(int k, int body)
{
    static int last;
    const ecp_state s = scene_state(body);
    if (!scene_impulse_acts(&file_scene.scene.impulses[0], (uint32_t)k, &s)) {
        return;
    }
    if (roll.kicks == 0) {
        roll.first_kick = k;
    } else {
        roll.late += k != last + PERIOD;
    }
    last = k;
    roll.kicks++;
}

static void test_rolling_cylinder_keeps_its_ecp_on_the_line_of_contact(void)
{
    roll = (roll_record){ .kicks = 0 };
    file_open("cylinder_roll");
    const int body = file_mover();
    TEST_ASSERT_EQUAL_INT(ROLL_STEPS, (int)file_scene.steps);
    double reach = 0;
    for (int k = 0; k < ROLL_STEPS; k++) {
        ecp_report r;
        record_kick(k, body);
        TEST_ASSERT_EQUAL_INT(ECP_OK, file_step(k, &r));
        record_place(k + 1, body, &r);
        reach = fmax(reach, fabs(roll.L[k + 1]));
    }
    scenario_free(&file_scene);
    printf("cylinder_roll: |D| <= %.1e, |L| <= %.4f, %d kicks, the first in step %d\n", roll.D, reach,
           roll.kicks, roll.first_kick);
    ASSERT_SMALL(roll.D, TOL(1e-4, 1e-8));
    TEST_ASSERT_TRUE(reach <= 2.5);
    TEST_ASSERT_EQUAL_INT(0, roll.off_line);
}

// Double only: the trigger compares with 1e-9, below the noise of a float spin.
static void test_kicks_of_the_rolling_cylinder_come_every_eleven_steps(void)
{
    if (ECP_REAL_BITS == 32) {
        TEST_IGNORE_MESSAGE("double only: the trigger is below the rounding of float");
    }
    TEST_ASSERT_EQUAL_INT(89, roll.kicks);
    TEST_ASSERT_EQUAL_INT(27, roll.first_kick);
    TEST_ASSERT_EQUAL_INT(0, roll.late);
    // after 0.5 s L repeats itself (fig. 7b); what is left is the drift of the rolling speed
    double drift = 0, swing = 0, at_rest = 0;
    for (int k = 51; k + PERIOD <= ROLL_STEPS; k++) {
        drift = fmax(drift, fabs(roll.L[k + PERIOD] - roll.L[k]));
        swing = fmax(swing, fabs(roll.L[k]));
    }
    // the spin is used up in the step before a kick, and with it L; the kick throws L out again
    for (int k = 49; k <= ROLL_STEPS - PERIOD; k += PERIOD) {
        at_rest = fmax(at_rest, fabs(roll.L[k]));
        TEST_ASSERT_TRUE(fabs(roll.L[k + 1]) > 20 * fabs(roll.L[k]));
    }
    printf("cylinder_roll: L repeats every %d steps within %.1e of a swing of %.4f m; %.1e m where the spin "
           "ends\n", PERIOD, drift, swing, at_rest);
    ASSERT_SMALL(drift, 1e-5);
    TEST_ASSERT_TRUE(swing > 0.005);
    ASSERT_SMALL(at_rest, 5e-4);
}

// ---------------------------------------------------------------------------------------------
// disc_roll and sphere_spin

static void test_rolling_disc_keeps_its_kinetic_energy_for_ten_seconds(void)
{
    file_open("disc_roll");
    const int body = file_mover();
    const double g = -(double)file_scene.settings.gravity.z;
    const double start = (double)ecp_energy(&scene_world) - g * (double)scene_state(body).position.z;
    double loss = 0;
    for (int k = 0; k < 1000; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, file_step(k, &r));
        const double kinetic = (double)ecp_energy(&scene_world) - g * (double)scene_state(body).position.z;
        loss = fmax(loss, fabs(kinetic / start - 1.0));
    }
    scenario_free(&file_scene);
    const ecp_state s = scene_state(body);
    printf("disc_roll: kinetic energy %.4f J, changes by %.1e in 10 s; rolled %.6f m\n", start, loss,
           -(double)s.position.x);
    ASSERT_NEAR(0.5 * 9.0 + 0.25 * 9.0, start, 1e-4);
    ASSERT_SMALL(loss, TOL(1e-4, 1e-6));
    ASSERT_NEAR(-30.0, s.position.x, TOL(1e-2, 1e-6));
}

static void test_spinning_sphere_slows_by_1_962_and_stops_in_the_step_that_contains_one_second(void)
{
    file_open("sphere_spin");
    const int body = file_mover();
    const double h = file_scene.h;
    double worst = 0;
    for (int k = 1; k <= (int)file_scene.steps; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, file_step(k - 1, &r));
        const double w = (double)scene_state(body).angular_velocity.z;
        worst = fmax(worst, fabs(w - fmax(0.0, 1.962 - 1.962 * k * h)));
        // the step from (k-1) h to k h contains 1 s where it comes to rest
        TEST_ASSERT_TRUE((k * h < 1.0) == (w > (double)TOL(1e-5, 1e-9)));
    }
    scenario_free(&file_scene);
    printf("sphere_spin: spin off by %.1e\n", worst);
    ASSERT_SMALL(worst, TOL(1e-5, 1e-9));
}

static void test_standing_cylinder_spins_down_by_two_mu_er_g_over_r2(void)
{
    const double mu = 0.25, er = 0.3, g = 9.81, h = 0.01, w0 = 7.0;
    const double drop = 2.0 * mu * er * g / 0.25 * h;
    ecp_state s = scene_at(0, 0, 0.2);
    s.angular_velocity.z = (ecp_real)w0;
    scene_on_floor(&drum, 3, s, g, mu, er);
    double worst = 0;
    for (int k = 1; k <= 150; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        const ecp_state now = scene_state(1);
        const bool slips = w0 - k * drop > 0;
        worst = fmax(worst, fabs((double)now.angular_velocity.z - fmax(0.0, w0 - k * drop)));
        TEST_ASSERT_EQUAL_INT(slips ? ECP_SLIP : ECP_STICK, r.contact[0].mode);
        ASSERT_NEAR(slips ? er * (w0 - k * drop) : 0.0, r.contact[0].sigma, TOL(1e-4, 1e-8));
        // I = m r^2/2
        const double w = fmax(0.0, w0 - k * drop), before = fmax(0.0, w0 - (k - 1) * drop);
        ASSERT_NEAR(0.375 * (w - before), r.contact[0].pr, TOL(1e-5, 1e-9));
        ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(now.position, s.position)), TOL(1e-5, 1e-9));
    }
    printf("standing cylinder: spin off by %.1e\n", worst);
    ASSERT_SMALL(worst, TOL(1e-3, 1e-8));
}

// ---------------------------------------------------------------------------------------------
// from skidding to rolling: m v r + I w is kept, I = kappa m r^2, so the end is (v + kappa r w)/(1 + kappa)

typedef struct skid {
    const ecp_shape *shape;
    double kappa, speed, spin;  // spin: about the axis that rolls the body forwards
} skid;

static void skid_to_roll(const skid *c, ecp_quat q)
{
    const double g = 9.81, h = 0.01, mu = 0.3, r = 0.5;
    const double end = (c->speed + c->kappa * r * c->spin) / (1.0 + c->kappa);
    const double slip0 = c->speed - r * c->spin, rate = mu * g * h * (1.0 + 1.0 / c->kappa);
    const int steps = (int)ceil(fabs(slip0) / rate);
    ecp_state s = scene_at(0, 0, r);
    s.orientation = q;
    s.velocity.x = (ecp_real)c->speed;
    s.angular_velocity.y = (ecp_real)c->spin;
    scene_on_floor(c->shape, 2, s, g, mu, 0.02);
    double slip_error = 0, roll_error = 0;
    for (int k = 1; k <= 300; k++) {
        ecp_report rep;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &rep));
        const ecp_state now = scene_state(1);
        const double slip = (double)(now.velocity.x - (ecp_real)r * now.angular_velocity.y);
        if (k < steps) {
            slip_error = fmax(slip_error, fabs(fabs(slip) - fabs(slip0) + k * rate));
        } else {
            roll_error = fmax(roll_error, fmax(fabs((double)now.velocity.x - end), fabs(slip)));
            TEST_ASSERT_EQUAL_INT(ECP_STICK, rep.contact[0].mode);
        }
    }
    printf("%.1f m/s, %.1f rad/s: rolls after %d steps at %.9f m/s (%.9f), slip off by %.1e, roll by %.1e\n",
           c->speed, c->spin, steps, (double)scene_state(1).velocity.x, end, slip_error, roll_error);
    ASSERT_SMALL(slip_error, TOL(1e-3, 1e-8));
    ASSERT_SMALL(roll_error, TOL(1e-3, 1e-8));
}

static void test_skidding_sphere_rolls_at_five_sevenths_of_its_speed(void)
{
    const skid plain = { &ball, 0.4, 3.5, 0 }, back_spin = { &ball, 0.4, 2, -16 }, forward = { &ball, 0.4, 1, 10 };
    skid_to_roll(&plain, (ecp_quat){ 1, 0, 0, 0 });
    ASSERT_NEAR(2.5, scene_state(1).velocity.x, TOL(1e-3, 1e-8));
    skid_to_roll(&back_spin, (ecp_quat){ 1, 0, 0, 0 });  // comes back
    TEST_ASSERT_TRUE(scene_state(1).velocity.x < 0);
    skid_to_roll(&forward, (ecp_quat){ 1, 0, 0, 0 });
}

static void test_skidding_cylinder_rolls_at_two_thirds_of_its_speed(void)
{
    const skid plain = { &roller, 0.5, 3, 0 };
    skid_to_roll(&plain, lying);
    ASSERT_NEAR(2.0, scene_state(1).velocity.x, TOL(1e-3, 1e-8));
}

// down an incline, rolling: a = g sin/(1 + kappa) while mu >= tan kappa/(1 + kappa)
static double roll_down(const ecp_shape *shape, double kappa, double angle)
{
    static ecp_shape incline;
    const double h = 0.01, gain = h * 9.81 * sin(angle) / (1.0 + kappa);
    incline = (ecp_shape)ECP_HALFSPACE((ecp_real)sin(angle), 0, (ecp_real)cos(angle), 0);
    ecp_state s = scene_at(0.5 * sin(angle), 0, 0.5 * cos(angle));
    s.orientation = lying;
    scene_begin(9.81);
    (void)scene_plane(&incline);
    (void)scene_body(shape, 1, s);
    scene_contact(1, 0, 0.5, 1, 1, 0.02);
    double worst = 0;
    for (int k = 1; k <= 100; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, NULL));
        worst = fmax(worst, fabs((double)ecp_v3_norm(scene_state(1).velocity) - k * gain));
    }
    return worst;
}

static void test_rolling_down_is_slower_by_the_rolling_inertia(void)
{
    const double of_ball = roll_down(&ball, 0.4, 0.4), of_roller = roll_down(&roller, 0.5, 0.4);
    printf("rolling down: sphere off by %.1e, cylinder by %.1e\n", of_ball, of_roller);
    ASSERT_SMALL(of_ball, TOL(1e-3, 1e-8));
    ASSERT_SMALL(of_roller, TOL(1e-3, 1e-8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_rolling_cylinder_keeps_its_ecp_on_the_line_of_contact);
    RUN_TEST(test_kicks_of_the_rolling_cylinder_come_every_eleven_steps);
    RUN_TEST(test_rolling_disc_keeps_its_kinetic_energy_for_ten_seconds);
    RUN_TEST(test_spinning_sphere_slows_by_1_962_and_stops_in_the_step_that_contains_one_second);
    RUN_TEST(test_standing_cylinder_spins_down_by_two_mu_er_g_over_r2);
    RUN_TEST(test_skidding_sphere_rolls_at_five_sevenths_of_its_speed);
    RUN_TEST(test_skidding_cylinder_rolls_at_two_thirds_of_its_speed);
    RUN_TEST(test_rolling_down_is_slower_by_the_rolling_inertia);
    return UNITY_END();
}
