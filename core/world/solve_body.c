#include "world/solve_body.h"

#include "solve/newton.h"
#include "world/build.h"

// how deep a gap may end: rounding of the acceptance test, in radii
#define GAP_SLACK (ECP_REAL_BITS == 32 ? ECP_R(1.5e-5) : ECP_R(1e-9))
// the same after a solve of rates
#define RATES_SLACK (ECP_REAL_BITS == 32 ? ECP_R(1.8e-5) : ECP_R(9e-9))
// the same for the fallback, whose leftovers the next step must be able to snap
#define FALLBACK_SLACK (ECP_REAL_BITS == 32 ? ECP_R(2e-6) : ECP_R(1e-12))
// times a violated contact or vertex is added and the island solved again
#define MAX_REBUILDS 4
// residual at which a failed rung is a better fallback than sweeps
#define NEAR ECP_R(0.01)
// the fallback leaves this many times the depth of its motion as a gap, at most so many radii
#define LIFT ECP_R(10.0)
#define LIFT_MOST ECP_R(1e-3)

typedef struct rung {
    ecp_pass pass;
    int iterations, sweeps;
    bool warm;   // from the last step's impulses
    bool rim;    // tilted discs as rim points
    bool hold;   // only where there is depth: give up recovering it in this step
    bool rates;  // gaps by the velocity at the end of the step
    bool soft;   // friction rows with a small rho
    bool zero;   // from zero
    ecp_real smoothing, prox_scale;
} rung;

// Lengths by cap: nearly every solve that ends at all ends within 10 iterations, and a small cap must
// leave room for a cold start after a warm one, and for substeps after both.
#define WARM_ITERATIONS (ECP_MAX_ITERATIONS >= 32 ? 10 : 5)
#define COLD_ITERATIONS (ECP_MAX_ITERATIONS >= 192 ? 20 : (ECP_MAX_ITERATIONS >= 32 ? 16 : 10))
// kept for the guess of the fallback
#define FALLBACK_ITERATIONS (ECP_MAX_ITERATIONS >= 192 ? 20 : (ECP_MAX_ITERATIONS >= 64 ? 12 : 0))

// First pass, also with substeps: warm; cold from one sweep (more make forces that belong to the start
// pose: from a spin flush in a corner 20 left 204 of 2,000 steps degraded, one leaves 1); again with a
// larger proximal term. A body wedged by friction between planes it overlaps has no motion outwards: it
// keeps its depth and waits.
// Second pass: rates. Last pass: from zero; smoothed from zero; soft friction.               [L1] [C2]
static const rung ladder[] = {
    { ECP_PASS_RIGID, WARM_ITERATIONS, .warm = true, .rim = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_RIGID, COLD_ITERATIONS, .sweeps = 1, .rim = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_RIGID, COLD_ITERATIONS, .sweeps = 1, .rim = true, .hold = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_RIGID, 25, .sweeps = 20, .prox_scale = ECP_R(0.3) },
    { ECP_PASS_RATES, WARM_ITERATIONS, .warm = true, .rates = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_RATES, 15, .sweeps = 20, .rates = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_LAST, 40, .zero = true, .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_LAST, 50, .sweeps = 20, .soft = true, .zero = true, .smoothing = ECP_R(0.1), .prox_scale = ECP_R(1e-3) },
    { ECP_PASS_LAST, 40, .sweeps = 50, .soft = true, .prox_scale = ECP_R(0.1) },
};
static const rung fallback_rung = { ECP_PASS_LAST, FALLBACK_ITERATIONS, .sweeps = 20, .rates = true, .prox_scale = ECP_R(1e-3) };

static ecp_island *island_of(ecp_world *world)
{
    return (ecp_island *)(void *)world->work.reals;
}

static ecp_real *vectors_of(ecp_world *world)
{
    return (ecp_real *)(void *)((unsigned char *)world->work.reals + sizeof(ecp_island));
}

// name of one unknown that outlives the step: generator and component (3: a single point)
static int16_t feature_key(const ecp_point *p, int component)
{
    return (int16_t)(4 * p->feature + (p->kind == ECP_GEN_DISC ? component : 3));
}

static ecp_real warm_value(const ecp_warm *w, int16_t key)
{
    for (int k = 0; k < ecp_warm_count(w); k++) {
        if (w->feature[k] == key) {
            return w->lam[k];
        }
    }
    return 0;
}

// impulses of the last step as the guess; false when there are none or they are not usable
static bool guess_warm(const ecp_case *c, ecp_island *is, ecp_real *z)
{
    const ecp_real k = ECP_R(1.0) / (c->scale.m * c->scale.U);
    bool any = false;
    ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        const ecp_warm *w = &c->world->contact[p->contact].warm;
        for (int q = 0; q < p->point_count; q++) {
            for (int j = 0; j < p->point[q].width; j++) {
                s[p->point[q].first + j] = k * warm_value(w, feature_key(&p->point[q], j));
            }
        }
        for (int j = 0; j < 3; j++) {
            s[p->width + j] = w->count > 0 ? k * w->phat[j] / (j == 2 ? c->scale.L : ECP_R(1.0)) : 0;
        }
        any = any || w->count > 0;
        s += p->width + 3;
    }
    if (any) {
        ecp_island_velocities(is, z);
    }
    for (int i = 0; i < is->n; i++) {
        any = any && ecp_finite(z[i]);
    }
    return any;
}

// phat of torsion is pr/er: with er in radii, N s as the others
static void keep_warm(const ecp_case *c, const ecp_island *is, const ecp_real *z)
{
    const ecp_real k = c->scale.m * c->scale.U;
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        ecp_warm *w = &c->world->contact[p->contact].warm;
        w->count = p->width;
        for (int q = 0; q < p->point_count; q++) {
            for (int j = 0; j < p->point[q].width; j++) {
                w->feature[p->point[q].first + j] = feature_key(&p->point[q], j);
                w->lam[p->point[q].first + j] = k * s[p->point[q].first + j];
            }
        }
        for (int j = 0; j < 3; j++) {
            w->phat[j] = k * s[p->width + j] * (j == 2 ? c->scale.L : ECP_R(1.0));
        }
        s += p->width + 3;
    }
}

static bool time_over(void *ctx)
{
    const ecp_island *is = ctx;
    return ecp_out_of_time(is->owner);
}

static bool run_rung(ecp_case *c, const rung *r, ecp_progress *progress, ecp_newton_info *info)
{
    ecp_island *is = island_of(c->world);
    ecp_real *z = vectors_of(c->world);
    c->rim = r->rim;
    c->loose = r->rates;
    if (r->hold || c->loose) {
        c->recovery = 0;
    }
    ecp_case_build(c, is);
    is->prox_scale = r->prox_scale;
    is->prox_floor = ECP_REAL_BITS == 32 ? ECP_R(1e-4) : (r->prox_scale > ECP_R(0.01) ? ECP_R(1e-6) : ECP_R(1e-7));
    for (int i = 0; i < is->n; i++) {
        z[i] = 0;
    }
    if (r->warm && !guess_warm(c, is, z)) {
        return false;
    }
    if (!r->warm) {
        ecp_island_sweep(is, z, r->sweeps);
    }
    if (r->soft) {
        ecp_island_soften(is, z);
    }
    for (int i = 0; i < is->n && r->zero; i++) {
        z[i] = 0;
    }
    is->smoothing = r->smoothing;
    is->rates = r->rates;
    const ecp_newton_problem problem = { is, is->n, ecp_island_evaluate, ecp_island_factor,
                                         ecp_island_direction, ecp_island_adapt, time_over };
    is->owner = progress;
    const ecp_real accept = is->tolerance * (ECP_REAL_BITS == 32 ? ECP_R(4.0) : ECP_R(500.0));
    // float: stop below what is asked for, or a warm start within the tolerance is never corrected and
    // its error adds up over thousands of steps
    const ecp_real stop = is->tolerance * (ECP_REAL_BITS == 32 ? ECP_R(0.02) : ECP_R(1.0));
    const ecp_newton_options options = { stop, accept, r->iterations, 8, false };
    *info = ecp_newton(&problem, &options, z, z + ECP_ISLAND_UNKNOWNS);
    progress->iterations += info->iterations;
    if (info->reason != ECP_NEWTON_CONVERGED && info->reason != ECP_NEWTON_ACCEPTED) {
        return false;
    }
    // the loop returns its best iterate: place the geometry there for the results
    is->smoothing = 0;
    if (r->rates) {
        is->rates = false;
        is->gap_tolerance = ecp_max(is->gap_tolerance, RATES_SLACK / is->tau);
    }
    return ecp_island_evaluate(is, z, z + ECP_ISLAND_UNKNOWNS, &info->residual) && info->residual <= accept;
}

static ecp_state end_state(const ecp_case *c, ecp_vec3 v, ecp_vec3 w)
{
    ecp_state s = c->world->body[c->body].state;
    s.velocity = v;
    s.angular_velocity = w;
    ecp_body_lock(&s, c->world->body[c->body].lock);
    return ecp_state_advanced(&s, c->scale.h);
}

// vertex of the shape that is deepest against a plane at the given pose, or -1 for curved shapes
static int16_t deepest_vertex(const ecp_shape *shape, const ecp_state *s, ecp_vec3 n)
{
    const ecp_mat3 R = ecp_quat_matrix(s->orientation);
    const ecp_vec3 n_b = ecp_m3_tmulv(&R, n);
    ecp_real least = ECP_REAL_MAX;
    int16_t at = -1;
    for (int i = 0; i < ecp_generator_count(shape); i++) {
        const ecp_real g = ecp_v3_dot(n_b, ecp_generator_get(shape, i).y);
        if (g < least) {
            least = g;
            at = (int16_t)i;
        }
    }
    return at;
}

// every contact of the body, also those left out, against a pose: above its target, or, for the
// fallback, no deeper than at the start; violated ones are noted for the next solve
static bool pose_valid(ecp_case *c, const ecp_state *end, bool fallback)
{
    const ecp_body *b = &c->world->body[c->body];
    bool valid = true;
    for (int k = 0; k < c->world->contact_count; k++) {
        if (ecp_contact_pair(c->world, &c->world->contact[k]).moving != c->body) {
            continue;
        }
        const ecp_world_plane plane = ecp_case_end_plane(c, k);
        const ecp_real gap = ecp_plane_gap(b->shape, end, plane, NULL);
        // a slack that does not add up over steps: no deeper than at the start, or than the slack
        const ecp_real slack = fallback ? FALLBACK_SLACK : RATES_SLACK;
        const ecp_real least = fallback || c->loose
                                   ? ecp_min(-slack * b->radius, ecp_case_start_gap(c, k))
                                   : ecp_min(-GAP_SLACK * b->radius,
                                             ecp_case_gap_target(c, k) - ECP_R(0.1) * GAP_SLACK * b->radius);
        if (gap < least) {
            valid = false;
            c->in[k] = true;
            c->extra[k] = deepest_vertex(b->shape, end, plane.n);
        }
    }
    return valid;
}

static void add_results(const ecp_case *c, const ecp_island *is, const ecp_real *z, const ecp_state *end)
{
    const ecp_real unit = c->scale.m * c->scale.U;
    const ecp_shape *shape = c->world->body[c->body].shape;
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        const ecp_real *phat = s + p->width;
        ecp_contact_report *r = &c->world->result[p->contact];
        const ecp_real f = ecp_sqrt(phat[0] * phat[0] + phat[1] * phat[1] + phat[2] * phat[2]);
        const ecp_real slip = ecp_sqrt(p->vhat[0] * p->vhat[0] + p->vhat[1] * p->vhat[1] +
                                       p->vhat[2] * p->vhat[2]);
        s += p->width + 3;
        r->mode = ECP_OPEN;
        r->sigma = r->reserve = 0;
        const ecp_real gap = ecp_plane_gap(shape, end, ecp_case_end_plane(c, p->contact), NULL);
        // an impulse within the tolerance where nothing touches is a leftover of the solver
        if (!(p->px > ECP_R(1e-9)) || gap > ECP_TOUCHING * c->scale.L) {
            continue;
        }
        r->pn += unit * p->px;
        r->pt += unit * p->e[0] * phat[0];
        r->po += unit * p->e[1] * phat[1];
        r->pr += unit * c->scale.L * p->e[2] * phat[2];
        r->a = ecp_v3_axpy(end->position, c->scale.L, p->ra);
        r->sigma = c->scale.U * slip;
        r->mode = slip > (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1e-6)) ? ECP_SLIP : ECP_STICK;
        if (r->mode == ECP_STICK && p->mu > ECP_R(0.0)) {
            r->reserve = ecp_max(ECP_R(0.0), ECP_R(1.0) - f / (p->mu * p->px));
        }
    }
}

static bool solve_ladder(ecp_case *c, ecp_progress *progress, ecp_state *end)
{
    ecp_island *is = island_of(c->world);
    const ecp_real *z = vectors_of(c->world);
    int first = 0;
    for (int rebuild = 0; rebuild <= MAX_REBUILDS; rebuild++) {
        bool solved = false;
        ecp_newton_info info = { .residual = 0 };
        for (int r = first; r < (int)(sizeof ladder / sizeof ladder[0]) && !solved; r++) {
            // rungs that do not fit the cap are left out, not cut short
            if (progress->iterations + ladder[r].iterations <= ECP_MAX_ITERATIONS - FALLBACK_ITERATIONS &&
                ladder[r].pass == progress->pass && (c->inside || !ladder[r].hold) && !progress->stopped) {
                solved = run_rung(c, &ladder[r], progress, &info);
            }
        }
        if (!solved) {
            return false;
        }
        *end = end_state(c, ecp_v3_scale(c->scale.U, is->v),
                         ecp_v3_scale(c->scale.U / c->scale.L, is->w));
        const ecp_vec3 dv = ecp_v3_axpy(c->motion.dv, c->scale.U, ecp_island_kick(is, z));
        c->carry = ecp_body_carry(&c->world->body[c->body], dv, c->scale.h, end);
        if (pose_valid(c, end, false)) {
            progress->residual = ecp_max(progress->residual, info.residual);
            keep_warm(c, is, z);
            add_results(c, is, z, end);
            return true;
        }
        first = 1;
    }
    return false;
}

// Moves the end of the step off the planes of its contacts: a body that turns about a point held
// between planes has no exact step (MODEL.md, [L2]), and finds itself there again unless it is let go.
static void lift(const ecp_case *c, ecp_vec3 *v, ecp_vec3 w)
{
    const ecp_body *b = &c->world->body[c->body];
    ecp_real depth = 0;
    for (int sweep = 0; sweep < 10; sweep++) {
        const ecp_state end = end_state(c, *v, w);
        for (int k = 0; k < c->world->contact_count; k++) {
            if (c->in[k]) {
                const ecp_world_plane plane = ecp_case_end_plane(c, k);
                const ecp_real gap = ecp_plane_gap(b->shape, &end, plane, NULL) - ecp_case_gap_target(c, k);
                depth = sweep == 0 ? ecp_max(depth, -gap) : depth;
                const ecp_real aim = ecp_min(LIFT * depth, LIFT_MOST * b->radius);
                if (gap < aim) {
                    *v = ecp_v3_axpy(*v, (aim - gap) / c->scale.h, plane.n);
                }
            }
        }
    }
}

// impulses of rates, or, where none were found, of sweeps at the start pose
static bool guess_fallback(ecp_case *c, ecp_island *is, ecp_real *z, ecp_progress *progress)
{
    ecp_newton_info info = { .residual = ECP_REAL_MAX };
    if (progress->iterations + FALLBACK_ITERATIONS <= ECP_MAX_ITERATIONS && FALLBACK_ITERATIONS > 0 &&
        (run_rung(c, &fallback_rung, progress, &info) || info.residual <= NEAR)) {
        ecp_island_clip(is, z);
        return true;
    }
    ecp_case_build(c, is);
    for (int i = 0; i < is->n; i++) {
        z[i] = 0;
    }
    ecp_island_sweep(is, z, 50);
    return false;
}

// largest fraction of that motion, by bisection, that does not penetrate                    [L2]
static bool safe_fallback(ecp_case *c, ecp_progress *progress, ecp_state *end)
{
    c->carry = (ecp_carry){ .v = { 0, 0, 0 } };
    ecp_island *is = island_of(c->world);
    ecp_real *z = vectors_of(c->world);
    const bool near = guess_fallback(c, is, z, progress);
    ecp_vec3 v = ecp_v3_scale(c->scale.U, is->v);
    const ecp_vec3 w = ecp_v3_scale(c->scale.U / c->scale.L, is->w);
    ecp_real lo = 0, hi = ECP_R(1.0), residual = 0;
    if (!ecp_v3_finite(v) || !ecp_v3_finite(w)) {
        return false;
    }
    lift(c, &v, w);
    *end = end_state(c, v, w);
    if (!pose_valid(c, end, true)) {
        for (int i = 0; i < 30; i++) {
            const ecp_real mid = ECP_R(0.5) * (lo + hi);
            *end = end_state(c, ecp_v3_scale(mid, v), ecp_v3_scale(mid, w));
            *(pose_valid(c, end, true) ? &lo : &hi) = mid;
        }
        *end = end_state(c, ecp_v3_scale(lo, v), ecp_v3_scale(lo, w));
        if (!(lo > ECP_R(0.0))) {
            // not even its rounding may move a body that cannot move
            end->position = c->world->body[c->body].state.position;
            end->orientation = c->world->body[c->body].state.orientation;
        }
        if (!pose_valid(c, end, true)) {
            return false;
        }
    }
    (void)ecp_island_evaluate(is, z, z + ECP_ISLAND_UNKNOWNS, &residual);
    add_results(c, is, z, end);
    for (int k = 0; k < c->world->contact_count; k++) {
        if (c->in[k] && !near) {
            c->world->contact[k].warm.count = 0;
        }
    }
    progress->degraded = true;
    progress->residual = ecp_max(progress->residual, ecp_finite(residual) ? residual : ECP_R(1.0));
    return true;
}

bool ecp_solve_body(ecp_world *world, int i, ecp_real h, bool first, bool fallback,
                    ecp_progress *progress)
{
    ecp_case c;
    ecp_state end;
    if (ecp_out_of_time(progress) || !ecp_case_open(&c, world, i, h, first)) {
        return false;
    }
    if (!c.reached) {
        end = end_state(&c, c.motion.v, c.motion.w);
        c.carry = ecp_body_carry(&world->body[i], c.motion.dv, h, &end);
        for (int k = 0; k < world->contact_count; k++) {
            if (ecp_contact_pair(world, &world->contact[k]).moving == i) {
                world->contact[k].warm.count = 0;
                world->result[k].mode = ECP_OPEN;
                world->result[k].sigma = world->result[k].reserve = 0;
            }
        }
    } else if (!solve_ladder(&c, progress, &end) &&
               !(fallback && !ecp_out_of_time(progress) && safe_fallback(&c, progress, &end))) {
        return false;
    }
    if (!ecp_v3_finite(end.position) || !ecp_v3_finite(end.velocity) ||
        !ecp_v3_finite(end.angular_velocity) || !ecp_quat_finite(end.orientation)) {
        return false;
    }
    world->body[i].state = end;
    world->body[i].carry = c.carry;
    return true;
}
