// fallback.c - largest fraction, by bisection, of a guessed motion that does not penetrate.  [L2]
//
// Motion of body i: base_i + theta (guess_i - base_i). base is rest, or, for a body that a kinematic one
// touches or would run into, the rigid motion of that one, so that fraction 0 is valid where it pushes.
#include "world/fallback.h"

#include "shape/closest.h"
#include "world/accept.h"
#include "world/ladder.h"
#include "world/pairs.h"
#include "world/results.h"

// the guess leaves this many times the depth of its motion as a gap, at most so many radii
#define LIFT ECP_R(10.0)
#define LIFT_MOST ECP_R(1e-3)

typedef struct motion {
    ecp_vec3 v, w;
} motion;

typedef struct attempt {
    ecp_case *c;
    motion base[ECP_MAX_BODIES], guess[ECP_MAX_BODIES];
    bool carried[ECP_MAX_BODIES];
} attempt;

static bool member(const attempt *a, int i)
{
    return a->c->sub->root[i] == a->c->root;
}

static ecp_state moved(const attempt *a, int i, ecp_vec3 v, ecp_vec3 w)
{
    const ecp_body *b = &a->c->sub->world->body[i];
    ecp_state s = b->state;
    s.velocity = v;
    s.angular_velocity = w;
    ecp_body_lock(&s, b->lock);
    return ecp_state_advanced(&s, a->c->scale.h);
}

// end states of all bodies at fraction theta
static void place(const attempt *a, ecp_real theta)
{
    for (int i = 0; i < a->c->sub->world->body_count; i++) {
        if (member(a, i)) {
            const motion *b = &a->base[i], *g = &a->guess[i];
            a->c->sub->end[i] = moved(a, i, ecp_v3_axpy(b->v, theta, ecp_v3_sub(g->v, b->v)),
                                      ecp_v3_axpy(b->w, theta, ecp_v3_sub(g->w, b->w)));
        }
    }
}

// not even its rounding may move a body that cannot move
static void stay(const attempt *a)
{
    const ecp_world *w = a->c->sub->world;
    for (int i = 0; i < w->body_count; i++) {
        if (member(a, i) && !a->carried[i]) {
            a->c->sub->end[i].position = w->body[i].state.position;
            a->c->sub->end[i].orientation = w->body[i].state.orientation;
        }
    }
}

// is body i at its start pose in the way of a kinematic body at its end pose?
static bool in_the_way(const attempt *a, int k, int i, int pusher)
{
    const ecp_substep *sub = a->c->sub;
    const ecp_world *w = sub->world;
    const ecp_touch *t = &sub->touch[k];
    const ecp_real slack = ECP_FALLBACK_SLACK * w->body[i].radius;
    const ecp_real least = ecp_min(-slack, t->gap);
    if (ecp_touch_flat(t)) {
        const ecp_world_plane plane = ecp_plane_at(w->body[pusher].shape, &sub->end[pusher]);
        return ecp_plane_gap(w->body[i].shape, &w->body[i].state, plane, NULL) < least;
    }
    const ecp_posed A = ecp_posed_at(w->body[i].shape, &w->body[i].state);
    const ecp_posed B = ecp_posed_at(w->body[pusher].shape, &sub->end[pusher]);
    return ecp_closest(&A, &B).gap < least;
}

// rigid motion with the kinematic body: x' = x_k' + R_k' R_k^T (x - x_k)
static motion with_body(const attempt *a, int i, int pusher)
{
    const ecp_world *w = a->c->sub->world;
    const ecp_state *s = &w->body[pusher].state;
    const ecp_real h = a->c->scale.h;
    const ecp_vec3 W = ecp_v3_sub(w->body[i].state.position, s->position);
    const ecp_vec3 u = ecp_v3_scale(ECP_R(0.5) * h, s->angular_velocity);
    const ecp_vec3 turn = ecp_v3_scale(ECP_R(1.0) / h, ecp_cayley_increment(u, W));
    return (motion){ ecp_v3_add(s->velocity, turn), s->angular_velocity };
}

static void set_base(attempt *a)
{
    const ecp_substep *sub = a->c->sub;
    for (int k = 0; k < sub->world->contact_count; k++) {
        const ecp_touch *t = &sub->touch[k];
        for (int turn = 0; turn < 2; turn++) {
            const int i = turn == 0 ? t->I : t->R, other = turn == 0 ? t->R : t->I;
            if (member(a, i) && sub->world->body[other].kind == ECP_KINEMATIC && in_the_way(a, k, i, other)) {
                a->base[i] = with_body(a, i, other);
                a->carried[i] = true;
            }
        }
    }
}

// Moves the end of the step off the planes of its contacts: a body that turns about a point held
// between planes has no exact step, and finds itself there again unless it is let go.
static void lift(attempt *a)
{
    const ecp_case *c = a->c;
    const ecp_world *w = c->sub->world;
    ecp_real depth = 0;
    for (int sweep = 0; sweep < 10; sweep++) {
        for (int k = 0; k < w->contact_count; k++) {
            const ecp_touch *t = &c->sub->touch[k];
            if (!ecp_case_in(c, k) || !ecp_touch_flat(t)) {
                continue;
            }
            motion *g = &a->guess[t->I];
            const ecp_state end = moved(a, t->I, g->v, g->w);
            const ecp_world_plane plane = ecp_plane_at(w->body[t->R].shape, &c->sub->end[t->R]);
            const ecp_real gap = ecp_plane_gap(w->body[t->I].shape, &end, plane, NULL) - ecp_case_gap_target(c, k);
            depth = sweep == 0 ? ecp_max(depth, -gap) : depth;
            const ecp_real aim = ecp_min(LIFT * depth, LIFT_MOST * w->body[t->I].radius);
            if (gap < aim) {
                g->v = ecp_v3_axpy(g->v, (aim - gap) / c->scale.h, plane.n);
            }
        }
    }
}

static bool read_guess(attempt *a)
{
    const ecp_island *is = ecp_case_island(a->c);
    const ecp_scale s = a->c->scale;
    for (int i = 0; i < is->body_count; i++) {
        const ecp_island_body *b = &is->body[i];
        a->guess[b->world] = (motion){ ecp_v3_scale(s.U, b->v), ecp_v3_scale(s.U / s.L, b->w) };
        if (!ecp_v3_finite(b->v) || !ecp_v3_finite(b->w)) {
            return false;
        }
    }
    return true;
}

// the largest valid fraction is placed; false: none is valid
static bool bisect(attempt *a)
{
    ecp_real lo = 0, hi = ECP_R(1.0);
    place(a, ECP_R(1.0));
    if (ecp_accept(a->c, true)) {
        return true;
    }
    for (int i = 0; i < 30; i++) {
        const ecp_real mid = ECP_R(0.5) * (lo + hi);
        place(a, mid);
        *(ecp_accept(a->c, true) ? &lo : &hi) = mid;
    }
    place(a, lo);
    if (!(lo > ECP_R(0.0))) {
        stay(a);
    }
    return ecp_accept(a->c, true);
}

bool ecp_fallback_solve(ecp_case *c, ecp_progress *progress)
{
    attempt a = { .c = c };
    ecp_island *is = ecp_case_island(c);
    ecp_real *z = ecp_case_vectors(c);
    ecp_real residual = 0;
    const bool near = ecp_ladder_guess(c, progress);
    if (!read_guess(&a)) {
        return false;
    }
    lift(&a);
    set_base(&a);
    if (!bisect(&a)) {
        return false;
    }
    (void)ecp_island_evaluate(is, z, z + ECP_ISLAND_UNKNOWNS, &residual);
    ecp_results_add(c);
    for (int i = 0; i < c->sub->world->body_count; i++) {
        if (member(&a, i)) {
            c->sub->carry[i] = (ecp_carry){ .v = { 0, 0, 0 } };
        }
    }
    for (int k = 0; k < c->sub->world->contact_count; k++) {
        if (ecp_case_in(c, k) && !near) {
            c->sub->world->contact[k].warm.count = 0;
        }
    }
    progress->degraded = true;
    progress->residual = ecp_max(progress->residual, ecp_finite(residual) ? residual : ECP_R(1.0));
    return true;
}
