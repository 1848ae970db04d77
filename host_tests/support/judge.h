// judge.h - the conditions that every accepted step must fulfil, from the states before and after, the
// loads and the report alone: Newton-Euler, update of the pose, no pull, no impulse at a distance, no
// penetration, friction. Written from the model, in double, with none of the library's own formulas.
// One moving body, any half-spaces, also moving ones; locked axes are left out of the balance.
#ifndef ECP_TEST_JUDGE_H
#define ECP_TEST_JUDGE_H

#include "scene.h"

#include "geometry.h"

typedef struct judge {
    ecp_world before;
    double h;
} judge;

/// Worst violations, nondimensional: impulses in m U, moments in m U L, lengths in L.
typedef struct judgement {
    double force, moment, pose, pull, distance, depth, friction, sigma;
} judgement;

static inline double judgement_worst(judgement j)
{
    const double a = fmax(fmax(j.force, j.moment), fmax(j.pose, j.pull));
    return fmax(a, fmax(fmax(j.distance, j.depth), fmax(j.friction, j.sigma)));
}

static inline judgement judgement_join(judgement a, judgement b)
{
    return (judgement){ fmax(a.force, b.force),       fmax(a.moment, b.moment), fmax(a.pose, b.pose),
                        fmax(a.pull, b.pull),         fmax(a.distance, b.distance),
                        fmax(a.depth, b.depth),       fmax(a.friction, b.friction),
                        fmax(a.sigma, b.sigma) };
}

static inline void judgement_print(const char *name, judgement j)
{
    printf("%s: force %.1e, moment %.1e, pose %.1e, pull %.1e, distance %.1e, depth %.1e, friction "
           "%.1e, sigma %.1e\n",
           name, j.force, j.moment, j.pose, j.pull, j.distance, j.depth, j.friction, j.sigma);
}

/// Copy what a step starts from; after the loads were set.
static inline void judge_start(judge *j, double h)
{
    j->before = scene_world;
    j->h = h;
}

// I w in world axes for the body frame inertia xx yy zz xy xz yz
static inline vec judge_inertia_times(const ecp_body *b, ecp_quat q, vec w)
{
    const vec y = turn_back(q, w);
    double I[6];
    for (int i = 0; i < 6; i++) {
        I[i] = (double)b->inertia[i];
    }
    return turn(q, vec_of(I[0] * y.x + I[3] * y.y + I[4] * y.z, I[3] * y.x + I[1] * y.y + I[5] * y.z,
                          I[4] * y.x + I[5] * y.y + I[2] * y.z));
}

static inline vec judge_free_axes(unsigned lock, vec a)
{
    return vec_of((lock & 1u) ? 0 : a.x, (lock & 2u) ? 0 : a.y, (lock & 4u) ? 0 : a.z);
}

// w_f of one Newton step of the implicit gyroscopic equation, J (w_f - w) = h (tau - w x I w) + impulse,
// J e = I e + h (w x I e - I w x e), on the free axes; by Cramer's rule
static inline vec judge_spin_free(const ecp_body *b, const ecp_state *u, double h)
{
    const vec w = vec_from(u->angular_velocity), Iw = judge_inertia_times(b, u->orientation, w);
    const unsigned lock = b->lock >> 3;
    vec c[3];
    for (int k = 0; k < 3; k++) {
        const vec e = { k == 0, k == 1, k == 2 }, Ie = judge_inertia_times(b, u->orientation, e);
        c[k] = vec_add(Ie, vec_scale(h, vec_sub(vec_cross(w, Ie), vec_cross(Iw, e))));
        c[k] = ((lock >> k) & 1u) ? e : judge_free_axes(lock, c[k]);
    }
    vec load = vec_scale(h, vec_sub(vec_from(b->torque), vec_cross(w, Iw)));
    load = judge_free_axes(lock, vec_add(load, vec_from(b->angular_impulse)));
    const double det = vec_dot(c[0], vec_cross(c[1], c[2]));
    return vec_add(w, vec_scale(1.0 / det, vec_of(vec_dot(load, vec_cross(c[1], c[2])),
                                                  vec_dot(c[0], vec_cross(load, c[2])),
                                                  vec_dot(c[0], vec_cross(c[1], load)))));
}

static inline double judge_quat_distance(ecp_quat a, ecp_quat b)
{
    const double dot = (double)(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), s = dot < 0 ? -1 : 1;
    const double d[4] = { (double)a.w - s * (double)b.w, (double)a.x - s * (double)b.x,
                          (double)a.y - s * (double)b.y, (double)a.z - s * (double)b.z };
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
}

// x' = x + h v', q' = (1, h w'/2) q normalised
static inline double judge_pose(const ecp_state *u, const ecp_state *v, double h, double L)
{
    const vec x = vec_add(vec_from(u->position), vec_scale(h, vec_from(v->velocity)));
    const vec half = vec_scale(0.5 * h, vec_from(v->angular_velocity));
    const double k = 1.0 / sqrt(1.0 + vec_dot(half, half));
    const ecp_quat step = { (ecp_real)k, (ecp_real)(k * half.x), (ecp_real)(k * half.y), (ecp_real)(k * half.z) };
    return fmax(vec_norm(vec_sub(vec_from(v->position), x)) / L,
                judge_quat_distance(v->orientation, turn_product(step, u->orientation)));
}

static inline void judge_plane(const ecp_body *p, vec *n, double *d)
{
    *n = turn(p->state.orientation, vec_from(p->shape->size));
    *d = (double)p->shape->offset + vec_dot(*n, vec_from(p->state.position));
}

typedef struct judge_scale {
    double m, U, L;
} judge_scale;

// phat = Proj(phat - m vhat) on the ball of radius mu pn, and sigma = |vhat|
static inline void judge_friction(const ecp_contact *k, const ecp_contact_report *c, vec slip, double spin,
                                  judge_scale s, judgement *out)
{
    const vec n = vec_from(c->n), t = vec_from(c->t), o = vec_cross(n, t);
    const double er = (double)k->e[2], radius = (double)k->mu * (double)c->pn;
    const double p[3] = { (double)c->pt / (double)k->e[0], (double)c->po / (double)k->e[1],
                          er > 0 ? (double)c->pr / er : (double)c->pr / s.L };
    const double v[3] = { (double)k->e[0] * vec_dot(t, slip), (double)k->e[1] * vec_dot(o, slip), er * spin };
    double x[3], size = 0, miss = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = p[i] - s.m * v[i];
        size += x[i] * x[i];
    }
    size = sqrt(size);
    for (int i = 0; i < 3; i++) {
        const double d = p[i] - x[i] * (size > radius ? radius / size : 1.0);
        miss += d * d;
    }
    const double sigma = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    out->friction = fmax(out->friction, sqrt(miss) / (s.m * s.U));
    if (c->pn > 0) {
        out->sigma = fmax(out->sigma, fabs(sigma - (double)c->sigma) / s.U);
    }
}

/// Check the step from `start` to scene_world (one moving body; OK steps without substeps).
static inline judgement judge_step(const judge *start, int body, const ecp_report *r)
{
    const ecp_body *b = &start->before.body[body], *e = &scene_world.body[body];
    const double h = start->h, m = (double)b->mass, L = (double)b->radius;
    const vec x = vec_from(e->state.position), w = vec_from(e->state.angular_velocity);
    const vec g = vec_from(start->before.settings.gravity);
    vec vf = vec_add(vec_scale(h, vec_add(vec_scale(m, g), vec_from(b->force))), vec_from(b->impulse));
    vf = vec_add(vec_from(b->state.velocity), vec_scale(1.0 / m, judge_free_axes(b->lock, vf)));
    const vec wf = judge_spin_free(b, &b->state, h);
    judge_scale s = { m, fmax(vec_norm(vf) + L * vec_norm(wf), h * vec_norm(g)), L };
    vec P = vec_scale(m, vec_sub(vec_from(e->state.velocity), vf));
    vec M = judge_inertia_times(b, b->state.orientation, vec_sub(w, wf));
    judgement out = { .pose = judge_pose(&b->state, &e->state, h, L) };
    for (int k = 0; k < scene_world.contact_count; k++) {
        const ecp_contact *c = &scene_world.contact[k];
        if (c->a == body || c->b == body) {
            const ecp_state *p = &scene_world.body[c->a == body ? c->b : c->a].state;
            s.U = fmax(s.U, vec_norm(vec_from(p->velocity)) + L * vec_norm(vec_from(p->angular_velocity)));
        }
    }
    for (int k = 0; k < scene_world.contact_count; k++) {
        const ecp_contact *c = &scene_world.contact[k];
        const ecp_contact_report *q = &r->contact[k];
        if (c->a != body && c->b != body) {
            continue;
        }
        const double sign = c->a == body ? 1.0 : -1.0;
        const ecp_body *plane = &scene_world.body[c->a == body ? c->b : c->a];
        vec n, n_u;
        double d, d_u;
        judge_plane(plane, &n, &d);
        judge_plane(&start->before.body[c->a == body ? c->b : c->a], &n_u, &d_u);
        const double gap = shape_gap(b->shape, x, e->state.orientation, n, d);
        const double gap_u = shape_gap(b->shape, vec_from(b->state.position), b->state.orientation, n_u, d_u);
        const vec t = vec_from(q->t), o = vec_cross(vec_from(q->n), t), arm = vec_sub(vec_from(q->a), x);
        const vec F = vec_scale(sign, vec_add(vec_scale((double)q->pn, vec_from(q->n)),
                                              vec_add(vec_scale((double)q->pt, t), vec_scale((double)q->po, o))));
        P = vec_sub(P, F);
        M = vec_sub(M, vec_add(vec_cross(arm, F), vec_scale(sign * (double)q->pr, vec_from(q->n))));
        out.pull = fmax(out.pull, -(double)q->pn / (m * s.U));
        out.depth = fmax(out.depth, (fmin(0.0, gap_u) - gap) / L);
        out.depth = fmax(out.depth, fabs((double)q->gap - gap) / L);
        if (q->pn > 0) {
            out.distance = fmax(out.distance, gap / L);
            const vec body_vc = vec_add(vec_from(e->state.velocity), vec_cross(w, arm));
            const vec pw = vec_from(plane->state.angular_velocity);
            const vec plane_vc = vec_add(vec_from(plane->state.velocity),
                                         vec_cross(pw, vec_sub(vec_from(q->a), vec_from(plane->state.position))));
            const vec slip = vec_scale(sign, vec_sub(body_vc, plane_vc));
            judge_friction(c, q, slip, sign * vec_dot(vec_from(q->n), vec_sub(w, pw)), s, &out);
        }
    }
    out.force = vec_norm(judge_free_axes(b->lock, P)) / (m * s.U);
    out.moment = vec_norm(judge_free_axes(b->lock >> 3, M)) / (m * s.U * L);
    return out;
}

#endif
