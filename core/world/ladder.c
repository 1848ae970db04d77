// ladder.c - rungs of one island: guess, Newton, acceptance.                               [L1]
#include "world/ladder.h"

#include "world/accept.h"
#include "world/results.h"
#include "world/warm.h"

// times a violated contact, vertex or face is put right and the island solved again
#define MAX_REBUILDS 4
// residual at which a failed rung is a better fallback than sweeps
#define NEAR ECP_R(0.01)

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

static bool time_over(void *ctx)
{
    const ecp_island *is = ctx;
    return ecp_out_of_time(is->owner);
}

// everything zero but the tilts of the normals
static void clear_guess(ecp_island *is, ecp_real *z)
{
    for (int i = 0; i < is->n; i++) {
        z[i] = 0;
    }
    ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        for (int j = 0; j < ecp_patch_sides(p); j++) {
            s[p->width + j] = p->eta_u[j];
        }
        s += ecp_patch_size(p);
    }
}

static bool start_rung(ecp_case *c, const rung *r)
{
    ecp_island *is = ecp_case_island(c);
    ecp_real *z = ecp_case_vectors(c);
    c->rim = r->rim;
    c->loose = r->rates;
    c->hold = c->hold || r->hold || r->rates;
    ecp_case_build(c);
    is->prox_scale = r->prox_scale;
    is->prox_floor = ECP_REAL_BITS == 32 ? ECP_R(1e-4) : (r->prox_scale > ECP_R(0.01) ? ECP_R(1e-6) : ECP_R(1e-7));
    clear_guess(is, z);
    if (r->warm && !ecp_warm_guess(c, z)) {
        return false;
    }
    if (!r->warm) {
        ecp_island_sweep(is, z, r->sweeps);
    }
    if (r->soft) {
        ecp_island_soften(is, z);
    }
    if (r->zero) {
        clear_guess(is, z);
    }
    is->smoothing = r->smoothing;
    is->rates = r->rates;
    return true;
}

static bool run_rung(ecp_case *c, const rung *r, ecp_progress *progress, ecp_newton_info *info)
{
    ecp_island *is = ecp_case_island(c);
    ecp_real *z = ecp_case_vectors(c);
    if (!start_rung(c, r)) {
        return false;
    }
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
        is->gap_tolerance = ecp_max(is->gap_tolerance, ECP_RATES_SLACK / is->tau);
    }
    return ecp_island_evaluate(is, z, z + ECP_ISLAND_UNKNOWNS, &info->residual) && info->residual <= accept;
}

void ecp_ladder_end(ecp_case *c)
{
    const ecp_island *is = ecp_case_island(c);
    const ecp_world *w = c->sub->world;
    for (int i = 0; i < is->body_count; i++) {
        const ecp_island_body *q = &is->body[i];
        if (q->slot < 0) {
            continue;
        }
        const ecp_body *b = &w->body[q->world];
        ecp_state s = b->state;
        s.velocity = ecp_v3_scale(c->scale.U, q->v);
        s.angular_velocity = ecp_v3_scale(c->scale.U / c->scale.L, q->w);
        ecp_body_lock(&s, b->lock);
        c->sub->end[q->world] = ecp_state_advanced(&s, c->scale.h);
    }
}

// what rounding takes from the sums is carried to the next step
static void carry_on(ecp_case *c)
{
    const ecp_island *is = ecp_case_island(c);
    for (int i = 0; i < is->body_count; i++) {
        const int k = is->body[i].world;
        if (is->body[i].slot >= 0) {
            const ecp_vec3 dv = ecp_v3_axpy(c->sub->motion[k].dv, c->scale.U, ecp_island_kick(is, i));
            c->sub->carry[k] = ecp_body_carry(&c->sub->world->body[k], dv, c->scale.h, &c->sub->end[k]);
        }
    }
}

// rungs of this pass that fit the cap are tried; those that do not are left out, not cut short
static bool climb(ecp_case *c, int first, ecp_progress *progress, ecp_newton_info *info)
{
    bool solved = false;
    for (int r = first; r < (int)(sizeof ladder / sizeof ladder[0]) && !solved; r++) {
        if (progress->iterations + ladder[r].iterations <= ECP_MAX_ITERATIONS - FALLBACK_ITERATIONS &&
            ladder[r].pass == progress->pass && (c->inside || !ladder[r].hold) && !progress->stopped) {
            solved = run_rung(c, &ladder[r], progress, info);
        }
    }
    return solved;
}

bool ecp_ladder_solve(ecp_case *c, ecp_progress *progress)
{
    for (int rebuild = 0; rebuild <= MAX_REBUILDS; rebuild++) {
        ecp_newton_info info = { .residual = 0 };
        if (!climb(c, rebuild > 0 ? 1 : 0, progress, &info)) {
            return false;
        }
        ecp_ladder_end(c);
        carry_on(c);
        if (ecp_accept(c, false)) {
            progress->residual = ecp_max(progress->residual, info.residual);
            ecp_warm_keep(c);
            ecp_results_add(c);
            return true;
        }
    }
    return false;
}

bool ecp_ladder_guess(ecp_case *c, ecp_progress *progress)
{
    ecp_island *is = ecp_case_island(c);
    ecp_real *z = ecp_case_vectors(c);
    ecp_newton_info info = { .residual = ECP_REAL_MAX };
    if (progress->iterations + FALLBACK_ITERATIONS <= ECP_MAX_ITERATIONS && FALLBACK_ITERATIONS > 0 &&
        (run_rung(c, &fallback_rung, progress, &info) || info.residual <= NEAR)) {
        ecp_island_clip(is, z);
        return true;
    }
    ecp_case_build(c);
    clear_guess(is, z);
    ecp_island_sweep(is, z, 50);
    return false;
}
