// A rollout is its steps: the same bits, on a copy, under inputs, policies, conditions and deadlines.
#define _POSIX_C_SOURCE 200809L
#include "scenarios.h"

#include "math/quat.h"

#define STEPS 60

static ecp_world scenario_other, untouched;
static ecp_rollout_result result;

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0);
static const ecp_shape wall_shape = ECP_HALFSPACE(ECP_R(-1.0), 0, 0, ECP_R(-1.5));
static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));

static int add(ecp_world *w, ecp_body_kind kind, const ecp_shape *shape, ecp_vec3 at)
{
    const ecp_body_def d = { .kind = kind, .shape = shape,
                             .mass = kind == ECP_DYNAMIC ? ECP_R(1.0) : 0,
                             .state = { .position = at, .orientation = { 1, 0, 0, 0 } } };
    int id = -1;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(w, &d, &id));
    return id;
}

static void touch(ecp_world *w, int a, int b)
{
    const ecp_contact_def d = { .a = a, .b = b, .mu = ECP_R(0.4), .e = { 1, 1, ECP_R(0.1) } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(w, &d, NULL));
}

// a cube thrown at floor and wall: every kind of contact within a second (bodies: cube, floor, wall)
static void thrown_cube(ecp_world *w)
{
    const ecp_settings settings = { .gravity = { 0, 0, ECP_R(-9.81) } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(w, &settings));
    (void)add(w, ECP_DYNAMIC, &cube, ecp_v3(0, 0, ECP_R(0.9)));
    touch(w, 0, add(w, ECP_FIXED, &floor_shape, ecp_v3(0, 0, 0)));
    touch(w, 0, add(w, ECP_FIXED, &wall_shape, ecp_v3(0, 0, 0)));
    ecp_state s;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(w, 0, &s));
    s.velocity = ecp_v3(ECP_R(3.0), ECP_R(0.5), ECP_R(-1.0));
    s.angular_velocity = ecp_v3(ECP_R(1.0), ECP_R(2.0), ECP_R(0.5));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(w, 0, &s));
}

// what a caller can see of a world, and what decides its future
static void assert_unchanged(const ecp_world *before, const ecp_world *now)
{
    TEST_ASSERT_EQUAL_INT(0, memcmp(before, now, sizeof *before));
}

// a copy to the last byte, padding too
static void keep(const ecp_world *w)
{
    memcpy(&untouched, w, sizeof untouched);
}

// ---------------------------------------------------------------------------------------------
// N steps of a rollout are N steps

typedef struct scenario_run {
    const scenario *s;
    int calls;
} scenario_run;

static ecp_status scenario_policy(void *context, ecp_world *world, int k, const ecp_report *last)
{
    scenario_run *run = context;
    TEST_ASSERT_EQUAL_INT(run->calls, k);
    TEST_ASSERT_TRUE((k == 0) == (last == NULL));
    run->calls++;
    return loads_apply(run->s, world, k);
}

// the scenario step by step against one rollout of it
static void rolls_out(const scenario *s, const char *name)
{
    static ecp_world w;
    const int steps = s->steps < 400 ? (int)s->steps : 400;
    scenario_run run = { .s = s };
    const ecp_rollout_plan plan = { .h = (ecp_real)s->h, .steps = steps, .policy = scenario_policy,
                                    .context = &run };
    keep(&scenario_world);
    memset(&w, 0x5a, sizeof w);
    const ecp_status status = ecp_rollout(&scenario_world, &w, &plan, &result);
    assert_unchanged(&untouched, &scenario_world);
    ecp_status worst = ECP_OK;
    for (int k = 0; k < steps; k++) {
        const ecp_status one = scenario_step(s, &scenario_world, k, &scenario_report);
        worst = one == ECP_DEGRADED || worst == ECP_OK ? one : worst;
    }
    TEST_ASSERT_EQUAL_INT(worst, status);
    TEST_ASSERT_EQUAL_INT(steps, result.steps);
    TEST_ASSERT_TRUE_MESSAGE(same_states(&scenario_world, &w), name);
    TEST_ASSERT_TRUE_MESSAGE(same_reports(&scenario_report, &result.last), name);
}

static void test_a_rollout_of_every_scenario_is_its_steps_to_the_last_bit(void)
{
    TEST_ASSERT_TRUE(scenarios_each(rolls_out) >= 5);
}

static void random_inputs(ecp_input *u, int count, uint64_t seed)
{
    test_random r = test_seed(seed);
    for (int i = 0; i < count; i++) {
        ecp_real v[6];
        test_fill(&r, v, 6, -6, 6);
        u[i] = (ecp_input){ { v[0], v[1], v[2] }, { v[3], v[4], v[5] } };
    }
}

static void test_input_rows_act_one_per_step_and_the_last_is_held(void)
{
    static const int body[1] = { 0 };
    static ecp_input inputs[STEPS];
    static ecp_state states[STEPS];
    random_inputs(inputs, STEPS, 3);
    for (int rows = 1; rows <= STEPS; rows += 7) {
        thrown_cube(&scenario_world);
        const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .input_rows = rows,
                                        .input_count = 1,
                                        .input_body = body, .inputs = inputs, .state_count = 1,
                                        .state_body = body, .states = states };
        TEST_ASSERT_TRUE(ecp_rollout(&scenario_world, &scenario_other, &plan, &result) >= ECP_OK);
        for (int k = 0; k < STEPS; k++) {
            const ecp_input *u = &inputs[k < rows ? k : rows - 1];
            ecp_state s;
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scenario_world, 0, u->force, u->torque));
            TEST_ASSERT_TRUE(ecp_step(&scenario_world, ECP_R(0.01), NULL) >= ECP_OK);
            TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_world, 0, &s));
            TEST_ASSERT_TRUE(same_reals(&s, &states[k], sizeof s / sizeof(ecp_real)));
        }
    }
}

static void test_an_impulse_not_yet_used_acts_in_the_first_step_of_every_rollout(void)
{
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = 5 };
    thrown_cube(&scenario_world);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scenario_world, 0, ecp_v3(0, 0, 9),
                                                    ecp_v3(1, 0, 0)));
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(ecp_rollout(&scenario_world, &scenario_other, &plan, &result) >= ECP_OK);
        // thrown up: 9 N s on 1 kg against -1 m/s and five steps of gravity
        ecp_state s;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_other, 0, &s));
        ASSERT_NEAR(9.0 - 1.0 - 5 * 0.0981, s.velocity.z, TOL(1e-5, 1e-12));
    }
}

// ---------------------------------------------------------------------------------------------
// closed loop and early stop

// a force that brakes: -2 v, from the state the policy sees
static ecp_status brake(void *context, ecp_world *world, int k, const ecp_report *last)
{
    ecp_state s;
    (void)context;
    (void)k;
    (void)last;
    (void)ecp_get_state(world, 0, &s);
    return ecp_set_wrench(world, 0, ecp_v3_scale(ECP_R(-2.0), s.velocity), ecp_v3(0, 0, 0));
}

static void test_a_policy_closes_the_loop(void)
{
    // floating: v' = v - 2 h v, so v = v0 (1 - 2 h)^n
    const ecp_settings none = { .gravity = { 0, 0, 0 } };
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = 50, .policy = brake };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(&scenario_world, &none));
    (void)add(&scenario_world, ECP_DYNAMIC, &cube, ecp_v3(0, 0, 0));
    ecp_state s = { .orientation = { 1, 0, 0, 0 }, .velocity = { ECP_R(2.0), 0, 0 } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scenario_world, 0, &s));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_rollout(&scenario_world, &scenario_other, &plan, &result));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_other, 0, &s));
    ASSERT_NEAR(2.0 * pow(0.98, 50), s.velocity.x, TOL(1e-5, 1e-13));
}

static ecp_status give_up_at(void *context, ecp_world *world, int k, const ecp_report *last)
{
    (void)last;
    return k == *(int *)context ? ecp_set_wrench(world, 77, ecp_v3(0, 0, 0),
                                                 ecp_v3(0, 0, 0)) : ECP_OK;
}

static void test_a_policy_that_is_refused_ends_the_rollout_with_its_status_and_text(void)
{
    int at = 7;
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .policy = give_up_at,
                                    .context = &at };
    thrown_cube(&scenario_world);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, &scenario_other, &plan, &result));
    TEST_ASSERT_EQUAL_INT(7, result.steps);
    TEST_ASSERT_TRUE(strlen(ecp_error(&scenario_other)) > 0);
    TEST_ASSERT_EQUAL_INT(0, (int)strlen(ecp_error(&scenario_world)));
}

static bool lands(void *context, const ecp_world *world, int k, const ecp_report *report)
{
    (void)context;
    (void)world;
    (void)k;
    return report->contact[0].mode != ECP_OPEN;
}

static void test_a_condition_ends_the_rollout_after_the_step_that_meets_it(void)
{
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .until = lands };
    thrown_cube(&scenario_world);
    TEST_ASSERT_TRUE(ecp_rollout(&scenario_world, &scenario_other, &plan, &result) >= ECP_OK);
    TEST_ASSERT_TRUE(result.stopped && result.steps > 0 && result.steps < STEPS);
    int k = 0;
    do {
        TEST_ASSERT_TRUE(ecp_step(&scenario_world, ECP_R(0.01), &scenario_report) >= ECP_OK);
        k++;
    } while (scenario_report.contact[0].mode == ECP_OPEN);
    TEST_ASSERT_EQUAL_INT(k, result.steps);
    TEST_ASSERT_TRUE(same_states(&scenario_world, &scenario_other));
    TEST_ASSERT_TRUE(same_reports(&scenario_report, &result.last));
}

// ---------------------------------------------------------------------------------------------
// deadline

// a clock that counts how often it was read, and wraps during the rollout
typedef struct counting_clock {
    uint32_t now;
} counting_clock;

static uint32_t read_clock(void *context)
{
    return ((counting_clock *)context)->now++;
}

static ecp_state all_states[STEPS], some_states[STEPS];

static ecp_status roll_under(uint32_t budget, ecp_state *states, uint32_t *reads)
{
    static const int body[1] = { 0 };
    const uint32_t begin = UINT32_MAX - 20u;
    counting_clock clock = { begin };
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .clock = read_clock,
                                    .budget = budget,
                                    .context = &clock, .state_count = 1, .state_body = body,
                                        .states = states };
    const ecp_status status = ecp_rollout(&scenario_world, &scenario_other, &plan, &result);
    *reads = (uint32_t)(clock.now - begin);
    return status;
}

static void expires_at_every_call(void)
{
    static const int reals = (int)(sizeof(ecp_state) / sizeof(ecp_real));
    uint32_t reads, total;
    keep(&scenario_world);
    const ecp_status whole = roll_under(UINT32_MAX / 2u, all_states, &total);
    TEST_ASSERT_TRUE(whole >= ECP_OK && whole != ECP_DEADLINE);
    TEST_ASSERT_EQUAL_INT(STEPS, result.steps);
    TEST_ASSERT_TRUE(total > 2u * STEPS);
    int before = 0;
    for (uint32_t budget = 0; budget < total; budget++) {
        test_poison((ecp_real *)(void *)some_states, STEPS * reals);
        const ecp_status status = roll_under(budget, some_states, &reads);
        TEST_ASSERT_EQUAL_INT(ECP_DEADLINE, status);
        TEST_ASSERT_EQUAL_INT(ECP_DEADLINE, result.status);
        // the first read that shows the budget used up is the last one
        TEST_ASSERT_EQUAL_INT(budget == 0 ? 2 : (int)budget + 1, (int)reads);
        assert_unchanged(&untouched, &scenario_world);
        TEST_ASSERT_TRUE(result.steps >= before && result.steps < STEPS);
        before = result.steps;
        TEST_ASSERT_TRUE(same_reals(all_states, some_states, (size_t)(result.steps * reals)));
        TEST_ASSERT_TRUE(test_is_poisoned((ecp_real *)(void *)&some_states[result.steps],
                                          (STEPS - result.steps) * reals));
        ecp_state end;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_other, 0, &end));
        if (result.steps > 0) {
            TEST_ASSERT_TRUE(same_reals(&end, &all_states[result.steps - 1], (size_t)reals));
            TEST_ASSERT_TRUE(result.last.status >= ECP_OK && result.last.status != ECP_DEADLINE);
        }
    }
    TEST_ASSERT_EQUAL_INT(STEPS - 1, before);
    TEST_ASSERT_TRUE(roll_under(total, some_states, &reads) == whole);
}

static void test_a_deadline_at_every_possible_moment_leaves_valid_steps_and_the_world_alone(void)
{
    thrown_cube(&scenario_world);
    expires_at_every_call();
}

// the step that is given up can be taken after all: nothing of it is left in the scratch world
static void test_the_scratch_world_can_go_on_after_a_deadline(void)
{
    uint32_t reads;
    thrown_cube(&scenario_world);
    TEST_ASSERT_TRUE(roll_under(UINT32_MAX / 2u, all_states, &reads) >= ECP_OK);
    for (uint32_t budget = 1; budget < reads; budget += 3) {
        uint32_t unused;
        TEST_ASSERT_EQUAL_INT(ECP_DEADLINE, roll_under(budget, some_states, &unused));
        TEST_ASSERT_TRUE(ecp_step(&scenario_other, ECP_R(0.01), NULL) >= ECP_OK);
        ecp_state s;
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_other, 0, &s));
        TEST_ASSERT_TRUE(same_reals(&s, &all_states[result.steps], sizeof s / sizeof(ecp_real)));
    }
}

// a spin fast enough for eight substeps: the deadline falls between them too
static void test_a_deadline_within_substeps_leaves_valid_steps(void)
{
    thrown_cube(&scenario_world);
    ecp_state s;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_world, 0, &s));
    s.angular_velocity = ecp_v3(0, ECP_R(120.0), ECP_R(90.0));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scenario_world, 0, &s));
    expires_at_every_call();
    TEST_ASSERT_TRUE(result.substepped > 0);
}

// ---------------------------------------------------------------------------------------------
// what is refused

static void assert_refused(const ecp_rollout_plan *plan)
{
    result = (ecp_rollout_result){ .steps = 99 };
    keep(&scenario_world);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, &scenario_other, plan, &result));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, result.status);
    TEST_ASSERT_EQUAL_INT(0, result.steps);
    TEST_ASSERT_TRUE(strlen(ecp_error(&scenario_other)) > 0);
    assert_unchanged(&untouched, &scenario_world);
}

static void test_plans_that_cannot_be_followed_are_refused_with_a_text(void)
{
    static const int cube_id[1] = { 0 }, floor_id[1] = { 1 }, unknown[1] = { 3 };
    static const ecp_input u[2] = { { { 1, 0, 0 }, { 0, 0, 0 } },
                                    { { (ecp_real)NAN, 0, 0 }, { 0, 0, 0 } } };
    static ecp_state states[4];
    const ecp_rollout_plan good = { .h = ECP_R(0.01), .steps = 2, .input_rows = 1, .input_count = 1,
                                    .input_body = cube_id, .inputs = u, .state_count = 1,
                                    .state_body = cube_id, .states = states };
    thrown_cube(&scenario_world);
    TEST_ASSERT_TRUE(ecp_rollout(&scenario_world, &scenario_other, &good, &result) >= ECP_OK);
    const ecp_real bad_h[4] = { 0, ECP_R(-0.01), (ecp_real)NAN, (ecp_real)INFINITY };
    ecp_rollout_plan p;
    for (int i = 0; i < 4; i++) {
        p = good, p.h = bad_h[i], assert_refused(&p);
    }
    p = good, p.steps = 0, assert_refused(&p);
    p = good, p.input_rows = 0, assert_refused(&p);
    p = good, p.input_rows = 3, assert_refused(&p);
    p = good, p.input_rows = 2, assert_refused(&p);  // the second row is not finite
    p = good, p.input_count = -1, assert_refused(&p);
    p = good, p.input_count = ECP_MAX_BODIES + 1, assert_refused(&p);
    p = good, p.input_body = NULL, assert_refused(&p);
    p = good, p.inputs = NULL, assert_refused(&p);
    p = good, p.input_body = floor_id, assert_refused(&p);
    p = good, p.input_body = unknown, assert_refused(&p);
    p = good, p.state_count = -1, assert_refused(&p);
    p = good, p.state_body = unknown, assert_refused(&p);
    p = good, p.states = NULL, assert_refused(&p);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(NULL, &scenario_other, &good, &result));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, NULL, &good, &result));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, &scenario_other, NULL, &result));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, &scenario_other, &good, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_rollout(&scenario_world, &scenario_world, &good, &result));
}

static void test_a_refused_step_ends_the_rollout_and_the_steps_before_it_are_valid(void)
{
    // a press: the floor rises to a ceiling one cube and 4.5 mm above it, 1 mm a step
    static const ecp_shape ceiling = ECP_HALFSPACE(0, 0, ECP_R(-1.0), ECP_R(-1.0045));
    const ecp_settings settings = { .gravity = { 0, 0, ECP_R(-9.81) } };
    const ecp_body_def press = { .kind = ECP_KINEMATIC, .shape = &floor_shape,
                                 .state = { .orientation = { 1, 0, 0, 0 },
                                            .velocity = { 0, 0, ECP_R(0.1) } } };
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = 20 };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(&scenario_world, &settings));
    const int body = add(&scenario_world, ECP_DYNAMIC, &cube, ecp_v3(0, 0, ECP_R(0.5)));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scenario_world, &press, NULL));
    touch(&scenario_world, body, 1);
    touch(&scenario_world, body, add(&scenario_world, ECP_FIXED, &ceiling, ecp_v3(0, 0, 0)));
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, ecp_rollout(&scenario_world, &scenario_other, &plan,
                                                      &result));
    TEST_ASSERT_EQUAL_INT(4, result.steps);
    TEST_ASSERT_EQUAL_INT(ECP_E_DIVERGED, result.last.status);
    TEST_ASSERT_TRUE(strlen(ecp_error(&scenario_other)) > 0);
    ecp_state s;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scenario_other, body, &s));
    ASSERT_NEAR(0.504, s.position.z, TOL(1e-4, 1e-8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_rollout_of_every_scenario_is_its_steps_to_the_last_bit);
    RUN_TEST(test_input_rows_act_one_per_step_and_the_last_is_held);
    RUN_TEST(test_an_impulse_not_yet_used_acts_in_the_first_step_of_every_rollout);
    RUN_TEST(test_a_policy_closes_the_loop);
    RUN_TEST(test_a_policy_that_is_refused_ends_the_rollout_with_its_status_and_text);
    RUN_TEST(test_a_condition_ends_the_rollout_after_the_step_that_meets_it);
    RUN_TEST(test_a_deadline_at_every_possible_moment_leaves_valid_steps_and_the_world_alone);
    RUN_TEST(test_the_scratch_world_can_go_on_after_a_deadline);
    RUN_TEST(test_a_deadline_within_substeps_leaves_valid_steps);
    RUN_TEST(test_plans_that_cannot_be_followed_are_refused_with_a_text);
    RUN_TEST(test_a_refused_step_ends_the_rollout_and_the_steps_before_it_are_valid);
    return UNITY_END();
}
