#include "scene_data.h"

// ---------------------------------------------------------------------------------------------
// sine and cosine

#define R(x) ((ecp_real)(x))

// sin x and cos x for |x| <= pi/4, Taylor; the first term left out is below 1e-19
static ecp_real sin_small(ecp_real x)
{
    const ecp_real z = x * x;
    ecp_real sum = R(1.0 / 355687428096000.0);  // 17!
    sum = sum * z - R(1.0 / 1307674368000.0);
    sum = sum * z + R(1.0 / 6227020800.0);
    sum = sum * z - R(1.0 / 39916800.0);
    sum = sum * z + R(1.0 / 362880.0);
    sum = sum * z - R(1.0 / 5040.0);
    sum = sum * z + R(1.0 / 120.0);
    sum = sum * z - R(1.0 / 6.0);
    return x + x * z * sum;
}

static ecp_real cos_small(ecp_real x)
{
    const ecp_real z = x * x;
    ecp_real sum = R(-1.0 / 6402373705728000.0);  // 18!
    sum = sum * z + R(1.0 / 20922789888000.0);
    sum = sum * z - R(1.0 / 87178291200.0);
    sum = sum * z + R(1.0 / 479001600.0);
    sum = sum * z - R(1.0 / 3628800.0);
    sum = sum * z + R(1.0 / 40320.0);
    sum = sum * z - R(1.0 / 720.0);
    sum = sum * z + R(1.0 / 24.0);
    sum = sum * z - R(0.5);
    return R(1.0) + z * sum;
}

void scene_sincos(uint64_t phase, ecp_real *sine, ecp_real *cosine)
{
    // nearest quarter turn; the rest is a signed number of 2^-64 turns within an eighth of a turn
    const uint64_t quarter = (phase + (UINT64_C(1) << 61)) >> 62;
    const uint64_t rest = phase - (quarter << 62);
    const uint32_t high = (uint32_t)(rest >> 32), low = (uint32_t)rest;
    const ecp_real top = high < UINT32_C(0x80000000) ? (ecp_real)(int32_t)high
                                                     : -(ecp_real)(int32_t)(UINT32_MAX - high) - R(1.0);
    const ecp_real turns = top * R(0x1p-32) + (ecp_real)low * R(0x1p-64);
    const ecp_real x = turns * R(6.283185307179586477);
    const ecp_real s = sin_small(x), c = cos_small(x);
    switch (quarter & 3u) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    default:
        *sine = -c;
        *cosine = s;
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// loads

static void add_wrench(const scene_wrench *w, uint32_t k, ecp_real out[6])
{
    ecp_real sine, cosine;
    scene_sincos(w->turn * k, &sine, &cosine);  // whole turns drop out by the wrap of 64 bits
    for (int i = 0; i < 6; i++) {
        out[i] += w->constant[i] + w->sine[i] * sine + w->cosine[i] * cosine;
    }
}

bool scene_wrench_sum(const scene_data *s, int body, uint32_t k, ecp_real out[6])
{
    bool any = false;
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
    }
    for (int n = 0; n < s->wrench_count; n++) {
        const scene_wrench *w = &s->wrenches[n];
        any = any || w->body == body;
        if (w->body == body && k >= w->first && k < w->end) {
            add_wrench(w, k, out);
        }
    }
    return any;
}

bool scene_impulse_acts(const scene_impulse *impulse, uint32_t k, const ecp_state *state)
{
    if (!impulse->triggered) {
        return k == impulse->step;
    }
    const ecp_vec3 v = state->velocity, w = state->angular_velocity;
    const ecp_real component[6] = { v.x, v.y, v.z, w.x, w.y, w.z };
    const ecp_real value = component[impulse->component];
    return impulse->at_most ? value <= impulse->level : value >= impulse->level;
}

static ecp_vec3 vector(const ecp_real x[3])
{
    return (ecp_vec3){ x[0], x[1], x[2] };
}

ecp_status scene_load(const scene_data *s, ecp_world *world, uint32_t k)
{
    for (int body = 0; body < s->body_count; body++) {
        ecp_real w[6];
        if (scene_wrench_sum(s, body, k, w)) {
            const ecp_status status = ecp_set_wrench(world, body, vector(&w[0]), vector(&w[3]));
            if (status < 0) {
                return status;
            }
        }
    }
    for (int n = 0; n < s->impulse_count; n++) {
        const scene_impulse *impulse = &s->impulses[n];
        ecp_state state;
        ecp_status status = ecp_get_state(world, impulse->body, &state);
        if (status >= 0 && scene_impulse_acts(impulse, k, &state)) {
            status = ecp_apply_impulse(world, impulse->body, vector(&impulse->value[0]),
                                       vector(&impulse->value[3]));
        }
        if (status < 0) {
            return status;
        }
    }
    return ECP_OK;
}

// ---------------------------------------------------------------------------------------------
// running

ecp_status scene_init(const scene_data *s, ecp_world *world)
{
    ecp_status status = ecp_world_init(world, &s->settings);
    for (int i = 0; status >= 0 && i < s->body_count; i++) {
        status = ecp_add_body(world, &s->bodies[i], NULL);
    }
    for (int k = 0; status >= 0 && k < s->contact_count; k++) {
        status = ecp_add_contact(world, &s->contacts[k], NULL);
    }
    return status;
}

ecp_status scene_step(const scene_data *s, ecp_world *world, uint32_t k, ecp_report *report)
{
    const ecp_status status = scene_load(s, world, k);
    return status < 0 ? status : ecp_step(world, s->h, report);
}
