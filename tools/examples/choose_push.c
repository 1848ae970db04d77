// choose_push.c - of 16 pushes take the one after which the box stops nearest to its goal.
#include "ecp.h"

#include <math.h>
#include <stdio.h>

#define PUSHES 16
#define STEPS 150
#define GOAL 0.25  // m along x

static ecp_world world, scratch;
static ecp_rollout_result result;

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0), box_shape = ECP_BOX(0.2, 0.2, 0.1);
static const int box_id[] = { 1 };

static int build(void)
{
    const ecp_settings settings = { .gravity = { 0, 0, -9.81 } };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &floor_shape, .state.orientation.w = 1 };
    const ecp_body_def box = { .kind = ECP_DYNAMIC, .shape = &box_shape, .mass = 1,
                               .state = { .position = { 0, 0, 0.05 }, .orientation = { 1, 0, 0, 0 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = 0.3, .e = { 1, 1, 0.07 } };
    return ecp_world_init(&world, &settings) < 0 || ecp_add_body(&world, &plane, NULL) < 0 ||
           ecp_add_body(&world, &box, NULL) < 0 || ecp_add_contact(&world, &touch, NULL) < 0;
}

// the force acts in the first ten steps; the last row, no force, is held for the others
static void fill(ecp_input rows[11], ecp_real force)
{
    for (int k = 0; k < 11; k++) {
        rows[k] = (ecp_input){ .force = { k < 10 ? force : 0, 0, 0 } };
    }
}

// distance of the end *x from the goal
static double try_push(const ecp_input rows[11], double *x)
{
    ecp_state end[STEPS];
    const ecp_rollout_plan plan = { .h = 0.01, .steps = STEPS, .input_rows = 11, .input_count = 1,
                                    .input_body = box_id, .inputs = rows,
                                    .state_count = 1, .state_body = box_id, .states = end };
    if (ecp_rollout(&world, &scratch, &plan, &result) < 0) {
        return 1e9;
    }
    *x = (double)end[STEPS - 1].position.x;
    return fabs(*x - GOAL);
}

int main(void)
{
    ecp_input rows[11];
    double best = 1e9, predicted = 0, x = 0;
    ecp_real chosen = 0;
    if (build()) {
        return 1;
    }
    for (int i = 0; i < PUSHES; i++) {
        const ecp_real force = (ecp_real)(4 + i);
        fill(rows, force);
        if (try_push(rows, &x) < best) {
            best = fabs(x - GOAL);
            chosen = force;
            predicted = x;
        }
    }
    fill(rows, chosen);  // the world itself has not moved yet: now do it
    ecp_state s = { .position = { 0, 0, 0 } };
    for (int k = 0; k < STEPS; k++) {
        ecp_set_wrench(&world, 1, rows[k < 10 ? k : 10].force, rows[0].torque);
        if (ecp_step(&world, 0.01, NULL) < 0 || ecp_get_state(&world, 1, &s) < 0) {
            return 1;
        }
    }
    printf("push of %g N: predicted %.4f m, came to %.4f m, goal %g m\n", (double)chosen, predicted,
           (double)s.position.x, GOAL);
    return !(best < 0.05 && fabs(predicted - (double)s.position.x) <= 0);
}
