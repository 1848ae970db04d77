// rollout.c - N steps on a copy: inputs by array or policy, a time budget, an early stop.
#include "math/vec3.h"
#include "world/step.h"

#include <stddef.h>

// time since the call, as the stop callback of a step sees it
typedef struct stopwatch {
    const ecp_rollout_plan *plan;
    uint32_t start;
} stopwatch;

static bool time_over(void *context)
{
    const stopwatch *w = context;
    return (uint32_t)(w->plan->clock(w->plan->context) - w->start) >= w->plan->budget;
}

_Static_assert(offsetof(ecp_world, body) + sizeof(((ecp_world *)0)->body) == offsetof(ecp_world, contact) &&
                   offsetof(ecp_world, contact) + sizeof(((ecp_world *)0)->contact) ==
                       offsetof(ecp_world, saved_state),
               "copy_world must copy every member above saved_state");

// description and state, without the solver memory, which no step reads before it writes it
static void copy_world(ecp_world *to, const ecp_world *from)
{
    to->settings = from->settings;
    to->error = NULL;
    to->body_count = from->body_count;
    to->contact_count = from->contact_count;
    for (int i = 0; i < from->body_count; i++) {
        to->body[i] = from->body[i];
    }
    for (int k = 0; k < from->contact_count; k++) {
        to->contact[k] = from->contact[k];
    }
}

static bool ids_ok(const ecp_world *world, const int *body, int count, bool dynamic)
{
    for (int j = 0; j < count; j++) {
        if (body[j] < 0 || body[j] >= world->body_count ||
            (dynamic && world->body[body[j]].kind != ECP_DYNAMIC)) {
            return false;
        }
    }
    return true;
}

static bool inputs_ok(const ecp_rollout_plan *plan)
{
    for (int i = 0; i < plan->input_rows; i++) {
        for (int j = 0; j < plan->input_count; j++) {
            const ecp_input *u = &plan->inputs[(size_t)i * (size_t)plan->input_count + (size_t)j];
            if (!ecp_v3_finite(u->force) || !ecp_v3_finite(u->torque)) {
                return false;
            }
        }
    }
    return true;
}

// NULL: the plan can be followed; otherwise what is wrong with it
static const char *plan_fault(const ecp_world *world, const ecp_rollout_plan *plan)
{
    if (!(plan->h > ECP_R(0.0)) || !ecp_finite(plan->h) || plan->steps < 1) {
        return "a rollout needs h > 0 and at least one step";
    }
    if (plan->input_count < 0 || plan->input_count > ECP_MAX_BODIES || plan->state_count < 0 ||
        plan->state_count > ECP_MAX_BODIES) {
        return "a rollout takes inputs and states of 0 to ECP_MAX_BODIES bodies";
    }
    if (plan->input_count > 0 && (plan->input_body == NULL || plan->inputs == NULL ||
                                  plan->input_rows < 1 || plan->input_rows > plan->steps)) {
        return "inputs need bodies, an array, and 1 to steps rows";
    }
    if (plan->state_count > 0 && (plan->state_body == NULL || plan->states == NULL)) {
        return "states need bodies and an array";
    }
    if (!ids_ok(world, plan->input_body, plan->input_count, true) ||
        !ids_ok(world, plan->state_body, plan->state_count, false)) {
        return "inputs need ids of dynamic bodies, states ids of bodies";
    }
    return inputs_ok(plan) ? NULL : "inputs must be finite";
}

static ecp_status apply_inputs(ecp_world *w, const ecp_rollout_plan *plan, int k,
                               const ecp_report *last)
{
    const int row = k < plan->input_rows ? k : plan->input_rows - 1;
    for (int j = 0; j < plan->input_count; j++) {
        const ecp_input *u = &plan->inputs[(size_t)row * (size_t)plan->input_count + (size_t)j];
        const ecp_status status = ecp_set_wrench(w, plan->input_body[j], u->force, u->torque);
        if (status < 0) {
            return status;
        }
    }
    return plan->policy != NULL ? plan->policy(plan->context, w, k, last) : ECP_OK;
}

static void record(const ecp_world *w, const ecp_rollout_plan *plan, int k, ecp_rollout_result *r)
{
    for (int j = 0; j < plan->state_count; j++) {
        plan->states[(size_t)k * (size_t)plan->state_count + (size_t)j] =
            w->body[plan->state_body[j]].state;
    }
    r->substepped += r->last.status == ECP_SUBSTEPPED;
    r->degraded += r->last.status == ECP_DEGRADED;
    r->iterations += (uint32_t)r->last.iterations;
    r->residual = ecp_max(r->residual, r->last.residual);
    r->gap_min = k == 0 ? r->last.gap_min : ecp_min(r->gap_min, r->last.gap_min);
    r->steps = k + 1;
}

static ecp_status worst_of(const ecp_rollout_result *r)
{
    return r->degraded > 0 ? ECP_DEGRADED : (r->substepped > 0 ? ECP_SUBSTEPPED : ECP_OK);
}

// one step of the rollout; ECP_DEADLINE or negative: it was not taken
static ecp_status take_step(ecp_world *w, const ecp_rollout_plan *plan, int k, stopwatch *watch,
                            ecp_rollout_result *r)
{
    bool (*const stop)(void *) = plan->clock != NULL ? time_over : NULL;
    if (stop != NULL && stop(watch)) {
        return ECP_DEADLINE;
    }
    const ecp_status ready = apply_inputs(w, plan, k, k > 0 ? &r->last : NULL);
    if (ready < 0) {
        return ready;
    }
    return ecp_step_until(w, plan->h, &r->last, stop, watch);
}

static ecp_status take_steps(ecp_world *w, const ecp_rollout_plan *plan, stopwatch *watch,
                             ecp_rollout_result *r)
{
    for (int k = 0; k < plan->steps && !r->stopped; k++) {
        const ecp_status status = take_step(w, plan, k, watch, r);
        if (status < 0 || status == ECP_DEADLINE) {
            return status;
        }
        record(w, plan, k, r);
        r->stopped = plan->until != NULL && plan->until(plan->context, w, k, &r->last);
    }
    return worst_of(r);
}

ecp_status ecp_rollout(const ecp_world *world, ecp_world *scratch, const ecp_rollout_plan *plan,
                       ecp_rollout_result *result)
{
    if (world == NULL || scratch == NULL || plan == NULL || result == NULL || scratch == world) {
        return ECP_E_ARG;
    }
    stopwatch watch = { .plan = plan,
                        .start = plan->clock != NULL ? plan->clock(plan->context) : 0 };
    const char *fault = plan_fault(world, plan);
    *result = (ecp_rollout_result){ .status = ECP_E_ARG };
    scratch->error = fault;
    if (fault == NULL) {
        copy_world(scratch, world);
        result->status = take_steps(scratch, plan, &watch, result);
    }
    return result->status;
}
