// rollout_deadline.c - look ahead for as long as there is time, and use what was finished.
//
// Reads a clock inside every step. On a target give it the cycle counter (ecp_port_cycles) instead.
#include "ecp.h"

#include <stdio.h>
#include <time.h>

#define STEPS 200
#define BUDGET_US 500

static ecp_world world, scratch;  // scratch: the copy that is rolled out
static ecp_rollout_result result;
static ecp_state ahead[STEPS];

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0), box_shape = ECP_BOX(0.3, 0.2, 0.1);

static uint32_t microseconds(void *unused)
{
    struct timespec t;
    (void)unused;
    (void)timespec_get(&t, TIME_UTC);
    return (uint32_t)((uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u);
}

static bool at_rest(void *unused, const ecp_world *w, int k, const ecp_report *report)
{
    ecp_state s;
    (void)unused;
    (void)k;
    return ecp_get_state(w, 1, &s) == ECP_OK && report->contact[0].mode == ECP_STICK &&
           s.velocity.x * s.velocity.x < (ecp_real)1e-8;
}

static int build(void)
{
    const ecp_settings settings = { .gravity = { 0, 0, -9.81 } };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &floor_shape, .state.orientation.w = 1 };
    const ecp_body_def box = { .kind = ECP_DYNAMIC, .shape = &box_shape, .mass = 0.5,
                               .state = { { 0, 0, 0.05 }, { 1, 0, 0, 0 }, { 1.5, 0, 0 }, { 0, 0, 2 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = 0.2, .e = { 1, 1, 0.08 } };
    return ecp_world_init(&world, &settings) < 0 || ecp_add_body(&world, &plane, NULL) < 0 ||
           ecp_add_body(&world, &box, NULL) < 0 || ecp_add_contact(&world, &touch, NULL) < 0;
}

int main(void)
{
    static const int watched[] = { 1 };
    const ecp_rollout_plan plan = { .h = 0.005, .steps = STEPS, .until = at_rest,
                                    .clock = microseconds, .budget = BUDGET_US,
                                    .state_count = 1, .state_body = watched, .states = ahead };
    if (build()) {
        return 1;
    }
    const ecp_status status = ecp_rollout(&world, &scratch, &plan, &result);
    if (status < 0) {
        printf("refused: %s\n", ecp_error(&scratch));
        return 1;
    }
    if (result.steps == 0) {
        // no time for a single step: act on the last prediction, or on the state as it is
        printf("%s: no step within %d us\n", ecp_status_name(status), BUDGET_US);
        return 0;
    }
    const double x = (double)ahead[result.steps - 1].position.x;
    printf("%s: %d steps, %s at x = %.3f m after %.3f s\n", ecp_status_name(status), result.steps,
           result.stopped ? "at rest" : "still moving", x, 0.005 * result.steps);
    return 0;
}
