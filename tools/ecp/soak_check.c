// The properties of a step, from the state before, the state after and the report alone.
#include "soak.h"

#include <math.h>

#if ECP_REAL_BITS == 32
// rounding of float states and a solver tolerance of 1e-5, times the spread of masses in the rows
enum { FLOAT = 1 };
#define UNIT_QUATERNION 1e-6
#define PENETRATION 2e-5
#define PENETRATION_DEGRADED 1e-3
#define BALANCE 1e-3
#define FRICTION 1e-3
#define ON_PLANE 2e-4
#define RESIDUAL 1e-4
#else
enum { FLOAT = 0 };
#define UNIT_QUATERNION 1e-14
#define PENETRATION 1e-8
#define PENETRATION_DEGRADED 1e-6
#define BALANCE 2e-8
#define FRICTION 2e-8
#define ON_PLANE 1e-7
#define RESIDUAL 5e-9
#endif

static const soak_fault none = { NULL, 0.0, 0.0 };

static soak_fault at_most(const char *what, double value, double limit)
{
    return value <= limit ? none : (soak_fault){ what, value, limit };
}

static double gap_of(const soak_scene *s, const ecp_state *st, int i)
{
    return shape_gap(&s->shape, vec_from(st->position), st->orientation, s->contact[i].n, s->contact[i].offset);
}

double soak_depth(const soak_scene *s, const ecp_state *state)
{
    double depth = 0.0;
    for (int i = 0; i < s->contact_count; i++) {
        depth = fmax(depth, -gap_of(s, state, i) / s->radius);
    }
    return depth;
}

// I w in the world frame, I given in the body frame xx, yy, zz, xy, xz, yz
static vec inertia_times(const soak_scene *s, ecp_quat q, vec w)
{
    const double *I = s->inertia;
    const vec b = turn_back(q, w);
    return turn(q, vec_of(I[0] * b.x + I[3] * b.y + I[4] * b.z, I[3] * b.x + I[1] * b.y + I[5] * b.z,
                          I[4] * b.x + I[5] * b.y + I[2] * b.z));
}

static vec solve3(const vec c[3], vec b)
{
    const double det = vec_dot(c[0], vec_cross(c[1], c[2]));
    return vec_scale(1.0 / det, vec_of(vec_dot(b, vec_cross(c[1], c[2])), vec_dot(c[0], vec_cross(b, c[2])),
                                       vec_dot(c[0], vec_cross(c[1], b))));
}

// w_f: one Newton step of the implicit gyroscopic equation from w
static vec free_spin(const soak_scene *s, const ecp_state *u)
{
    const vec w = vec_from(u->angular_velocity), Iw = inertia_times(s, u->orientation, w);
    vec column[3];
    for (int j = 0; j < 3; j++) {
        const vec e = { j == 0, j == 1, j == 2 }, Ie = inertia_times(s, u->orientation, e);
        column[j] = vec_add(Ie, vec_scale(s->h, vec_sub(vec_cross(w, Ie), vec_cross(Iw, e))));
    }
    vec load = vec_add(vec_scale(s->h, vec_sub(s->torque, vec_cross(w, Iw))), s->angular_impulse);
    return vec_add(w, solve3(column, load));
}

double soak_turn(const soak_scene *s, const ecp_state *before)
{
    return s->h * vec_norm(free_spin(s, before));
}

// wrench on the body of contact i, frame (n, t, o) of the report
static void wrench_of(const soak_scene *s, int i, const ecp_contact_report *c, vec *force, vec *about)
{
    const vec n = vec_from(c->n), t = vec_from(c->t), o = vec_cross(n, t);
    const double sign = s->contact[i].swapped ? -1.0 : 1.0;
    *force = vec_scale(sign, vec_add(vec_scale((double)c->pn, n),
                                     vec_add(vec_scale((double)c->pt, t), vec_scale((double)c->po, o))));
    *about = vec_scale(sign * (double)c->pr, n);
}

// The point of the body where the impulse acts is the ECP reported, except where the half-space is
// body A and the two overlap: then it is somewhere below that point.
static bool knows_point(const soak_scene *s, int i, const ecp_contact_report *c)
{
    return !s->contact[i].swapped || c->mode == ECP_OPEN || (double)c->gap > -PENETRATION * s->radius;
}

// M (v' - v_f) and I (w' - w_f) against the reported wrench, in units of M U and M U R
static soak_fault check_balance(const soak_scene *s, const ecp_state *u, const ecp_state *v,
                                const ecp_report *r, double U)
{
    vec dp = vec_sub(vec_from(v->velocity), vec_from(u->velocity));
    dp = vec_sub(vec_scale(s->mass, dp), vec_scale(s->h, vec_add(s->force, vec_scale(s->mass, s->gravity))));
    dp = vec_sub(dp, s->impulse);
    vec dL = inertia_times(s, u->orientation, vec_sub(vec_from(v->angular_velocity), free_spin(s, u)));
    bool known = r->substeps == 1;
    for (int i = 0; i < s->contact_count; i++) {
        vec P, m;
        known = known && knows_point(s, i, &r->contact[i]);
        wrench_of(s, i, &r->contact[i], &P, &m);
        dp = vec_sub(dp, P);
        dL = vec_sub(dL, vec_add(m, vec_cross(vec_sub(vec_from(r->contact[i].a), vec_from(v->position)), P)));
    }
    soak_fault f = at_most("force balance", vec_norm(dp) / (s->mass * U), BALANCE);
    if (f.what == NULL && known) {
        f = at_most("moment balance", vec_norm(dL) / (s->mass * U * s->radius), BALANCE);
    }
    return f;
}

// phat = Proj(phat - M vhat) on the ball of radius mu pn: inside the ellipsoid, opposite to the slip
static soak_fault check_friction(const soak_scene *s, int i, const ecp_state *v,
                                 const ecp_contact_report *c, double U, bool law)
{
    const soak_contact *k = &s->contact[i];
    const vec n = vec_from(c->n), t = vec_from(c->t), o = vec_cross(n, t);
    const double sign = k->swapped ? -1.0 : 1.0, unit = s->mass * U, radius = k->mu * (double)c->pn;
    const double er = k->e[2] > 0.0 ? k->e[2] : 1.0;
    const double p[3] = { (double)c->pt / k->e[0], (double)c->po / k->e[1], (double)c->pr / er };
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (!(k->e[2] > 0.0) && fabs((double)c->pr) > 0.0) {
        return (soak_fault){ "friction moment without e_r", (double)c->pr, 0.0 };
    }
    if (!(size <= radius + FRICTION * unit)) {
        return (soak_fault){ "friction outside the ellipsoid", (size - radius) / unit, FRICTION };
    }
    if (!law) {
        return none;
    }
    const vec w = vec_scale(sign, vec_from(v->angular_velocity));
    const vec vc = vec_add(vec_scale(sign, vec_from(v->velocity)),
                           vec_cross(w, vec_sub(vec_from(c->a), vec_from(v->position))));
    const double slip[3] = { k->e[0] * vec_dot(t, vc), k->e[1] * vec_dot(o, vc), k->e[2] * vec_dot(n, w) };
    double x[3], length = 0.0, miss = 0.0;
    for (int j = 0; j < 3; j++) {
        x[j] = p[j] - s->mass * slip[j];
        length += x[j] * x[j];
    }
    length = sqrt(length);
    for (int j = 0; j < 3; j++) {
        const double d = p[j] - x[j] * (length > radius ? radius / length : 1.0);
        miss += d * d;
    }
    return at_most("friction law", sqrt(miss) / unit, FRICTION);
}

// in radii; a gap is a difference of positions: its rounding grows with the distance from the origin
static double rounding_of(const soak_scene *s, const ecp_state *v, int i)
{
    const double far = 1.0 + (vec_norm(vec_from(v->position)) + fabs(s->contact[i].offset)) / s->radius;
    return far * (FLOAT ? 1.25e-7 : 2.5e-16);
}

static soak_fault check_contact(const soak_scene *s, int i, const ecp_state *v, const ecp_report *r, double U)
{
    const ecp_contact_report *c = &r->contact[i];
    const double gap = gap_of(s, v, i), unit = s->mass * U;
    soak_fault f = at_most("reported gap", fabs((double)c->gap - gap) / s->radius, 4.0 * rounding_of(s, v, i));
    if (f.what == NULL && c->mode == ECP_OPEN) {
        f = at_most("impulse of an open contact", fabs((double)c->pn) / unit, r->substeps > 1 ? 1e300 : 0.0);
    }
    if (f.what == NULL && (c->mode == ECP_OPEN) != (c->patch == 0)) {
        f = (soak_fault){ "patch and mode disagree", c->patch, c->mode };
    }
    if (f.what != NULL || c->mode == ECP_OPEN) {
        return f;
    }
    const bool exact = r->status == ECP_OK;
    const vec a = vec_from(c->a);
    // the ECP is a mean weighted by impulses: their error, over pn, is its own
    const double off = ON_PLANE + RESIDUAL * unit / (double)c->pn;
    f = at_most("pull instead of push", -(double)c->pn / unit, 0.0);
    if (f.what == NULL && exact) {
        f = at_most("impulse at a distance", gap / s->radius, ON_PLANE);
    }
    if (f.what == NULL && exact && knows_point(s, i, c)) {
        f = at_most("ECP outside the body", shape_outside(&s->shape, turn_back(v->orientation, vec_sub(a, vec_from(v->position)))) / s->radius, off);
    }
    if (f.what == NULL && exact && gap > -PENETRATION * s->radius) {
        f = at_most("ECP off the plane", fabs(vec_dot(s->contact[i].n, a) - s->contact[i].offset) / s->radius, off);
    }
    return f.what == NULL ? check_friction(s, i, v, c, U, exact && knows_point(s, i, c)) : f;
}

static bool finite_state(const ecp_state *s)
{
    const double sum = vec_norm(vec_from(s->position)) + vec_norm(vec_from(s->velocity)) +
                       vec_norm(vec_from(s->angular_velocity)) +
                       fabs((double)s->orientation.w + (double)s->orientation.x + (double)s->orientation.y +
                            (double)s->orientation.z);
    return isfinite(sum);
}

// speed of the step, as the library scales by it
static double speed_of(const soak_scene *s, const ecp_state *u)
{
    const vec dv = vec_add(vec_scale(s->h / s->mass, s->force),
                           vec_add(vec_scale(s->h, s->gravity), vec_scale(1.0 / s->mass, s->impulse)));
    const double U = vec_norm(vec_add(vec_from(u->velocity), dv)) + s->radius * vec_norm(free_spin(s, u));
    // recovery of depth is a motion too: the library's default of 0.1 radii a second
    const double recovery = fmin(0.1 * s->radius, soak_depth(s, u) * s->radius / s->h);
    return fmax(fmax(U, s->h * vec_norm(s->gravity)), fmax(recovery, 1e-9 * s->radius / s->h));
}

soak_fault soak_check(const soak_scene *s, const ecp_world *world, const ecp_state *before,
                      const ecp_report *r)
{
    ecp_state v;
    if (ecp_get_state(world, s->body, &v) != ECP_OK || !finite_state(&v)) {
        return (soak_fault){ "state not finite", 1.0, 0.0 };
    }
    if (r->iterations > ECP_MAX_ITERATIONS) {
        return (soak_fault){ "iterations", r->iterations, ECP_MAX_ITERATIONS };
    }
    const ecp_quat q = v.orientation;
    const double q2 = (double)q.w * (double)q.w + (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                      (double)q.z * (double)q.z;
    soak_fault f = at_most("quaternion off unit length", fabs(sqrt(q2) - 1.0), UNIT_QUATERNION);
    const double slack = r->status == ECP_DEGRADED ? PENETRATION_DEGRADED : PENETRATION;
    for (int i = 0; i < s->contact_count && f.what == NULL; i++) {
        // no deeper than at the start, where it began inside
        const double floor_gap = fmin(0.0, gap_of(s, before, i));
        f = at_most("penetration", (floor_gap - gap_of(s, &v, i)) / s->radius, slack + rounding_of(s, &v, i));
    }
    if (f.what != NULL) {
        return f;
    }
    const double U = speed_of(s, before);
    for (int i = 0; i < s->contact_count && f.what == NULL; i++) {
        f = check_contact(s, i, &v, r, U);
    }
    return f.what == NULL && r->status != ECP_DEGRADED ? check_balance(s, before, &v, r, U) : f;
}
