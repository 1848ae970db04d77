// The friction ellipsoid: one step's force, thresholds of sticking, curved paths against a fine
// integration, slip and spin together, the directions of t and o.
#include "judge.h"

#define G 9.81

static const ecp_shape slab = ECP_BOX(ECP_R(0.6), ECP_R(0.6), ECP_R(0.1));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.3), ECP_R(0.2));
static const ecp_shape ball = ECP_SPHERE(ECP_R(0.2));

// a body on the floor with three different axes of its ellipsoid; t along `axis`
static void put(const ecp_shape *shape, ecp_body_def d, double mu, const double e[3], ecp_vec3 axis)
{
    d.kind = ECP_DYNAMIC;
    d.shape = shape;
    scene_begin(G);
    (void)scene_plane(&scene_floor);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, &d, NULL));
    const ecp_contact_def c = { .a = 1, .b = 0, .mu = (ecp_real)mu, .axis = axis,
                                .e = { (ecp_real)e[0], (ecp_real)e[1], (ecp_real)e[2] } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(&scene_world, &c, NULL));
}

static ecp_body_def sliding(double mass, double z, double vx, double vy, double wz)
{
    ecp_body_def d = { .mass = (ecp_real)mass, .state = scene_at(0, 0, z) };
    d.state.velocity = ecp_v3((ecp_real)vx, (ecp_real)vy, 0);
    d.state.angular_velocity.z = (ecp_real)wz;
    return d;
}

static const ecp_vec3 none = { 0, 0, 0 };

// ---------------------------------------------------------------------------------------------
// one step: force -mu pn (e_t^2 vx, e_o^2 vy)/|(e_t vx, e_o vy)|, v at the end of the step

static void test_force_of_one_step_is_that_of_the_ellipsoid(void)
{
    static const double velocity[][2] = { { 2, 0 }, { 0, -3 }, { 1, 2 }, { -2, 0.5 }, { 0.3, -0.4 } };
    const double e[3] = { 0.6, 1.7, 0.1 }, mu = 0.3, h = 0.01;
    double worst = 0;
    for (int i = 0; i < 5; i++) {
        ecp_report r;
        put(&slab, sliding(2, 0.05, velocity[i][0], velocity[i][1], 0), mu, e, none);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        const ecp_contact_report *c = &r.contact[0];
        const ecp_vec3 v = scene_state(1).velocity;
        const double vx = e[0] * (double)v.x, vy = e[1] * (double)v.y, size = sqrt(vx * vx + vy * vy);
        TEST_ASSERT_EQUAL_INT(ECP_SLIP, c->mode);
        worst = fmax(worst, fabs((double)c->pn - 2 * G * h));
        worst = fmax(worst, fabs((double)c->pt + mu * 2 * G * h * e[0] * vx / size));
        worst = fmax(worst, fabs((double)c->po + mu * 2 * G * h * e[1] * vy / size));
        worst = fmax(worst, fabs((double)c->sigma - size));
        // it is the impulse that changes the velocity
        ASSERT_NEAR(velocity[i][0] + (double)c->pt / 2, v.x, TOL(1e-5, 1e-10));
        ASSERT_NEAR(velocity[i][1] + (double)c->po / 2, v.y, TOL(1e-5, 1e-10));
        // friction points from the ECP's offset to the centre: no turn about the normal
        ASSERT_SMALL(scene_state(1).angular_velocity.z, TOL(1e-5, 1e-9));
    }
    printf("ellipsoid (0.6, 1.7): impulse off by %.1e N s\n", worst);
    ASSERT_SMALL(worst, TOL(1e-4, 1e-9));
}

// ---------------------------------------------------------------------------------------------
// what sticks: |(pt/e_t, po/e_o, pr/e_r)| <= mu pn

typedef struct threshold {
    const char *what;
    double force[2], torque;
} threshold;

static void test_each_axis_of_the_ellipsoid_sticks_up_to_its_own_limit(void)
{
    const double e[3] = { 0.6, 1.7, 0.15 }, mu = 0.3, m = 2, limit = mu * m * G, s = sqrt(0.5);
    const threshold list[] = { { "t", { limit * e[0], 0 }, 0 },
                               { "o", { 0, limit * e[1] }, 0 },
                               { "r", { 0, 0 }, limit * e[2] },
                               { "t and o", { limit * e[0] * s, limit * e[1] * s }, 0 },
                               { "t and r", { limit * e[0] * s, 0 }, limit * e[2] * s } };
    for (int i = 0; i < 5; i++) {
        for (int above = 0; above <= 1; above++) {
            const double k = above ? 1.002 : 0.998;
            ecp_report r;
            put(&drum, sliding(m, 0.1, 0, 0, 0), mu, e, none);
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1,
                                                         ecp_v3((ecp_real)(k * list[i].force[0]),
                                                                (ecp_real)(k * list[i].force[1]), 0),
                                                         ecp_v3(0, 0, (ecp_real)(k * list[i].torque))));
            for (int step = 0; step < 5; step++) {
                TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
            }
            TEST_ASSERT_EQUAL_INT(above ? ECP_SLIP : ECP_STICK, r.contact[0].mode);
            ASSERT_NEAR(above ? 0.0 : 0.002, r.contact[0].reserve, TOL(1e-4, 1e-9));
            const ecp_state now = scene_state(1);
            const double moved = (double)(ecp_v3_norm(now.velocity) + ecp_v3_norm(now.angular_velocity));
            TEST_ASSERT_TRUE((moved > 1e-5) == (above == 1));
        }
    }
    printf("sticks to 99.8 %% and slips at 100.2 %% of mu pn (e_t, e_o, e_r) in t, o, r and between\n");
}

static void test_no_friction_takes_nothing_and_no_torsion_leaves_the_spin(void)
{
    const double round[3] = { 1, 1, 0 };
    ecp_report r;
    put(&drum, sliding(2, 0.1, 1, -2, 5), 0, round, none);
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        ASSERT_SMALL(r.contact[0].pt, 0);
        ASSERT_SMALL(r.contact[0].po, 0);
        ASSERT_SMALL(r.contact[0].pr, 0);
    }
    ASSERT_NEAR(1.0, scene_state(1).velocity.x, TOL(1e-6, 1e-12));
    ASSERT_NEAR(-2.0, scene_state(1).velocity.y, TOL(1e-6, 1e-12));
    ASSERT_NEAR(5.0, scene_state(1).angular_velocity.z, TOL(1e-5, 1e-12));
    // e_r = 0 with friction: the spin stays, and so does the place
    put(&ball, sliding(2, 0.2, 0, 0, 5), 0.5, round, none);
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        ASSERT_SMALL(r.contact[0].pr, 0);
    }
    ASSERT_NEAR(5.0, scene_state(1).angular_velocity.z, TOL(1e-5, 1e-12));
    ASSERT_SMALL(scene_state(1).position.x, TOL(1e-6, 1e-12));
}

// ---------------------------------------------------------------------------------------------
// curved path: m v' = -mu m g (e_t^2 vx, e_o^2 vy)/|(e_t vx, e_o vy)|, fine Runge-Kutta against steps

typedef struct planar {
    double x, y, vx, vy, w;
} planar;

typedef struct law {
    double mu, e[3], inertia;  // inertia over mass, about the normal
} law;

static planar rate(const law *l, const planar *s)
{
    const double a = l->e[0] * s->vx, b = l->e[1] * s->vy, c = l->e[2] * s->w;
    const double k = -l->mu * G / sqrt(a * a + b * b + c * c);
    return (planar){ s->vx, s->vy, k * l->e[0] * a, k * l->e[1] * b, k * l->e[2] * c / l->inertia };
}

static planar advanced(const planar *s, const planar *r, double h)
{
    return (planar){ s->x + h * r->x, s->y + h * r->y, s->vx + h * r->vx, s->vy + h * r->vy, s->w + h * r->w };
}

static planar integrate(const law *l, planar s, double time)
{
    const int n = 4000;
    const double h = time / n;
    for (int i = 0; i < n; i++) {
        const planar k1 = rate(l, &s), s2 = advanced(&s, &k1, 0.5 * h);
        const planar k2 = rate(l, &s2), s3 = advanced(&s, &k2, 0.5 * h);
        const planar k3 = rate(l, &s3), s4 = advanced(&s, &k3, h);
        const planar k4 = rate(l, &s4);
        planar sum = advanced(&k1, &k2, 2);
        sum = advanced(&sum, &k3, 2);
        sum = advanced(&sum, &k4, 1);
        s = advanced(&s, &sum, h / 6);
    }
    return s;
}

// the ball with locked tilt slips and spins as a point mass with a moment of inertia
static planar stepped(const law *l, planar s, double time, int steps)
{
    ecp_body_def d = sliding(1, 0.2, s.vx, s.vy, s.w);
    d.lock = ECP_LOCK_RX | ECP_LOCK_RY;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = (ecp_real)l->inertia;
    put(&ball, d, l->mu, l->e, none);
    for (int k = 0; k < steps; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)(time / steps), NULL));
    }
    const ecp_state e = scene_state(1);
    return (planar){ (double)e.position.x, (double)e.position.y, (double)e.velocity.x, (double)e.velocity.y,
                     (double)e.angular_velocity.z };
}

static double apart(const planar *a, const planar *b)
{
    const double d[5] = { a->x - b->x, a->y - b->y, a->vx - b->vx, a->vy - b->vy, 0.2 * (a->w - b->w) };
    double worst = 0;
    for (int i = 0; i < 5; i++) {
        worst = fmax(worst, fabs(d[i]));
    }
    return worst;
}

static void compare_path(const char *name, const law *l, planar start, double time)
{
    const planar exact = integrate(l, start, time);
    const planar coarse = stepped(l, start, time, 400), fine = stepped(l, start, time, 800);
    const double e1 = apart(&coarse, &exact), e2 = apart(&fine, &exact);
    printf("%s: from (%g, %g; %g) to (%.5f, %.5f; %.5f) at (%.5f, %.5f); off by %.1e, with half the step %.1e\n",
           name, start.vx, start.vy, start.w, exact.vx, exact.vy, exact.w, exact.x, exact.y, e1, e2);
    ASSERT_SMALL(e1, 2e-3);
    // first order: half the step, half the error
    ASSERT_NEAR(2.0, e1 / e2, TOL(0.3, 0.05));
}

static void test_unequal_axes_bend_the_path_as_the_fine_integration(void)
{
    const law l = { 0.3, { 0.6, 1.5, 0.05 }, 0.02 };
    compare_path("curved path", &l, (planar){ 0, 0, 2, 1.5, 0 }, 0.4);
    compare_path("curved path", &l, (planar){ 0, 0, -1, 2, 0 }, 0.25);
}

static void test_slip_and_spin_share_the_friction_as_the_fine_integration(void)
{
    const law l = { 0.3, { 1, 1, 0.1 }, 0.02 }, all = { 0.3, { 0.7, 1.3, 0.1 }, 0.02 };
    compare_path("slip and spin", &l, (planar){ 0, 0, 1.5, 0.5, 20 }, 0.4);
    compare_path("all different", &all, (planar){ 0, 0, 1, -1, 15 }, 0.3);
}

// P21 of the list of complementarity problems: one step of a sliding, spinning body
static void test_one_step_of_slip_and_spin_is_that_of_problem_P21(void)
{
    const double e[3] = { 1, 1, 0.01 };
    ecp_body_def d = sliding(1, 0.2, 1, 0.5, 3);
    d.lock = ECP_LOCK_RX | ECP_LOCK_RY;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = ECP_R(0.02);
    put(&ball, d, 0.2, e, none);
    ecp_report r;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    const ecp_state s = scene_state(1);
    printf("P21: (%.12f, %.12f, %.12f)\n", (double)s.velocity.x, (double)s.velocity.y, (double)s.angular_velocity.z);
    ASSERT_NEAR(0.0981, r.contact[0].pn, TOL(1e-6, 1e-11));
    ASSERT_NEAR(0.982457878821, s.velocity.x, TOL(1e-6, 1e-10));
    ASSERT_NEAR(0.491228939411, s.velocity.y, TOL(1e-6, 1e-10));
    ASSERT_NEAR(2.999732193783, s.angular_velocity.z, TOL(1e-6, 1e-10));
}

// ---------------------------------------------------------------------------------------------
// t follows `axis`, fixed in body B: turning it turns the whole path

static void test_axis_turns_the_directions_of_friction(void)
{
    const double e[3] = { 0.5, 1.6, 0.1 };
    double worst = 0;
    for (int i = 0; i < 7; i++) {
        const double a = 0.9 * i, c = cos(a), s = sin(a), vx = 1.2, vy = 0.7;
        put(&slab, sliding(2, 0.05, vx, vy, 0), 0.3, e, ecp_v3(1, 0, 0));
        for (int k = 0; k < 30; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), NULL));
        }
        const ecp_vec3 p = scene_state(1).position;
        ecp_body_def d = sliding(2, 0.05, c * vx - s * vy, s * vx + c * vy, 0);
        d.state.orientation = (ecp_quat){ (ecp_real)cos(0.5 * a), 0, 0, (ecp_real)sin(0.5 * a) };
        // also with a part along the normal, which is projected away
        put(&slab, d, 0.3, e, ecp_v3((ecp_real)(3 * c), (ecp_real)(3 * s), 2));
        ecp_report r;
        for (int k = 0; k < 30; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        }
        const ecp_vec3 q = scene_state(1).position;
        worst = fmax(worst, fabs((double)q.x - (c * (double)p.x - s * (double)p.y)));
        worst = fmax(worst, fabs((double)q.y - (s * (double)p.x + c * (double)p.y)));
        ASSERT_NEAR(c, r.contact[0].t.x, TOL(1e-6, 1e-13));
        ASSERT_NEAR(s, r.contact[0].t.y, TOL(1e-6, 1e-13));
    }
    printf("axis turned: paths differ by %.1e m\n", worst);
    ASSERT_SMALL(worst, TOL(1e-5, 1e-10));
}

// ---------------------------------------------------------------------------------------------
// random single steps with all three axes different: every condition of the model holds

static void test_random_steps_with_three_different_axes_fulfil_the_model(void)
{
    const ecp_shape *const shape[3] = { &slab, &drum, &ball };
    const double height[3] = { 0.05, 0.1, 0.2 };
    test_random q = test_seed(21);
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int slips = 0;
    for (int i = 0; i < 600; i++) {
        static judge start;
        const double e[3] = { (double)test_uniform(&q, 0.3, 2), (double)test_uniform(&q, 0.3, 2),
                              (double)test_uniform(&q, 0.01, 0.3) };
        ecp_body_def d = sliding((double)test_uniform(&q, 0.1, 10), height[i % 3], (double)test_uniform(&q, -2, 2),
                                 (double)test_uniform(&q, -2, 2), (double)test_uniform(&q, -8, 8));
        d.state.velocity.z = test_uniform(&q, -1, 0);
        d.state.angular_velocity.x = test_uniform(&q, -1, 1);
        d.state.angular_velocity.y = test_uniform(&q, -1, 1);
        ecp_report r;
        put(shape[i % 3], d, (double)test_uniform(&q, 0.05, 1.2), e, none);
        judge_start(&start, 0.01);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        all = judgement_join(all, judge_step(&start, 1, &r));
        slips += r.contact[0].mode == ECP_SLIP;
    }
    judgement_print("600 random steps", all);
    TEST_ASSERT_TRUE(slips > 300);
    ASSERT_SMALL(judgement_worst(all), TOL(1e-3, 2e-8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_force_of_one_step_is_that_of_the_ellipsoid);
    RUN_TEST(test_each_axis_of_the_ellipsoid_sticks_up_to_its_own_limit);
    RUN_TEST(test_no_friction_takes_nothing_and_no_torsion_leaves_the_spin);
    RUN_TEST(test_unequal_axes_bend_the_path_as_the_fine_integration);
    RUN_TEST(test_slip_and_spin_share_the_friction_as_the_fine_integration);
    RUN_TEST(test_one_step_of_slip_and_spin_is_that_of_problem_P21);
    RUN_TEST(test_axis_turns_the_directions_of_friction);
    RUN_TEST(test_random_steps_with_three_different_axes_fulfil_the_model);
    return UNITY_END();
}
