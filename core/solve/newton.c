#include "solve/newton.h"

// sufficient decrease of the merit |F|^2 per unit of step                            [N1]
#define DECREASE ECP_R(2e-4)

typedef struct loop {
    const ecp_newton_problem *problem;
    const ecp_newton_options *options;
    ecp_real *z, *F;             // present iterate and its residual
    ecp_real *trial, *trial_F;   // point of the line search
    ecp_real *dz, *best;
    ecp_real natural, merit;     // at z
    ecp_real trial_natural, trial_merit;
    ecp_real best_natural;
    ecp_real past[2];            // best_natural one and two iterations ago
    ecp_real merits[ECP_NEWTON_MEMORY];
    int merit_count;
} loop;

static void copy(ecp_real *to, const ecp_real *from, int n)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static ecp_real square(const ecp_real *F, int n)
{
    ecp_real s = ECP_R(0.0);
    for (int i = 0; i < n; i++) {
        s += F[i] * F[i];
    }
    return s;
}

static bool evaluate(const ecp_newton_problem *p, const ecp_real *z, ecp_real *F,
                     ecp_real *natural, ecp_real *merit)
{
    if (!p->evaluate(p->ctx, z, F, natural)) {
        return false;
    }
    *merit = square(F, p->n);
    return ecp_finite(*merit) && ecp_finite(*natural);
}

static bool evaluate_iterate(loop *s)
{
    return evaluate(s->problem, s->z, s->F, &s->natural, &s->merit);
}

// trial = z + a dz; false when it cannot be evaluated
static bool evaluate_trial(loop *s, ecp_real a)
{
    for (int i = 0; i < s->problem->n; i++) {
        s->trial[i] = s->z[i] + a * s->dz[i];
        if (!ecp_finite(s->trial[i])) {
            return false;
        }
    }
    return evaluate(s->problem, s->trial, s->trial_F, &s->trial_natural, &s->trial_merit);
}

static void remember_merit(loop *s)
{
    s->merits[s->merit_count % ECP_NEWTON_MEMORY] = s->merit;
    s->merit_count++;
}

static ecp_real largest_merit(const loop *s)
{
    const int count = s->merit_count < ECP_NEWTON_MEMORY ? s->merit_count : ECP_NEWTON_MEMORY;
    ecp_real largest = s->merit;
    for (int i = 0; i < count; i++) {
        largest = ecp_max(largest, s->merits[i]);
    }
    return largest;
}

static void keep_best(loop *s)
{
    if (s->natural < s->best_natural) {
        s->best_natural = s->natural;
        copy(s->best, s->z, s->problem->n);
    }
}

// the trial becomes the iterate; false when it is the same point to the last bit
static bool move_to_trial(loop *s)
{
    bool moved = false;
    for (int i = 0; i < s->problem->n; i++) {
        moved = moved || s->trial[i] < s->z[i] || s->trial[i] > s->z[i];
        s->z[i] = s->trial[i];
        s->F[i] = s->trial_F[i];
    }
    s->natural = s->trial_natural;
    s->merit = s->trial_merit;
    return moved;
}

// Leaves the chosen point in trial, evaluated last. False: no trial point had a residual.
// |F(z + a dz)|^2 <= (1 - 2e-4 a) max of the last merits                             [N1]
static bool line_search(loop *s)
{
    const ecp_real reference = largest_merit(s);
    ecp_real a = ECP_R(1.0), best_a = ECP_R(0.0), best_merit = ECP_REAL_MAX;
    bool last_finite = false;
    for (int i = 0; i < s->options->max_trials; i++) {
        last_finite = evaluate_trial(s, a);
        if (last_finite) {
            if (s->trial_natural <= s->options->tolerance ||
                s->trial_merit <= (ECP_R(1.0) - DECREASE * a) * reference) {
                return true;
            }
            if (s->trial_merit < best_merit || best_a <= ECP_R(0.0)) {
                best_merit = s->trial_merit;
                best_a = a;
            }
        }
        a *= ECP_R(0.5);
    }
    if (s->options->take_last && last_finite) {
        return true;
    }
    // the factors must belong to the point taken, so it is evaluated last
    return best_a > ECP_R(0.0) && evaluate_trial(s, best_a);
}

// good enough, and the last two iterations together brought less than a factor 10
static bool at_rounding_floor(const loop *s, int iterations)
{
    return iterations >= 2 && s->best_natural <= s->options->accept &&
           s->best_natural > ECP_R(0.1) * s->past[1];
}

// one factorisation, direction, search and update; true: go on, else *reason says why not
static bool iterate(loop *s, ecp_newton_reason *reason)
{
    const ecp_newton_problem *p = s->problem;
    if (p->adapt != NULL && p->adapt(p->ctx, s->z, ecp_sqrt(s->merit))) {
        s->merit_count = 0;
        if (!evaluate_iterate(s)) {
            *reason = ECP_NEWTON_NOT_FINITE;
            return false;
        }
    }
    if (!p->factor(p->ctx, s->z, ecp_sqrt(s->merit))) {
        *reason = ECP_NEWTON_SINGULAR;
        return false;
    }
    p->direction(p->ctx, s->F, s->dz);
    remember_merit(s);
    s->past[1] = s->past[0];
    s->past[0] = s->best_natural;
    if (!line_search(s)) {
        *reason = ECP_NEWTON_NOT_FINITE;
        return false;
    }
    if (!move_to_trial(s)) {
        *reason = ECP_NEWTON_STALLED;
        return false;
    }
    keep_best(s);
    return true;
}

static bool finished(const loop *s, int iterations, ecp_newton_reason *reason)
{
    const ecp_newton_problem *p = s->problem;
    if (s->best_natural <= s->options->tolerance) {
        *reason = ECP_NEWTON_CONVERGED;
    } else if (at_rounding_floor(s, iterations)) {
        *reason = ECP_NEWTON_ACCEPTED;
    } else if (iterations >= s->options->max_iterations) {
        *reason = ECP_NEWTON_ITERATIONS;
    } else if (p->stop != NULL && p->stop(p->ctx)) {
        *reason = ECP_NEWTON_STOPPED;
    } else {
        return false;
    }
    return true;
}

ecp_newton_info ecp_newton(const ecp_newton_problem *problem, const ecp_newton_options *options,
                           ecp_real *z, ecp_real *work)
{
    const int n = problem->n;
    loop s = { .problem = problem, .options = options, .z = z, .F = work, .dz = work + n,
               .trial = work + 2 * n, .trial_F = work + 3 * n, .best = work + 4 * n,
               .best_natural = ECP_REAL_MAX, .past = { ECP_REAL_MAX, ECP_REAL_MAX } };
    ecp_newton_info info = { ECP_NEWTON_NOT_FINITE, 0, ECP_REAL_MAX };
    if (!evaluate_iterate(&s)) {
        return info;
    }
    copy(s.best, z, n);
    s.best_natural = s.natural;
    while (!finished(&s, info.iterations, &info.reason)) {
        info.iterations++;
        if (!iterate(&s, &info.reason)) {
            break;
        }
    }
    // a loop that broke off where no more digits can be had has still solved its problem
    if (info.reason != ECP_NEWTON_CONVERGED && info.reason != ECP_NEWTON_STOPPED &&
        info.reason != ECP_NEWTON_ITERATIONS && s.best_natural <= options->accept) {
        info.reason = ECP_NEWTON_ACCEPTED;
    }
    copy(z, s.best, n);
    info.residual = s.best_natural;
    return info;
}
