// on_status.c - what a controller does with each status; all but ECP_DEGRADED are provoked.
#include "ecp.h"

#include <stdio.h>

static ecp_world world, scratch;
static ecp_rollout_result result;
static const ecp_shape ground = ECP_HALFSPACE(0, 0, 1, 0), press = ECP_HALFSPACE(0, 0, -1, -1.001),
                       box = ECP_BOX(1, 1, 1), flat = ECP_BOX(1, 1, 0);

static const char *advice(ecp_status status)
{
    switch (status) {
    case ECP_OK: return "use it";
    case ECP_SUBSTEPPED: return "use it; it cost more time, a smaller h would not need it";
    case ECP_DEGRADED: return "use it for now: valid but not exact; watch residual, count it";
    case ECP_DEADLINE: return "use the steps that were done";
    case ECP_E_STATE: return "check the sensor, or take a smaller h; keep the last prediction";
    case ECP_E_DIVERGED: return "stop the motion that squeezes; the world has not moved";
    case ECP_E_ARG: case ECP_E_SHAPE: case ECP_E_MASS: return "an error of the program or its data";
    case ECP_E_LIMIT: return "build with larger limits";
    default: return "an unknown status: treat as refused";
    }
}

static int seen = 0;
static void show(ecp_status status, const ecp_world *w)
{
    printf("%-15s %-62s %s\n", ecp_status_name(status), advice(status),
           status < 0 ? ecp_error(w) : "");
    seen |= 1 << (status + 8);
}

static ecp_status add(ecp_body_kind kind, const ecp_shape *shape, ecp_real mass, ecp_state state)
{
    const ecp_body_def def = { .kind = kind, .shape = shape, .mass = mass, .state = state };
    return ecp_add_body(&world, &def, NULL);
}

static uint32_t no_time(void *unused)
{
    (void)unused;
    return 0;
}

int main(void)
{
    const ecp_settings settings = { .gravity = { 0, 0, -9.81 } };
    const ecp_state still = { .orientation = { 1, 0, 0, 0 } };
    ecp_state s = { { 0, 0, 0.5 }, { 1, 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
    ecp_contact_def touch = { .a = 1, .b = 0, .mu = 0.5, .e = { 1, 1, 0.1 } };
    ecp_rollout_plan plan = { .h = 0.01, .steps = 10, .clock = no_time, .budget = 0 };
    ecp_world_init(&world, &settings);
    add(ECP_FIXED, &ground, 0, still);
    show(add(ECP_DYNAMIC, &flat, 1, s), &world);
    show(add(ECP_DYNAMIC, &box, -1, s), &world);
    add(ECP_DYNAMIC, &box, 1, s);
    ecp_add_contact(&world, &touch, NULL);
    show(ecp_step(&world, 0.01, NULL), &world);
    show(ecp_step(&world, -1, NULL), &world);
    show(ecp_rollout(&world, &scratch, &plan, &result), &scratch);
    s.angular_velocity.z = 80;  // 0.8 rad in one step: two substeps; 800 is too much
    ecp_set_state(&world, 1, &s);
    show(ecp_step(&world, 0.01, NULL), &world);
    s.angular_velocity.z = 800;
    ecp_set_state(&world, 1, &s);
    show(ecp_step(&world, 0.01, NULL), &world);
    s.angular_velocity.z = 0;  // a press comes down on it: 1 mm of room, 5 mm in this step
    ecp_set_state(&world, 1, &s);
    add(ECP_KINEMATIC, &press, 0, (ecp_state){ { 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 0, -0.5 },
                                               { 0, 0, 0 } });
    touch.b = 2;
    ecp_add_contact(&world, &touch, NULL);
    show(ecp_step(&world, 0.01, NULL), &world);
    while (add(ECP_FIXED, &ground, 0, still) == ECP_OK) {
    }
    show(add(ECP_FIXED, &ground, 0, still), &world);
    return seen != 0xdfc;  // all of -6 to 3 but ECP_DEGRADED, which needs a jam
}
