// Locked axes and moving half-spaces, against closed forms of the scheme; the tilting ramp.
#include "file_scene.h"
#include "judge.h"

#define G 9.81
#define H 0.01

static const ecp_shape brick = ECP_BOX(ECP_R(0.4), ECP_R(0.3), ECP_R(0.2));
static const ecp_shape tower = ECP_BOX(ECP_R(0.2), ECP_R(0.3), ECP_R(0.6));
static const ecp_shape drum = ECP_CYLINDER(ECP_R(0.2), ECP_R(0.3));
static const ecp_shape spike = ECP_CONE(ECP_R(0.2), ECP_R(0.4));
static const ecp_shape egg = ECP_ELLIPSOID(ECP_R(0.2), ECP_R(0.15), ECP_R(0.1));
static const ecp_shape ceiling = ECP_HALFSPACE(0, 0, -1, 0);

static void widen(double *to, double value)
{
    *to = fabs(value) > *to ? fabs(value) : *to;
}

static int add(const ecp_body_def *d)
{
    int id = -1;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, d, &id));
    return id;
}

// floor, and a body with locks; ids 0 and 1
static void put_locked(const ecp_shape *shape, double mass, ecp_state s, unsigned lock, double mu)
{
    const ecp_body_def d = { .kind = ECP_DYNAMIC, .shape = shape, .mass = (ecp_real)mass, .state = s, .lock = lock };
    scene_begin(G);
    (void)scene_plane(&scene_floor);
    (void)add(&d);
    scene_contact(1, 0, mu, 1, 1, 0.1);
}

// ---------------------------------------------------------------------------------------------
// locks

static ecp_real component(const ecp_state *s, int axis)
{
    const ecp_real v[6] = { s->velocity.x, s->velocity.y, s->velocity.z,
                            s->angular_velocity.x, s->angular_velocity.y, s->angular_velocity.z };
    return v[axis];
}

static void test_locked_velocity_is_zero_from_the_start_and_stays_zero(void)
{
    for (unsigned lock = 1; lock < 64; lock++) {
        ecp_state s = scene_at(0, 0, 0.3);
        s.velocity = ecp_v3(1, 2, -3);
        s.angular_velocity = ecp_v3(3, -2, 4);
        put_locked(&brick, 2, s, lock, 0.4);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(5, 6, 7), ecp_v3(1, 2, 3)));
        for (int k = 0; k < 20; k++) {
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scene_world, 1, ecp_v3(0, ECP_R(0.1), 0),
                                                            ecp_v3(0, 0, 0)));
            const ecp_status status = ecp_step(&scene_world, (ecp_real)H, NULL);
            TEST_ASSERT_TRUE(status == ECP_OK || status == ECP_SUBSTEPPED);
            const ecp_state now = scene_state(1);
            for (int axis = 0; axis < 6; axis++) {
                if ((lock >> axis) & 1u) {
                    ASSERT_SMALL(component(&now, axis), 0);
                }
            }
        }
        const ecp_state end = scene_state(1);
        ASSERT_NEAR((lock & ECP_LOCK_X) ? 0 : (double)end.position.x, end.position.x, 0);
        ASSERT_NEAR((lock & ECP_LOCK_Z) ? (double)ECP_R(0.3) : (double)end.position.z, end.position.z, 0);
    }
}

// ry locked: about x and z acts the inverse of the 2 x 2 matrix of the free axes, not the 2 x 2 block of
// the inverse
static void test_free_axes_of_a_locked_body_have_their_own_inertia(void)
{
    ecp_body_def d = { .kind = ECP_DYNAMIC, .shape = &brick, .mass = 2, .state = scene_at(0, 0, 5),
                       .inertia = { 3, 4, 5, 1, ECP_R(0.5), ECP_R(-0.8) }, .lock = ECP_LOCK_RY };
    scene_begin(0);
    (void)scene_plane(&scene_floor);
    (void)add(&d);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(0, 0, 0), ecp_v3(2, 7, -1)));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, NULL));
    // [3 .5; .5 5] (wx, wz) = h (2, -1)
    const double det = 3 * 5 - 0.25;
    const ecp_state s = scene_state(1);
    ASSERT_NEAR(H * (5 * 2 + 0.5) / det, s.angular_velocity.x, TOL(1e-8, 1e-16));
    ASSERT_NEAR(H * (-3 - 0.5 * 2) / det, s.angular_velocity.z, TOL(1e-8, 1e-16));
    ASSERT_SMALL(s.angular_velocity.y, 0);
    // all three free: the full inverse
    d.lock = 0;
    scene_begin(0);
    (void)add(&d);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 0, ecp_v3(0, 0, 0), ecp_v3(2, 7, -1)));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, NULL));
    const vec w = vec_from(scene_state(0).angular_velocity);
    ASSERT_NEAR(2 * H, 3 * w.x + 1 * w.y + 0.5 * w.z, TOL(1e-7, 1e-15));
    ASSERT_NEAR(7 * H, 1 * w.x + 4 * w.y - 0.8 * w.z, TOL(1e-7, 1e-15));
    ASSERT_NEAR(-1 * H, 0.5 * w.x - 0.8 * w.y + 5 * w.z, TOL(1e-7, 1e-15));
}

static void test_tower_with_locked_tilt_cannot_tip(void)
{
    // a push at which the free tower falls over its edge, with friction that holds it
    ecp_report r;
    put_locked(&tower, 1, scene_at(0, 0, 0.3), ECP_LOCK_RX | ECP_LOCK_RY, 0.8);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(6, 0, 0), ecp_v3(0, 0, 0)));
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
        ASSERT_NEAR(G * H, r.contact[0].pn, TOL(1e-5, 1e-9));
    }
    ASSERT_SMALL(scene_state(1).position.x, TOL(1e-6, 1e-10));
    ASSERT_NEAR(0.3, scene_state(1).position.z, TOL(1e-6, 1e-12));
}

static void test_body_locked_in_z_does_not_press(void)
{
    ecp_report r;
    ecp_state s = scene_at(0, 0, 0.1);
    s.velocity.x = 1;
    put_locked(&brick, 2, s, ECP_LOCK_Z, 0.4);
    for (int k = 0; k < 20; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        ASSERT_SMALL(r.contact[0].pn, TOL(1e-7, 1e-12));
    }
    ASSERT_NEAR(1.0, scene_state(1).velocity.x, TOL(1e-6, 1e-12));
    ASSERT_NEAR((double)ECP_R(0.1), scene_state(1).position.z, 0);
}

// random drops with random locks: the balance holds on the free axes, friction and gaps throughout
static void test_steps_with_random_locks_fulfil_the_model(void)
{
    const ecp_shape *const shape[5] = { &brick, &drum, &spike, &egg, &tower };
    test_random q = test_seed(63);
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int judged = 0;
    for (int i = 0; i < 500; i++) {
        static judge start;
        ecp_report r;
        // z stays free: a locked one cannot keep from sinking in
        const unsigned lock = (unsigned)test_uniform(&q, 0, 63.99) & ~(unsigned)ECP_LOCK_Z;
        ecp_state s = scene_at(0, 0, 0);
        s.orientation = ecp_quat_normalised((ecp_quat){ test_uniform(&q, 0.2, 1), test_uniform(&q, -1, 1),
                                                        test_uniform(&q, -1, 1), test_uniform(&q, -1, 1) });
        s.position.z = (ecp_real)-shape_low(shape[i % 5], turn_back(s.orientation, vec_of(0, 0, 1)));
        s.velocity = ecp_v3(test_uniform(&q, -1, 1), test_uniform(&q, -1, 1), test_uniform(&q, -1, 0));
        s.angular_velocity = ecp_v3(test_uniform(&q, -3, 3), test_uniform(&q, -3, 3), test_uniform(&q, -3, 3));
        put_locked(shape[i % 5], 2, s, lock, (double)test_uniform(&q, 0, 1));
        for (int k = 0; k < 5; k++) {
            judge_start(&start, H);
            TEST_ASSERT_TRUE(ecp_step(&scene_world, (ecp_real)H, &r) >= 0);
            if (r.status == ECP_OK) {
                all = judgement_join(all, judge_step(&start, 1, &r));
                judged++;
            }
        }
    }
    printf("random locks: %d of 2500 steps ECP_OK\n", judged);
    judgement_print("random locks", all);
    TEST_ASSERT_TRUE(judged >= 2490);
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 2e-8));
}

// ---------------------------------------------------------------------------------------------
// moving half-spaces

// a half-space that moves, and a body on it; ids 0 and 1
static void put_moving(ecp_state plane, const ecp_shape *shape, ecp_state s, double mu)
{
    const ecp_body_def d = { .kind = ECP_KINEMATIC, .shape = &scene_floor, .state = plane };
    scene_begin(G);
    (void)add(&d);
    (void)scene_body(shape, 2, s);
    scene_contact(1, 0, mu, 1, 1, 0.1);
}

static void test_belt_takes_a_body_along_at_mu_g_up_to_its_own_speed(void)
{
    const double mu = 0.3, speed = 1.7;
    ecp_state belt = scene_at(0, 0, 0);
    belt.velocity.x = (ecp_real)speed;
    put_moving(belt, &brick, scene_at(0, 0, 0.1), mu);
    double worst = 0;
    for (int k = 1; k <= 100; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        const double v = fmin(speed, k * mu * G * H);
        widen(&worst, (double)scene_state(1).velocity.x - v);
        widen(&worst, (double)r.contact[0].sigma - (speed - v));
        TEST_ASSERT_EQUAL_INT(v < speed ? ECP_SLIP : ECP_STICK, r.contact[0].mode);
    }
    printf("belt: off by %.1e m/s\n", worst);
    ASSERT_SMALL(worst, TOL(1e-4, 1e-9));
    ASSERT_NEAR((double)belt.velocity.x, scene_state(0).velocity.x, 0);
    ASSERT_NEAR(speed * 100 * H, scene_state(0).position.x, TOL(1e-5, 1e-12));
}

static void test_lift_carries_its_load_and_drops_faster_than_free_fall_without_it(void)
{
    ecp_report r;
    ecp_state lift = scene_at(0, 0, 0);
    lift.velocity.z = 3;
    put_moving(lift, &brick, scene_at(0, 0, 0.1), 0.3);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
    // struck by the lift: inelastic
    ASSERT_NEAR(3.0, scene_state(1).velocity.z, TOL(1e-5, 1e-9));
    ASSERT_NEAR(2 * (3 + G * H), r.contact[0].pn, TOL(1e-4, 1e-8));
    for (int k = 0; k < 20; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        ASSERT_NEAR(2 * G * H, r.contact[0].pn, TOL(1e-4, 1e-8));
        ASSERT_NEAR(scene_state(0).position.z + ECP_R(0.1), scene_state(1).position.z, TOL(1e-6, 1e-10));
    }
    // stops: the load flies on, up by v^2/2g, and lands again
    lift = scene_state(0);
    lift.velocity.z = 0;
    const double level = (double)lift.position.z;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 0, &lift));
    double top = 0;
    for (int k = 0; k < 100; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        top = fmax(top, (double)scene_state(1).position.z - level - 0.1);
    }
    ASSERT_NEAR(9 / (2 * G), top, 3 * H);
    ASSERT_NEAR(level + 0.1, scene_state(1).position.z, TOL(1e-5, 1e-9));
    TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
}

// A body that sticks to a turntable: v' = w x x' at the end of each step, so its radius shrinks by
// 1/sqrt(1 + (h w)^2) and its angle grows by arctan(h w); beyond w^2 r = mu g it slips outwards.
static void test_turntable_holds_a_body_up_to_w2_r_of_mu_g(void)
{
    const double mu = 0.4, w = 2;
    ecp_state table = scene_at(0, 0, 0), s = scene_at(0.8, 0, 0.1);
    table.angular_velocity.z = s.angular_velocity.z = (ecp_real)w;
    s.velocity.y = (ecp_real)(0.8 * w);
    put_moving(table, &brick, s, mu);
    double worst = 0;
    for (int k = 1; k <= 200; k++) {
        ecp_report r;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
        const double radius = 0.8 * pow(1 + H * H * w * w, -0.5 * k), angle = k * atan(H * w);
        const ecp_state now = scene_state(1);
        widen(&worst, (double)now.position.x - radius * cos(angle));
        widen(&worst, (double)now.position.y - radius * sin(angle));
        widen(&worst, (double)now.angular_velocity.z - w);
    }
    printf("turntable: off by %.1e\n", worst);
    ASSERT_SMALL(worst, TOL(1e-4, 1e-9));
    // mu g/w^2 = 0.981 m: at 1.1 m it does not hold
    s = scene_at(1.1, 0, 0.1);
    s.velocity.y = (ecp_real)(1.1 * w);
    s.angular_velocity.z = (ecp_real)w;
    put_moving(table, &brick, s, mu);
    ecp_report r;
    for (int k = 0; k < 30; k++) {
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, &r));
        TEST_ASSERT_EQUAL_INT(ECP_SLIP, r.contact[0].mode);
    }
    const ecp_vec3 p = scene_state(1).position;
    TEST_ASSERT_TRUE(p.x * p.x + p.y * p.y > ECP_R(1.1) * ECP_R(1.1));
}

// moving_ramp: in the ramp's frame the box at (0.3, 0.1) needs g sin + w^2 0.3 <= mu (g cos - w^2 0.1)
static void test_tilting_ramp_lets_its_box_go_at_the_friction_angle(void)
{
    file_open("moving_ramp");
    const int body = file_mover();
    const double w = 0.2, mu = 0.3, h = file_scene.h;
    double exact = 0;
    for (double a = 0; 9.81 * sin(a) + w * w * 0.3 <= mu * (9.81 * cos(a) - w * w * 0.1); a += 1e-5) {
        exact = a / w;
    }
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    double slips = -1, depth = 0;
    for (int k = 0; k < (int)file_scene.steps; k++) {
        static judge start;
        ecp_report r;
        TEST_ASSERT_TRUE(loads_apply(&file_scene, &scene_world, k) >= 0);
        judge_start(&start, h);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)h, &r));
        all = judgement_join(all, judge_step(&start, body, &r));
        widen(&depth, fmin(0, (double)r.gap_min));
        TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
        // in the first step the ramp starts to turn, under a box at rest
        if (slips < 0 && k > 0 && r.contact[0].mode == ECP_SLIP) {
            slips = (k + 1) * h;
        }
        TEST_ASSERT_TRUE(k == 0 || r.contact[0].mode == (slips < 0 ? ECP_STICK : ECP_SLIP));
    }
    scenario_free(&file_scene);
    printf("moving_ramp: slips from %.2f s (%.4f), penetration %.1e\n", slips, exact, depth);
    judgement_print("moving_ramp", all);
    ASSERT_NEAR(exact, slips, 2 * h);
    ASSERT_SMALL(depth, TOL(1e-5, 1e-9));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

// fixed bodies do not move, kinematic ones exactly as told, whatever strikes them
static void test_kinematic_pose_is_its_velocity_summed(void)
{
    ecp_state plane = scene_at(0, 0, 0);
    plane.velocity = ecp_v3(ECP_R(0.1), 0, ECP_R(-0.2));
    plane.angular_velocity = ecp_v3(0, 0, 1);
    ecp_state s = scene_at(0, 0, 0.5);
    s.velocity.z = -5;
    put_moving(plane, &brick, s, 0.5);
    for (int k = 1; k <= 100; k++) {
        TEST_ASSERT_TRUE(ecp_step(&scene_world, (ecp_real)H, NULL) >= 0);
        const ecp_state now = scene_state(0);
        ASSERT_NEAR(0.1 * k * H, now.position.x, TOL(1e-6, 1e-14));
        ASSERT_NEAR(-0.2 * k * H, now.position.z, TOL(1e-6, 1e-14));
        const double half = k * atan(0.5 * H);
        ASSERT_NEAR(sin(half), now.orientation.z, TOL(1e-5, 1e-13));
    }
}

static void test_body_between_closing_planes_is_refused_and_nothing_changes(void)
{
    if (ECP_MAX_CONTACTS < 2 || ECP_MAX_BODIES < 3) {
        TEST_IGNORE_MESSAGE("needs three bodies and two contacts");
    }
    ecp_body_def top = { .kind = ECP_KINEMATIC, .shape = &ceiling, .state = scene_at(0, 0, 0.25) };
    top.state.velocity.z = -1;
    scene_begin(G);
    (void)scene_plane(&scene_floor);
    const int lid = add(&top);
    const int body = scene_body(&brick, 2, scene_at(0, 0, 0.1));
    scene_contact(body, 0, 0.5, 1, 1, 0.1);
    scene_contact(body, lid, 0.5, 1, 1, 0.1);
    int k = 0;
    ecp_status status = ECP_OK;
    ecp_state before, plane_before;
    // the lid starts 0.05 m above the body and comes down by 0.01 m a step
    for (; k < 10 && status >= 0; k++) {
        before = scene_state(body);
        plane_before = scene_state(lid);
        status = ecp_step(&scene_world, (ecp_real)H, NULL);
    }
    printf("closing planes: refused in step %d, %s: %s\n", k, ecp_status_name(status), ecp_error(&scene_world));
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, status);
    TEST_ASSERT_TRUE(k == 6 || k == 5);
    const ecp_state after = scene_state(body), plane_after = scene_state(lid);
    TEST_ASSERT_EQUAL_MEMORY(&before, &after, sizeof after);
    TEST_ASSERT_EQUAL_MEMORY(&plane_before, &plane_after, sizeof after);
    // once the lid stops the world goes on
    ecp_state still = plane_after;
    still.velocity.z = 0;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, lid, &still));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_locked_velocity_is_zero_from_the_start_and_stays_zero);
    RUN_TEST(test_free_axes_of_a_locked_body_have_their_own_inertia);
    RUN_TEST(test_tower_with_locked_tilt_cannot_tip);
    RUN_TEST(test_body_locked_in_z_does_not_press);
    RUN_TEST(test_steps_with_random_locks_fulfil_the_model);
    RUN_TEST(test_belt_takes_a_body_along_at_mu_g_up_to_its_own_speed);
    RUN_TEST(test_lift_carries_its_load_and_drops_faster_than_free_fall_without_it);
    RUN_TEST(test_turntable_holds_a_body_up_to_w2_r_of_mu_g);
    RUN_TEST(test_tilting_ramp_lets_its_box_go_at_the_friction_angle);
    RUN_TEST(test_kinematic_pose_is_its_velocity_summed);
    RUN_TEST(test_body_between_closing_planes_is_refused_and_nothing_changes);
    return UNITY_END();
}
