// No global state: worlds in different threads, and a step begun inside another step, do not disturb
// each other. `make test-tsan` runs this under the thread sanitizer.
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include "math/quat.h"

#include <pthread.h>

#define STEPS 400

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0);
static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));

// a cube thrown onto the floor, its spin depending on the variant
static void thrown_cube(ecp_world *w, int variant)
{
    const ecp_settings settings = { .gravity = { 0, 0, ECP_R(-9.81) } };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &floor_shape,
                                 .state = { .orientation = { 1, 0, 0, 0 } } };
    const ecp_body_def body = { .kind = ECP_DYNAMIC, .shape = &cube, .mass = 1,
                                .state = { .position = { 0, 0, ECP_R(0.9) },
                                           .orientation = { 1, 0, 0, 0 },
                                           .velocity = { ECP_R(1.0), 0, 0 },
                                           .angular_velocity = { ECP_R(1.0),
                                                                 ECP_R(0.5) * (ecp_real)variant, ECP_R(0.3) } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = ECP_R(0.4), .e = { 1, 1, ECP_R(0.1) } };
    (void)ecp_world_init(w, &settings);
    (void)ecp_add_body(w, &plane, NULL);
    (void)ecp_add_body(w, &body, NULL);
    (void)ecp_add_contact(w, &touch, NULL);
}

typedef struct job {
    ecp_world world, scratch;
    const ecp_world *shared;
    ecp_rollout_result result;
    ecp_report report;
    ecp_state trail[STEPS];
    int variant, failures;
} job;

static job jobs[2], alone;

static void *step_through(void *argument)
{
    job *j = argument;
    thrown_cube(&j->world, j->variant);
    for (int k = 0; k < STEPS; k++) {
        j->failures += ecp_step(&j->world, ECP_R(0.01), &j->report) < ECP_OK;
        j->failures += ecp_get_state(&j->world, 1, &j->trail[k]) < ECP_OK;
    }
    return NULL;
}

static void *roll_out(void *argument)
{
    static const int body[1] = { 1 };
    job *j = argument;
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .state_count = 1,
                                    .state_body = body,
                                    .states = j->trail };
    j->failures += ecp_rollout(j->shared, &j->scratch, &plan, &j->result) < ECP_OK;
    return NULL;
}

static void run_both(void *(*work)(void *))
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread[i], NULL, work, &jobs[i]));
    }
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT(0, pthread_join(thread[i], NULL));
        TEST_ASSERT_EQUAL_INT(0, jobs[i].failures);
    }
}

static void test_two_worlds_in_two_threads_move_as_each_does_alone(void)
{
    for (int i = 0; i < 2; i++) {
        jobs[i].variant = i;
    }
    run_both(step_through);
    for (int i = 0; i < 2; i++) {
        alone.variant = i;
        (void)step_through(&alone);
        TEST_ASSERT_EQUAL_MEMORY(alone.trail, jobs[i].trail, sizeof alone.trail);
    }
}

static void test_two_threads_roll_out_from_one_world(void)
{
    static ecp_world shared;
    thrown_cube(&shared, 1);
    alone.variant = 1;
    (void)step_through(&alone);
    jobs[0].shared = jobs[1].shared = &shared;
    run_both(roll_out);
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_MEMORY(alone.trail, jobs[i].trail, sizeof alone.trail);
    }
}

// ---------------------------------------------------------------------------------------------
// An interrupt that steps its own world while a step of another world is under way. The clock of a
// rollout is read in the middle of steps, so it stands for the interrupt, at every possible place.

typedef struct interrupter {
    ecp_world *world;
    int steps;
    uint32_t now;
} interrupter;

static uint32_t interrupt(void *context)
{
    interrupter *i = context;
    if (i->steps < STEPS) {
        jobs[1].failures += ecp_step(i->world, ECP_R(0.01), &jobs[1].report) < ECP_OK;
        jobs[1].failures += ecp_get_state(i->world, 1, &jobs[1].trail[i->steps]) < ECP_OK;
        i->steps++;
    }
    return i->now++;
}

static void test_a_step_within_a_step_of_another_world_disturbs_neither(void)
{
    static const int body[1] = { 1 };
    thrown_cube(&jobs[0].world, 0);
    thrown_cube(&jobs[1].world, 1);
    interrupter other = { .world = &jobs[1].world };
    const ecp_rollout_plan plan = { .h = ECP_R(0.01), .steps = STEPS, .clock = interrupt,
                                    .budget = UINT32_MAX,
                                    .context = &other, .state_count = 1, .state_body = body,
                                        .states = jobs[0].trail };
    TEST_ASSERT_TRUE(ecp_rollout(&jobs[0].world, &jobs[0].scratch, &plan,
                                 &jobs[0].result) >= ECP_OK);
    TEST_ASSERT_EQUAL_INT(STEPS, other.steps);
    TEST_ASSERT_EQUAL_INT(0, jobs[1].failures);
    for (int i = 0; i < 2; i++) {
        alone.variant = i;
        (void)step_through(&alone);
        TEST_ASSERT_EQUAL_MEMORY(alone.trail, jobs[i].trail, sizeof alone.trail);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_two_worlds_in_two_threads_move_as_each_does_alone);
    RUN_TEST(test_two_threads_roll_out_from_one_world);
    RUN_TEST(test_a_step_within_a_step_of_another_world_disturbs_neither);
    return UNITY_END();
}
