// Bodies that change between point, line and surface contact: the tumbling cube, the tipping box, the
// T-shaped bar, impacts and free flight.
#include "file_scene.h"
#include "judge.h"

#define G 9.81

static void widen(double *to, double value)
{
    *to = fabs(value) > *to ? fabs(value) : *to;
}

// ---------------------------------------------------------------------------------------------
// cube_tumble: from a corner (three facets) over an edge (two) to a face (one)

static void test_tumbling_cube_goes_from_corner_to_edge_to_face(void)
{
    int facets = 3, since[4] = { 0, 0, 0, 0 };
    double depth = 0;
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    file_open("cube_tumble");
    const int body = file_mover();
    for (int k = 0; k < (int)file_scene.steps; k++) {
        static judge start;
        ecp_report r;
        TEST_ASSERT_TRUE(loads_apply(&file_scene, &scene_world, k) >= 0);
        judge_start(&start, file_scene.h);
        const ecp_status status = ecp_step(&scene_world, (ecp_real)file_scene.h, &r);
        TEST_ASSERT_EQUAL_INT(ECP_OK, status);
        all = judgement_join(all, judge_step(&start, body, &r));
        widen(&depth, fmin(0.0, (double)r.gap_min));
        const int now = r.contact[0].facets;
        // point, line, surface: 3, 2, 1 facets hold the touching set; 0 while it flies
        TEST_ASSERT_EQUAL_INT(now == 0 ? 0 : 4 - now, r.contact[0].patch);
        TEST_ASSERT_TRUE(now == 0 || now == facets || now == facets - 1);
        if (now != 0 && now != facets) {
            facets = now;
            since[now] = k + 1;
        }
    }
    printf("cube_tumble: line from %.2f s, surface from %.2f s, penetration %.1e m\n",
           since[2] * file_scene.h, since[1] * file_scene.h, depth);
    judgement_print("cube_tumble", all);
    scenario_free(&file_scene);
    TEST_ASSERT_EQUAL_INT(1, facets);
    // an inverted pendulum from these rates needs 0.45 s to lie on the edge
    ASSERT_NEAR(0.45, since[2] * 0.01, 0.03);
    ASSERT_SMALL(depth, TOL(2e-5, 1e-8));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

// ---------------------------------------------------------------------------------------------
// tipping: a push F at the centre tips a box of width b and height H when F H > m g b

static const ecp_shape tower = ECP_BOX(ECP_R(0.2), ECP_R(0.3), ECP_R(0.6));

static void push_tower(double force, double mu)
{
    scene_on_floor(&tower, 1, scene_at(0, 0, 0.3), G, mu, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3((ecp_real)force, 0, 0), ecp_v3(0, 0, 0)));
}

static void test_tower_tips_when_force_times_height_exceeds_weight_times_width(void)
{
    const double critical = G * 0.2 / 0.6;
    ecp_report r;
    // below: stands, the ECP as far from the edge as the moment leaves it
    push_tower(critical * 0.999, 0.8);
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
        ASSERT_NEAR(0.1 - 0.999 * critical * 0.3 / G, r.contact[0].edge, TOL(1e-5, 1e-9));
    }
    ASSERT_SMALL(ecp_v3_norm(scene_state(1).angular_velocity), TOL(1e-5, 1e-9));
    // above: turns over its edge, with friction enough not to slip; slowly, so that float needs 0.2 s
    // until the other edge is farther away than what counts as touching
    push_tower(critical * 1.001, 0.8);
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
        if (k >= (ECP_REAL_BITS == 32 ? 30 : 0)) {
            TEST_ASSERT_EQUAL_INT(2, r.contact[0].patch);
            TEST_ASSERT_EQUAL_INT(2, r.contact[0].facets);
        }
        TEST_ASSERT_TRUE(scene_state(1).angular_velocity.y > 0);
    }
    printf("tower: critical push %.4f N; %.1f %% of it leaves an edge distance of %.1e m\n", critical, 99.9,
           0.1 - 0.999 * critical * 0.3 / G);
    // too little friction: slides instead, flat
    push_tower(critical * 1.2, 0.2);
    for (int k = 1; k <= 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
        ASSERT_NEAR(k * 0.01 * (critical * 1.2 - 0.2 * G), scene_state(1).velocity.x, TOL(1e-4, 1e-9));
    }
}

// angle about the edge: (I + m R^2) a'' = F z(a) - m g x(a), a fine Runge-Kutta integration
static double tipping_acceleration(double a, double force)
{
    const double I = (0.2 * 0.2 + 0.6 * 0.6) / 12.0, R2 = 0.1 * 0.1 + 0.3 * 0.3;
    const double x = 0.1 * cos(a) - 0.3 * sin(a), z = 0.1 * sin(a) + 0.3 * cos(a);
    return (force * z - G * x) / (I + R2);
}

static double tipping_angle(double force, double time)
{
    const int n = 3000;
    const double h = time / n;
    double a = 0, w = 0;
    for (int i = 0; i < n; i++) {
        const double k1 = tipping_acceleration(a, force), k2 = tipping_acceleration(a + 0.5 * h * w, force);
        const double k3 = tipping_acceleration(a + 0.5 * h * w + 0.25 * h * h * k1, force);
        const double k4 = tipping_acceleration(a + h * w + 0.5 * h * h * k2, force);
        a += h * w + h * h / 6.0 * (k1 + k2 + k3);
        w += h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return a;
}

static double tipped_after(double force, double time, int steps)
{
    push_tower(force, 0.8);
    for (int k = 0; k < steps; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)(time / steps), NULL));
    }
    const ecp_quat q = scene_state(1).orientation;
    return 2.0 * atan2((double)q.y, (double)q.w);
}

static void test_tipping_tower_follows_the_pendulum_equation_to_first_order(void)
{
    const double force = 4.0, time = 0.3;
    const double exact = tipping_angle(force, time);
    const double coarse = tipped_after(force, time, 300) - exact, fine = tipped_after(force, time, 600) - exact;
    printf("tipping tower: %.6f rad after 0.3 s; off by %.2e at 1 ms, %.2e at 0.5 ms\n", exact, coarse, fine);
    // backward Euler: the error halves with h
    ASSERT_SMALL(coarse, 0.01 * exact);
    ASSERT_NEAR(2.0, coarse / fine, TOL(0.2, 0.05));
}

// a tower on an incline falls over when tan(angle) exceeds width/height
static void test_tower_on_an_incline_tips_when_its_centre_leaves_the_base(void)
{
    for (int side = -1; side <= 1; side += 2) {
        static ecp_shape incline;
        const double angle = atan(1.0 / 3.0) + side * 1e-3;
        incline = (ecp_shape)ECP_HALFSPACE((ecp_real)sin(angle), 0, (ecp_real)cos(angle), 0);
        ecp_state s = scene_at(0.3 * sin(angle), 0, 0.3 * cos(angle));
        s.orientation = (ecp_quat){ (ecp_real)cos(0.5 * angle), 0, (ecp_real)sin(0.5 * angle), 0 };
        scene_begin(G);
        (void)scene_plane(&incline);
        (void)scene_body(&tower, 1, s);
        scene_contact(1, 0, 0.8, 1, 1, 0.1);
        ecp_report r;
        for (int k = 0; k < 20; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
        }
        TEST_ASSERT_EQUAL_INT(side < 0 ? 3 : 2, r.contact[0].patch);
    }
}

// ---------------------------------------------------------------------------------------------
// t_bar: flat, on the two ends of one slanted edge of its hull, flat, on the other, flat

static const double bar_T[8][2] = { { -0.3, 0.15 },   { 0.3, 0.15 },    { 0.3, 0.05 },   { 0.05, 0.05 },
                                    { 0.05, -0.35 },  { -0.05, -0.35 }, { -0.05, 0.05 }, { -0.3, 0.05 } };

// inside the T of the base, in the body's axes
static bool inside_T(vec y)
{
    bool in = false;
    for (int i = 0, j = 7; i < 8; j = i++) {
        const double *a = bar_T[i], *b = bar_T[j];
        if ((a[1] > y.y) != (b[1] > y.y) && y.x < a[0] + (b[0] - a[0]) * (y.y - a[1]) / (b[1] - a[1])) {
            in = !in;
        }
    }
    return in;
}

// corners of the T that touch; sign: -1 if all on the left half, 1 on the right, 0 otherwise
static int touching_corners(const ecp_state *s, int corner[8], int *sign)
{
    int count = 0, left = 0;
    for (int i = 0; i < 8; i++) {
        const vec p = turn(s->orientation, vec_of(bar_T[i][0], bar_T[i][1], -0.05));
        if ((double)s->position.z + p.z < (double)TOL(3e-5, 3e-8)) {
            corner[count++] = i;
            left += bar_T[i][0] < 0;
        }
    }
    *sign = count != 2 ? 0 : (left == 2 ? -1 : (left == 0 ? 1 : 0));
    return count;
}

typedef struct bar_phase {
    int patch, side, steps;
} bar_phase;

typedef struct bar_figures {
    double height, beyond, line, least_outside;
} bar_figures;

// on two points: the ECP on the segment between them and outside the T
static void check_two_points(const ecp_state *s, const ecp_contact_report *c, const int corner[8], bar_figures *f)
{
    const vec a = vec_sub(vec_from(c->a), vec_from(s->position));
    const vec y = turn_back(s->orientation, a);
    const vec p = vec_of(bar_T[corner[0]][0], bar_T[corner[0]][1], -0.05);
    const vec q = vec_of(bar_T[corner[1]][0], bar_T[corner[1]][1], -0.05);
    const vec d = vec_sub(q, p), e = vec_sub(y, p);
    const double along = vec_dot(e, d) / vec_dot(d, d);
    f->beyond = fmax(f->beyond, fmax(-along, along - 1.0));
    f->line = fmax(f->line, vec_norm(vec_sub(e, vec_scale(along, d))));
    TEST_ASSERT_FALSE_MESSAGE(inside_T(y), "the ECP lies inside the T while the bar stands on two points");
    // distance from the stem or the crossbar, whichever is nearer
    f->least_outside = fmin(f->least_outside, fmin(fabs(y.x) - 0.05, 0.05 - y.y));
    // edge: to the nearer of the two points
    ASSERT_NEAR(fmin(along, 1.0 - along) * vec_norm(d), c->edge, TOL(1e-4, 1e-8));
}

static void follow_bar(bar_phase phase[16], int *phases, bar_figures *f, judgement *all)
{
    const int body = file_mover();
    for (int k = 0; k < (int)file_scene.steps; k++) {
        static judge start;
        ecp_report r;
        int corner[8], side;
        TEST_ASSERT_TRUE(loads_apply(&file_scene, &scene_world, k) >= 0);
        judge_start(&start, file_scene.h);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)file_scene.h, &r));
        *all = judgement_join(*all, judge_step(&start, body, &r));
        const ecp_state s = scene_state(body);
        const int touching = touching_corners(&s, corner, &side), patch = r.contact[0].patch;
        // (a float that has hardly left the ground still touches with some of the corners)
        TEST_ASSERT_TRUE(patch == 2 ? touching == 2 : touching == 8 || ECP_REAL_BITS == 32);
        f->height = fmax(f->height, fabs((double)r.contact[0].a.z));
        if (patch == 2) {
            check_two_points(&s, &r.contact[0], corner, f);
        }
        if (*phases == 0 || phase[*phases - 1].patch != patch || (patch == 2 && phase[*phases - 1].side != side)) {
            TEST_ASSERT_TRUE(*phases < 16);
            phase[(*phases)++] = (bar_phase){ patch, side, 0 };
        }
        phase[*phases - 1].steps++;
    }
}

static void test_t_bar_tips_over_both_slanted_edges_of_its_hull(void)
{
    bar_phase phase[16];
    bar_figures f = { 0, 0, 0, 1 };
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int phases = 0;
    file_open("t_bar");
    follow_bar(phase, &phases, &f, &all);
    scenario_free(&file_scene);
    printf("t_bar:");
    for (int i = 0; i < phases; i++) {
        printf(" %s%s %d steps;", phase[i].patch == 3 ? "surface" : "two points",
               phase[i].side > 0 ? " right" : (phase[i].side < 0 ? " left" : ""), phase[i].steps);
    }
    printf("\nt_bar: |a_z| <= %.1e m, off the segment %.1e m, beyond its ends %.1e, outside the T by %.3f m\n",
           f.height, f.line, f.beyond, f.least_outside);
    judgement_print("t_bar", all);
    TEST_ASSERT_EQUAL_INT(5, phases);
    static const bar_phase expected[5] = { { 3, 0, 5 }, { 2, 1, 20 }, { 3, 0, 1 }, { 2, -1, 20 }, { 3, 0, 200 } };
    for (int i = 0; i < 5; i++) {
        TEST_ASSERT_EQUAL_INT(expected[i].patch, phase[i].patch);
        TEST_ASSERT_EQUAL_INT(expected[i].side, phase[i].side);
        TEST_ASSERT_TRUE(phase[i].steps >= expected[i].steps);
    }
    ASSERT_SMALL(f.height, TOL(1e-5, 1e-10));
    ASSERT_SMALL(f.line, TOL(1e-4, 1e-8));
    TEST_ASSERT_TRUE(f.beyond <= 0);
    TEST_ASSERT_TRUE(f.least_outside > 0.02);
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

// ---------------------------------------------------------------------------------------------
// impact, free flight, separation

static void test_free_flight_needs_no_solve_and_follows_the_parabola_of_the_scheme(void)
{
    const double h = 0.01;
    ecp_state s = scene_at(0, 0, 5);
    s.velocity = ecp_v3(1, 0, 2);
    s.angular_velocity = ecp_v3(0, 0, 3);
    scene_on_floor(&tower, 2, s, G, 0.5, 0.1);
    for (int k = 1; k <= 50; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        TEST_ASSERT_EQUAL_INT(0, r.iterations);
        TEST_ASSERT_EQUAL_INT(ECP_OPEN, r.contact[0].mode);
        const ecp_state now = scene_state(1);
        ASSERT_NEAR(1.0 * k * h, now.position.x, TOL(1e-5, 1e-13));
        ASSERT_NEAR(5 + 2.0 * k * h - 0.5 * G * h * h * k * (k + 1.0), now.position.z, TOL(1e-5, 1e-12));
        ASSERT_NEAR(now.position.z - ECP_R(0.3), r.gap_min, TOL(1e-5, 1e-12));
        ASSERT_NEAR(3.0, now.angular_velocity.z, TOL(1e-5, 1e-13));
    }
}

// dropped flat: comes to rest in one step, whose normal impulse is m (v + g h); the ECP under the centre
static void test_flat_impact_is_inelastic_and_takes_the_whole_momentum(void)
{
    ecp_state s = scene_at(0, 0, 0.31);
    s.velocity.z = -3;
    ecp_report r;
    scene_on_floor(&tower, 2, s, G, 0.5, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    // what it may still move: the gap of 0.01 m in one step
    ASSERT_NEAR(-1.0, scene_state(1).velocity.z, TOL(1e-4, 1e-9));
    ASSERT_NEAR(2.0 * (3 + G * 0.01 - 1.0), r.contact[0].pn, TOL(1e-4, 1e-8));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    ASSERT_SMALL(scene_state(1).velocity.z, TOL(1e-4, 1e-9));
    ASSERT_NEAR(2.0 * (1 + G * 0.01), r.contact[0].pn, TOL(1e-4, 1e-8));
    ASSERT_SMALL(r.contact[0].a.x, TOL(1e-4, 1e-8));
    TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
}

// an upward impulse lifts it off at once: no pull
static void test_lifted_body_separates_without_pull(void)
{
    ecp_report r;
    scene_on_floor(&tower, 2, scene_at(0, 0, 0.3), G, 0.5, 0.1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scene_world, 1, ecp_v3(0, 0, 4), ecp_v3(0, 0, 0)));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &r));
    TEST_ASSERT_EQUAL_INT(ECP_OPEN, r.contact[0].mode);
    ASSERT_NEAR(2.0 - G * 0.01, scene_state(1).velocity.z, TOL(1e-5, 1e-12));
    ASSERT_SMALL(r.contact[0].pn, 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_tumbling_cube_goes_from_corner_to_edge_to_face);
    RUN_TEST(test_tower_tips_when_force_times_height_exceeds_weight_times_width);
    RUN_TEST(test_tipping_tower_follows_the_pendulum_equation_to_first_order);
    RUN_TEST(test_tower_on_an_incline_tips_when_its_centre_leaves_the_base);
    RUN_TEST(test_t_bar_tips_over_both_slanted_edges_of_its_hull);
    RUN_TEST(test_free_flight_needs_no_solve_and_follows_the_parabola_of_the_scheme);
    RUN_TEST(test_flat_impact_is_inelastic_and_takes_the_whole_momentum);
    RUN_TEST(test_lifted_body_separates_without_pull);
    return UNITY_END();
}
