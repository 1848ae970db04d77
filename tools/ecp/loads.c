#include "loads.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

// ---------------------------------------------------------------------------------------------
// sine and cosine

// sin x and cos x for |x| <= pi/4, Taylor; the first term left out is below 1e-19
static double sin_small(double x)
{
    const double z = x * x;
    double sum = 1.0 / 355687428096000.0; // 17!
    sum = sum * z - 1.0 / 1307674368000.0;
    sum = sum * z + 1.0 / 6227020800.0;
    sum = sum * z - 1.0 / 39916800.0;
    sum = sum * z + 1.0 / 362880.0;
    sum = sum * z - 1.0 / 5040.0;
    sum = sum * z + 1.0 / 120.0;
    sum = sum * z - 1.0 / 6.0;
    return x + x * z * sum;
}

static double cos_small(double x)
{
    const double z = x * x;
    double sum = -1.0 / 6402373705728000.0; // 18!
    sum = sum * z + 1.0 / 20922789888000.0;
    sum = sum * z - 1.0 / 87178291200.0;
    sum = sum * z + 1.0 / 479001600.0;
    sum = sum * z - 1.0 / 3628800.0;
    sum = sum * z + 1.0 / 40320.0;
    sum = sum * z - 1.0 / 720.0;
    sum = sum * z + 1.0 / 24.0;
    sum = sum * z - 0.5;
    return 1.0 + z * sum;
}

void load_sincos(double turns, double *sine, double *cosine)
{
    // whole turns, then quarter turns, both exact; the rest is within an eighth of a turn
    double u = 0.0;
    if (turns > -0x1p52 && turns < 0x1p52) {
        u = turns - (double)(int64_t)turns;
    }
    const int quarter = (int)(4.0 * u + (u < 0.0 ? -0.5 : 0.5));
    const double x = (u - 0.25 * (double)quarter) * 6.283185307179586477;
    const double s = sin_small(x), c = cos_small(x);
    switch ((quarter + 4) % 4) {
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
// which loads act

void load_wrench(const scenario *s, int body, long k, double out[6])
{
    const double step = (double)k;
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
    }
    for (int n = 0; n < s->wrench_count; n++) {
        const scenario_wrench *w = &s->wrenches[n];
        if (w->body != body || step < w->first || step >= w->end) {
            continue;
        }
        double sine, cosine;
        load_sincos(w->frequency * (step * s->h), &sine, &cosine);
        for (int i = 0; i < 6; i++) {
            out[i] += w->constant[i] + w->sine[i] * sine + w->cosine[i] * cosine;
        }
    }
}

bool load_impulse_acts(const scenario_impulse *impulse, long k, const ecp_state *state)
{
    if (!impulse->triggered) {
        return !((double)k < impulse->step) && !((double)k > impulse->step);
    }
    const ecp_vec3 v = state->velocity, w = state->angular_velocity;
    const ecp_real component[6] = { v.x, v.y, v.z, w.x, w.y, w.z };
    const double value = (double)component[impulse->component];
    return impulse->at_most ? value <= impulse->level : value >= impulse->level;
}

// ---------------------------------------------------------------------------------------------
// applying them

// a sum of loads may leave the range of float: infinite then, which the library refuses
static ecp_real to_real(double x)
{
#if ECP_REAL_BITS == 32
    if (fabs(x) > (double)FLT_MAX) {
        return x > 0.0 ? (ecp_real)INFINITY : -(ecp_real)INFINITY;
    }
#endif
    return (ecp_real)x;
}

static ecp_vec3 to_vec3(const double v[3])
{
    return (ecp_vec3){ to_real(v[0]), to_real(v[1]), to_real(v[2]) };
}

static bool has_wrench(const scenario *s, int body)
{
    for (int n = 0; n < s->wrench_count; n++) {
        if (s->wrenches[n].body == body) {
            return true;
        }
    }
    return false;
}

static ecp_status apply_impulses(const scenario *s, ecp_world *world, long k)
{
    for (int n = 0; n < s->impulse_count; n++) {
        const scenario_impulse *impulse = &s->impulses[n];
        ecp_state state;
        ecp_status status = ecp_get_state(world, impulse->body, &state);
        if (status >= 0 && load_impulse_acts(impulse, k, &state)) {
            status = ecp_apply_impulse(world, impulse->body, to_vec3(&impulse->value[0]),
                                       to_vec3(&impulse->value[3]));
        }
        if (status < 0) {
            return status;
        }
    }
    return ECP_OK;
}

ecp_status loads_apply(const scenario *s, ecp_world *world, long k)
{
    for (int body = 0; body < s->body_count; body++) {
        double w[6];
        if (!has_wrench(s, body)) {
            continue;
        }
        load_wrench(s, body, k, w);
        const ecp_status status = ecp_set_wrench(world, body, to_vec3(&w[0]), to_vec3(&w[3]));
        if (status < 0) {
            return status;
        }
    }
    return apply_impulses(s, world, k);
}
