// The inverse query returns what the step reported, what a wrench made up by hand did, and says when
// a motion was not that of a body in contact.
#define _POSIX_C_SOURCE 200809L
#include "scenarios.h"

// relative to the radius, the impulse, impulse times radius
#define AGREES TOL(1e-4, 1e-9)

static ecp_world start;
static ecp_inverse_result out;

typedef struct tally {
    int steps;
    double ecp, impulse, moment, mu;
} tally;

static tally all;

static void widen(double *worst, ecp_real a, ecp_real b, ecp_real size)
{
    *worst = fmax(*worst, fabs((double)(a - b)) / (double)size);
}

static void widen3(double *worst, ecp_vec3 a, ecp_vec3 b, ecp_real size)
{
    widen(worst, ecp_v3_norm(ecp_v3_sub(a, b)), 0, size);
}

// the body of the contact that moved in the step from world start to world now, and its loads
static ecp_motion motion_of(const ecp_world *now, int contact, ecp_real h)
{
    const ecp_contact *c = &start.contact[contact];
    const int moving = start.body[c->a].shape->kind == ECP_SHAPE_HALFSPACE ? c->b : c->a;
    const ecp_body *b = &start.body[moving];
    ecp_motion m = { .contact = contact, .h = h, .before = b->state };
    m.impulse = ecp_v3_axpy(b->impulse, h, b->force);
    m.angular_impulse = ecp_v3_axpy(b->angular_impulse, h, b->torque);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(now, moving, &m.after));
    return m;
}

// the one contact that presses, or -1
static int only_pressing(const ecp_report *report)
{
    int at = -1, count = 0;
    for (int k = 0; k < report->contact_count; k++) {
        if (report->contact[k].mode != ECP_OPEN) {
            at = k;
            count++;
        }
    }
    return count == 1 ? at : -1;
}

static bool on_a_halfspace(const ecp_world *w, int contact)
{
    const ecp_contact *c = &w->contact[contact];
    return (w->body[c->a].shape->kind == ECP_SHAPE_HALFSPACE) != (w->body[c->b].shape->kind == ECP_SHAPE_HALFSPACE);
}

// m |v| over the impulse, a hundredth of it: the tolerance of a step is one of velocities, so a contact
// that hardly changes them is known less well
static ecp_real weakness(const ecp_body *b, ecp_real P)
{
    const ecp_state *s = &b->state;
    const ecp_real v = ecp_v3_norm(s->velocity) + b->radius * ecp_v3_norm(s->angular_velocity);
    return ecp_max(ECP_R(1.0), ECP_R(0.01) * b->mass * v / P);
}

static void compare(const ecp_contact_report *r, const ecp_contact *c, const ecp_body *b,
                    const char *name)
{
    const ecp_real P = ecp_v3_norm(ecp_v3(r->pn, r->pt, r->po)), k = weakness(b, P), L = b->radius;
    TEST_ASSERT_TRUE_MESSAGE(out.contact, name);
    widen3(&all.ecp, r->a, out.a, k * L);
    widen3(&all.impulse, ecp_v3(r->pn, r->pt, r->po), ecp_v3(out.pn, out.pt, out.po), k * P);
    widen(&all.moment, r->pr, out.pr, k * P * L);
    if (r->mode == ECP_SLIP) {
        widen(&all.mu, c->mu, out.mu, k);
    } else {
        TEST_ASSERT_TRUE(out.mu <= c->mu + TOL(1e-4, 1e-8));
    }
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(r->n, out.n)), TOL(1e-6, 1e-15));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(r->t, out.t)), TOL(1e-6, 1e-14));
    ASSERT_NEAR(r->gap, out.gap, L * TOL(1e-6, 1e-14));
    ASSERT_NEAR(r->sigma, out.sigma, TOL(1e-4, 1e-8));
    all.steps++;
}

static void agrees_with_the_report(const scenario *s, const char *name)
{
    for (long k = 0; k < s->steps; k++) {
        TEST_ASSERT_TRUE(loads_apply(s, &scenario_world, k) >= ECP_OK);
        start = scenario_world;
        const ecp_status status = ecp_step(&scenario_world, (ecp_real)s->h, &scenario_report);
        const int contact = only_pressing(&scenario_report);
        if (status != ECP_OK || contact < 0 || !on_a_halfspace(&start, contact)) {
            continue;
        }
        const ecp_motion m = motion_of(&scenario_world, contact, (ecp_real)s->h);
        const ecp_contact *c = &start.contact[contact];
        const int moving = start.body[c->a].shape->kind == ECP_SHAPE_HALFSPACE ? c->b : c->a;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_inverse(&scenario_world, &m, &out));
        compare(&scenario_report.contact[contact], c, &start.body[moving], name);
    }
}

static void test_every_step_in_contact_of_every_scenario_comes_back(void)
{
    all = (tally){ .steps = 0 };
    TEST_ASSERT_TRUE(scenarios_each(agrees_with_the_report) >= 5);
    printf("inverse: %d steps, ECP %.1e of the radius, impulse %.1e, moment %.1e of their size, mu %.1e\n",
           all.steps, all.ecp, all.impulse, all.moment, all.mu);
    TEST_ASSERT_TRUE(all.steps > 2000);
    ASSERT_SMALL(all.ecp, AGREES);
    ASSERT_SMALL(all.impulse, AGREES);
    ASSERT_SMALL(all.moment, AGREES);
    ASSERT_SMALL(all.mu, AGREES);
}

// ---------------------------------------------------------------------------------------------

static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));
static const ecp_shape egg = ECP_ELLIPSOID(ECP_R(0.3), ECP_R(0.5), ECP_R(0.4));
static ecp_shape ground;

// one dynamic body (id 0) and the half-space n.x >= d (id 1); floor_first: it is body A of the contact
static void place(ecp_world *w, const ecp_shape *shape, ecp_state s, ecp_vec3 n, ecp_real d,
                  double er, bool floor_first)
{
    const ecp_settings settings = { .gravity = { 0, 0, ECP_R(-9.81) } };
    ground = (ecp_shape)ECP_HALFSPACE(n.x, n.y, n.z, d);
    const ecp_body_def body = { .kind = ECP_DYNAMIC, .shape = shape, .mass = ECP_R(2.0),
                                .state = s };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &ground,
                                 .state = { .orientation = { 1, 0, 0, 0 } } };
    const ecp_contact_def touch = { .a = floor_first ? 1 : 0, .b = floor_first ? 0 : 1,
                                    .mu = ECP_R(0.3),
                                    .e = { 1, ECP_R(0.8), (ecp_real)er } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(w, &settings));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(w, &body, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(w, &plane, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(w, &touch, NULL));
}

static ecp_vec3 random_vec(test_random *r, double size)
{
    ecp_real v[3];
    test_fill(r, v, 3, -size, size);
    return ecp_v3(v[0], v[1], v[2]);
}

static ecp_state random_state(test_random *r)
{
    ecp_real q[4];
    test_fill(r, q, 4, -1, 1);
    return (ecp_state){ .position = random_vec(r, 2), .velocity = random_vec(r, 1),
                        .angular_velocity = random_vec(r, 8),
                        .orientation = ecp_quat_normalised((ecp_quat){ q[0], q[1], q[2], q[3] }) };
}

// x of the symmetric I x = b, by Cramer's rule
static ecp_vec3 solved(const ecp_mat3 *I, ecp_vec3 b)
{
    const ecp_vec3 x = ecp_m3_column(I, 0), y = ecp_m3_column(I, 1), z = ecp_m3_column(I, 2);
    const ecp_real det = ecp_v3_dot(x, ecp_v3_cross(y, z));
    return ecp_v3(ecp_v3_dot(b, ecp_v3_cross(y, z)) / det, ecp_v3_dot(x, ecp_v3_cross(b, z)) / det,
                  ecp_v3_dot(x, ecp_v3_cross(y, b)) / det);
}

static ecp_vec3 lowest_point(const ecp_state *s, ecp_vec3 n)
{
    // ellipsoid: -A n/sqrt(n.A n) with A = R diag(a^2) R^T
    const ecp_mat3 R = ecp_quat_matrix(s->orientation);
    const ecp_vec3 n_b = ecp_m3_tmulv(&R, n);
    const ecp_vec3 y = ecp_v3(ECP_R(0.09) * n_b.x, ECP_R(0.25) * n_b.y, ECP_R(0.16) * n_b.z);
    return ecp_m3_mulv(&R, ecp_v3_scale(ECP_R(-1.0) / ecp_sqrt(ecp_v3_dot(y, n_b)), y));
}

// a wrench chosen first, the motion it makes, and the wrench found again. The orientation at the end
// depends on r and r on the orientation, so the turn is iterated until they agree.
static void one_made_up_wrench(test_random *rnd, int trial)
{
    const ecp_real h = ECP_R(0.01);
    const ecp_state before = random_state(rnd);
    ecp_vec3 n = random_vec(rnd, 1), P = random_vec(rnd, 1);
    n = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(n), n);
    P = ecp_v3_axpy(P, ECP_R(2.0) - ecp_v3_dot(P, n), n);
    const ecp_real pr = test_uniform(rnd, -0.1, 0.1);
    ecp_motion m = { .contact = 0, .h = h, .before = before, .impulse = random_vec(rnd, 1),
                     .angular_impulse = random_vec(rnd, ECP_REAL_BITS == 32 ? 0.1 : 0.3) };
    // free motion: the step of a world in which nothing can be reached
    place(&start, &egg, before, n, ECP_R(-100.0), 0.1, false);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&start, 0, m.impulse, m.angular_impulse));
    const ecp_mat3 Ib = ecp_m3_symmetric(start.body[0].inertia),
        R = ecp_quat_matrix(before.orientation);
    const ecp_mat3 I = ecp_m3_congruence(&R, &Ib);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&start, h, NULL));
    ecp_state free_end;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&start, 0, &free_end));
    m.after = free_end;
    m.after.velocity = ecp_v3_axpy(free_end.velocity, ECP_R(0.5), P);  // m = 2 kg
    m.after.position = ecp_v3_axpy(before.position, h, m.after.velocity);
    ecp_vec3 r = { 0, 0, 0 };
    for (int i = 0; i < 60; i++) {
        r = lowest_point(&m.after, n);
        const ecp_vec3 moment = ecp_v3_axpy(ecp_v3_cross(r, P), pr, n);
        m.after.angular_velocity = ecp_v3_add(free_end.angular_velocity, solved(&I, moment));
        m.after.orientation = ecp_quat_cayley_step(before.orientation,
                                                   ecp_v3_scale(ECP_R(0.5) * h, m.after.angular_velocity));
    }
    const ecp_vec3 a = ecp_v3_add(m.after.position, r);
    place(&scenario_world, &egg, before, n, ecp_v3_dot(n, a), 0.1, trial & 1);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_inverse(&scenario_world, &m, &out));
    TEST_ASSERT_TRUE_MESSAGE(out.contact, out.why);
    const ecp_real sign = (trial & 1) ? ECP_R(-1.0) : ECP_R(1.0);
    const ecp_vec3 o = ecp_v3_cross(out.n, out.t);
    ecp_vec3 force = ecp_v3_scale(out.pn, out.n);
    force = ecp_v3_axpy(ecp_v3_axpy(force, out.pt, out.t), out.po, o);
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(out.n, ecp_v3_scale(sign, n))), TOL(1e-6, 1e-14));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(out.a, a)), TOL(1e-4, 1e-12));
    ASSERT_SMALL(ecp_v3_norm(ecp_v3_sub(force, ecp_v3_scale(sign, P))), TOL(1e-5, 1e-13));
    ASSERT_NEAR(pr, out.pr, TOL(1e-4, 1e-13));
}

static void test_a_wrench_made_up_by_hand_comes_back_with_its_point(void)
{
    test_random r = test_seed(26);
    for (int trial = 0; trial < 500; trial++) {
        one_made_up_wrench(&r, trial);
    }
}

// ---------------------------------------------------------------------------------------------

static ecp_state cube_at(double x, double z)
{
    return (ecp_state){ .position = { (ecp_real)x, 0, (ecp_real)z },
                        .orientation = { 1, 0, 0, 0 } };
}

static void test_either_order_of_the_bodies_gives_what_the_step_reports(void)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        ecp_state s = cube_at(0, 0.5);
        s.velocity = ecp_v3(ECP_R(1.0), ECP_R(2.0), 0);
        s.angular_velocity = ecp_v3(0, 0, ECP_R(2.0));
        place(&scenario_world, &cube, s, ecp_v3(0, 0, 1), 0, 0.2, swapped == 1);
        for (int k = 0; k < 20; k++) {
            start = scenario_world;
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scenario_world, ECP_R(0.01), &scenario_report));
            const ecp_motion m = motion_of(&scenario_world, 0, ECP_R(0.01));
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_inverse(&scenario_world, &m, &out));
            all = (tally){ .steps = 0 };
            compare(&scenario_report.contact[0], &start.contact[0], &start.body[0], "order");
            ASSERT_SMALL(fmax(fmax(all.ecp, all.impulse), fmax(all.moment, all.mu)), AGREES);
        }
    }
}

// the motion of a cube at rest, with what must have acted besides gravity taken from nowhere
static ecp_motion unexplained(double height, ecp_vec3 dv, ecp_vec3 dw)
{
    const ecp_real h = ECP_R(0.01);
    ecp_motion m = { .contact = 0, .h = h, .before = cube_at(0, height) };
    place(&scenario_world, &cube, m.before, ecp_v3(0, 0, 1), 0, 0.0, false);
    m.after = m.before;
    m.after.velocity = dv;
    m.after.angular_velocity = dw;
    m.after.position = ecp_v3_axpy(m.before.position, h, dv);
    m.after.orientation = ecp_quat_cayley_step(m.before.orientation,
                                               ecp_v3_scale(ECP_R(0.5) * h, dw));
    return m;
}

static void assert_flag(ecp_motion m, bool contact)
{
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_inverse(&scenario_world, &m, &out));
    TEST_ASSERT_EQUAL_INT(contact, out.contact);
    TEST_ASSERT_EQUAL_INT(contact, strlen(out.why) == 0);
    const ecp_real *number = &out.a.x;
    for (size_t i = 0; i < (sizeof out - offsetof(ecp_inverse_result, a)) / sizeof(ecp_real); i++) {
        TEST_ASSERT_TRUE(ecp_finite(number[i]));
    }
}

static void test_motions_that_no_contact_can_cause_are_flagged(void)
{
    const ecp_vec3 zero = { 0, 0, 0 };
    // at rest on the floor: yes
    assert_flag(unexplained(0.5, zero, zero), true);
    ASSERT_NEAR(2.0 * 9.81 * 0.01, out.pn, TOL(1e-6, 1e-15));
    // at rest in the air: something carries it, but not this plane
    assert_flag(unexplained(0.6, zero, zero), false);
    ASSERT_NEAR(0.1, out.gap, TOL(1e-6, 1e-15));
    // free fall, and pulled down faster than that
    assert_flag(unexplained(0.6, ecp_v3(0, 0, ECP_R(-0.0981)), zero), false);
    ASSERT_NEAR(0, out.pn, 0);
    assert_flag(unexplained(0.5, ecp_v3(0, 0, ECP_R(-0.3)), zero), false);
    ASSERT_NEAR(0, out.pn, 0);
    // starts to turn about x as no force through its base can make it: r = 0.333 0.6/0.196 = 1 > 0.5
    assert_flag(unexplained(0.5, zero, ecp_v3(ECP_R(1e-5), 0, 0)), true);
    assert_flag(unexplained(0.5, zero, ecp_v3(ECP_R(0.6), 0, 0)), false);
    // starts to spin about the vertical on a contact without torsional friction
    assert_flag(unexplained(0.5, zero, ecp_v3(0, 0, ECP_R(0.1))), false);
}

static void test_a_body_that_recovers_from_depth_is_in_contact(void)
{
    // 1 % deep and turned about x: its lowest edge presses. The line of the force is right, so the
    // point is off by no more than the depth
    const ecp_quat turned = { ECP_R(0.9950041652780258), ECP_R(0.09983341664682815), 0, 0 };  // 0.2 rad
    ecp_state s = cube_at(0, 0.5 * (cos(0.2) + sin(0.2)) - 0.01);
    s.orientation = turned;
    place(&scenario_world, &cube, s, ecp_v3(0, 0, 1), 0, 0.1, false);
    for (int k = 0; k < 10; k++) {
        start = scenario_world;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scenario_world, ECP_R(0.01), &scenario_report));
        const ecp_motion m = motion_of(&scenario_world, 0, ECP_R(0.01));
        assert_flag(m, true);
        TEST_ASSERT_TRUE(scenario_report.gap_min < ECP_R(-0.001));
        const ecp_vec3 off = ecp_v3_sub(out.a, scenario_report.contact[0].a);
        TEST_ASSERT_TRUE(ecp_v3_norm(off) <= ECP_R(1.1) * -scenario_report.gap_min);
    }
}

static void test_a_measured_motion_needs_slack(void)
{
    // 1 mm off the floor by the camera, and a little tilted
    ecp_motion m = unexplained(0.501, ecp_v3(0, 0, 0), ecp_v3(0, 0, 0));
    assert_flag(m, false);
    m.slack = ECP_R(0.002);
    assert_flag(m, true);
    ASSERT_NEAR(2.0 * 9.81 * 0.01, out.pn, TOL(1e-6, 1e-15));
    ASSERT_NEAR(0.001, out.gap, TOL(1e-6, 1e-15));
}

static void assert_status(ecp_status status, const ecp_motion *m)
{
    TEST_ASSERT_EQUAL_INT(status, ecp_inverse(&scenario_world, m, &out));
    TEST_ASSERT_TRUE(strlen(out.why) > 0);
    TEST_ASSERT_FALSE(out.contact);
}

static void test_queries_without_an_answer_are_refused_with_a_reason(void)
{
    const ecp_motion good = unexplained(0.5, ecp_v3(0, 0, 0), ecp_v3(0, 0, 0));
    const ecp_real bad[3] = { (ecp_real)NAN, (ecp_real)INFINITY, ECP_R(-1.0) };
    ecp_motion m;
    m = good, m.contact = 1, assert_status(ECP_E_ARG, &m);
    m = good, m.contact = -1, assert_status(ECP_E_ARG, &m);
    for (int i = 0; i < 3; i++) {
        m = good, m.h = bad[i], assert_status(ECP_E_ARG, &m);
        m = good, m.slack = bad[i], assert_status(ECP_E_ARG, &m);
    }
    for (int i = 0; i < 2; i++) {
        m = good, m.impulse.y = bad[i], assert_status(ECP_E_ARG, &m);
        m = good, m.angular_impulse.z = bad[i], assert_status(ECP_E_ARG, &m);
        m = good, m.before.velocity.x = bad[i], assert_status(ECP_E_STATE, &m);
        m = good, m.after.position.x = bad[i], assert_status(ECP_E_STATE, &m);
        m = good, m.after.orientation.w = bad[i], assert_status(ECP_E_STATE, &m);
    }
    m = good, m.after.orientation.w = ECP_R(1.01), assert_status(ECP_E_STATE, &m);
    m = good, m.before.angular_velocity.x = ECP_R(60.0), assert_status(ECP_E_STATE, &m);
    scenario_world.body[0].lock = ECP_LOCK_RX;
    assert_status(ECP_E_ARG, &good);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_inverse(NULL, &good, &out));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_inverse(&scenario_world, NULL, &out));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_inverse(&scenario_world, &good, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_step_in_contact_of_every_scenario_comes_back);
    RUN_TEST(test_a_wrench_made_up_by_hand_comes_back_with_its_point);
    RUN_TEST(test_either_order_of_the_bodies_gives_what_the_step_reports);
    RUN_TEST(test_motions_that_no_contact_can_cause_are_flagged);
    RUN_TEST(test_a_body_that_recovers_from_depth_is_in_contact);
    RUN_TEST(test_a_measured_motion_needs_slack);
    RUN_TEST(test_queries_without_an_answer_are_refused_with_a_reason);
    return UNITY_END();
}
