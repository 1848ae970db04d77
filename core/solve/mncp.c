#include "solve/mncp.h"

#include "math/chol.h"
#include "math/fb.h"

// points tried per search: the full step and ten halvings, then the step is taken anyway  [N2]
#define TRIALS 11
// iterations of one rung: Fathi's problem needs n + 5
#define RUNG_ITERATIONS(n) (30 + (n))

typedef enum method {
    PLAIN,    // Newton on the Fischer-Burmeister rows
    SMOOTH,   // the same with a smoothing that shrinks as the residual does
    DAMPED    // least squares with a proximal term: (J^T J + mu I) dz = -J^T F
} method;

typedef struct solver {
    const ecp_mncp_problem *problem;
    ecp_real *raw;      // F at the point of the last evaluate
    ecp_real *tmp;
    ecp_real *J, *factors;
    int *perm;
    ecp_real eps;       // smoothing
    ecp_real floor;     // a smoothing below this is none
    method how;
    bool least_squares; // the present factors are of J^T J + mu I
} solver;

static bool bounded(const ecp_mncp_problem *p, int i)
{
    return p->is_free == NULL || !p->is_free[i];
}

static bool all_finite(const ecp_real *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!ecp_finite(x[i])) {
            return false;
        }
    }
    return true;
}

// largest |min(z_i, F_i)|, of a free variable |F_i|
static ecp_real natural_residual(const ecp_mncp_problem *p, const ecp_real *z, const ecp_real *F)
{
    ecp_real worst = ECP_R(0.0);
    for (int i = 0; i < p->n; i++) {
        worst = ecp_max(worst, ecp_fabs(bounded(p, i) ? ecp_min(z[i], F[i]) : F[i]));
    }
    return worst;
}

static bool evaluate(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural)
{
    solver *s = ctx;
    const ecp_mncp_problem *p = s->problem;
    if (!p->residual(p->ctx, z, s->raw) || !all_finite(s->raw, p->n)) {
        return false;
    }
    for (int i = 0; i < p->n; i++) {
        F[i] = bounded(p, i) ? ecp_fb_eval_smoothed(z[i], s->raw[i], s->eps).phi : s->raw[i];
    }
    *natural = natural_residual(p, z, s->raw);
    return true;
}

// row i of the Newton matrix: db dF_i/dz + da e_i, of a free variable dF_i/dz           [S2]
static void complementarity_rows(solver *s, const ecp_real *z)
{
    const int n = s->problem->n;
    for (int i = 0; i < n; i++) {
        if (!bounded(s->problem, i)) {
            continue;
        }
        const ecp_fb fb = ecp_fb_eval_smoothed(z[i], s->raw[i], s->eps);
        for (int j = 0; j < n; j++) {
            s->J[i * n + j] *= fb.db;
        }
        s->J[i * n + i] += fb.da;
    }
}

// J^T J + mu I, mu = min(1, |F|)/10 and never below the rounding of J^T J
static bool factor_least_squares(solver *s, ecp_real norm_F)
{
    const int n = s->problem->n;
    ecp_real largest = ECP_R(0.0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            ecp_real sum = ECP_R(0.0);
            for (int k = 0; k < n; k++) {
                sum += s->J[k * n + i] * s->J[k * n + j];
            }
            s->factors[i * n + j] = sum;
        }
        largest = ecp_max(largest, s->factors[i * n + i]);
    }
    const ecp_real mu = ecp_max(ECP_R(0.1) * ecp_min(ECP_R(1.0), norm_F),
                                ECP_R(100.0) * (ecp_real)n * ECP_REAL_EPS * largest);
    for (int i = 0; i < n; i++) {
        s->factors[i * n + i] += mu;
    }
    s->least_squares = true;
    return ecp_chol_factor(s->factors, n);
}

static bool factor(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    solver *s = ctx;
    const ecp_mncp_problem *p = s->problem;
    if (!p->jacobian(p->ctx, z, s->J) || !all_finite(s->J, p->n * p->n)) {
        return false;
    }
    complementarity_rows(s, z);
    if (s->how != DAMPED) {
        for (int i = 0; i < p->n * p->n; i++) {
            s->factors[i] = s->J[i];
        }
        s->least_squares = false;
        if (ecp_lu_factor(s->factors, p->n, s->perm)) {
            return true;
        }
    }
    return factor_least_squares(s, norm_F);
}

static void direction(void *ctx, const ecp_real *F, ecp_real *dz)
{
    solver *s = ctx;
    const int n = s->problem->n;
    bool done = false;
    for (int i = 0; i < n; i++) {
        dz[i] = -F[i];
    }
    if (!s->least_squares) {
        done = ecp_lu_solve(s->factors, n, s->perm, dz, 1, s->tmp);
    } else {
        for (int i = 0; i < n; i++) {
            dz[i] = ECP_R(0.0);
            for (int k = 0; k < n; k++) {
                dz[i] -= s->J[k * n + i] * F[k];
            }
        }
        done = ecp_chol_solve(s->factors, n, dz, 1);
    }
    // an overflow leaves no direction, which ends this rung
    for (int i = 0; !done && i < n; i++) {
        dz[i] = ECP_R(0.0);
    }
}

static bool shrink_smoothing(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    solver *s = ctx;
    (void)z;
    if (!(s->eps > ECP_R(0.0)) || norm_F > ECP_R(3.0) * s->eps) {
        return false;
    }
    s->eps *= ECP_R(0.2);
    if (s->eps < s->floor) {
        s->eps = ECP_R(0.0);
    }
    return true;
}

// One rung of the ladder: how, and from where: the start, its bounded part lifted to zero, plus
// shift times a fixed sequence in [0.5, 1.5) that differs from entry to entry.
typedef struct rung {
    method how;
    ecp_real shift;
} rung;

static const rung ladder[] = {
    { PLAIN, ECP_R(0.0) },  { SMOOTH, ECP_R(0.0) },   { DAMPED, ECP_R(0.0) },
    { PLAIN, ECP_R(1.0) },  { SMOOTH, ECP_R(1.0) },   { PLAIN, ECP_R(10.0) },
    { PLAIN, ECP_R(0.1) },  { SMOOTH, ECP_R(10.0) },  { DAMPED, ECP_R(1.0) },
    { PLAIN, ECP_R(3.0) },  { SMOOTH, ECP_R(0.3) },   { PLAIN, ECP_R(30.0) },
    { DAMPED, ECP_R(10.0) }, { SMOOTH, ECP_R(3.0) },  { PLAIN, ECP_R(0.01) },
    { PLAIN, ECP_R(100.0) }, { SMOOTH, ECP_R(100.0) }, { DAMPED, ECP_R(100.0) },
    { PLAIN, ECP_R(0.5) },  { PLAIN, ECP_R(2.0) },    { PLAIN, ECP_R(5.0) },
    { PLAIN, ECP_R(20.0) }, { SMOOTH, ECP_R(30.0) },  { DAMPED, ECP_R(3.0) },
};
#define RUNGS ((int)(sizeof ladder / sizeof ladder[0]))

// multiples of the golden ratio modulo 1: spread evenly, the same on every machine
static ecp_real spread(int i, int rung_index)
{
    const uint32_t step = 2654435769u;
    const uint32_t k = (uint32_t)i * 29u + (uint32_t)rung_index * 7u + 1u;
    return (ecp_real)((k * step) >> 16) / ECP_R(65536.0);
}

static void set_start(const ecp_mncp_problem *p, int rung_index, const ecp_real *z, ecp_real *start)
{
    const ecp_real shift = ladder[rung_index].shift;
    for (int i = 0; i < p->n; i++) {
        start[i] = z[i];
        if (shift > ECP_R(0.0)) {
            const ecp_real base = bounded(p, i) ? ecp_max(z[i], ECP_R(0.0)) : z[i];
            start[i] = base + shift * (ECP_R(0.5) + spread(i, rung_index));
        }
    }
}

static ecp_newton_info climb(solver *s, const ecp_newton_options *options, method how, ecp_real *z,
                             ecp_real *work)
{
    s->how = how;
    s->eps = how == SMOOTH ? ECP_R(1.0) : ECP_R(0.0);
    const ecp_newton_problem newton = {
        .ctx = s, .n = s->problem->n, .evaluate = evaluate, .factor = factor,
        .direction = direction, .adapt = how == SMOOTH ? shrink_smoothing : NULL
    };
    return ecp_newton(&newton, options, z, work);
}

static bool arguments_ok(const ecp_mncp_problem *p, const ecp_mncp_options *options,
                         const ecp_real *z, const ecp_real *work, const int *perm)
{
    if (p == NULL || z == NULL || work == NULL || perm == NULL) {
        return false;
    }
    if (p->residual == NULL || p->jacobian == NULL || p->n < 1 || p->n > ECP_MNCP_MAX) {
        return false;
    }
    if (options != NULL && (!(options->tolerance >= ECP_R(0.0)) || !ecp_finite(options->tolerance) ||
                            options->max_iterations < 0)) {
        return false;
    }
    return all_finite(z, p->n);
}

static ecp_newton_options newton_options(const ecp_mncp_options *options)
{
    ecp_newton_options newton = {
        .tolerance = ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-10),
        .accept = ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1e-8),
        .max_trials = TRIALS,
        .take_last = true
    };
    if (options != NULL && options->tolerance > ECP_R(0.0)) {
        newton.tolerance = options->tolerance;
        newton.accept = options->tolerance;
    }
    return newton;
}

// bounded entries that ended below zero by rounding are set to zero where that costs nothing
static void clean(const ecp_mncp_problem *p, ecp_real *z, ecp_real *tidy, ecp_real *F,
                  ecp_mncp_info *info)
{
    for (int i = 0; i < p->n; i++) {
        tidy[i] = bounded(p, i) ? ecp_max(z[i], ECP_R(0.0)) : z[i];
    }
    if (!p->residual(p->ctx, tidy, F) || !all_finite(F, p->n)) {
        return;
    }
    const ecp_real natural = natural_residual(p, tidy, F);
    if (natural <= info->residual) {
        info->residual = natural;
        for (int i = 0; i < p->n; i++) {
            z[i] = tidy[i];
        }
    }
}

static bool climb_ladder(solver *s, ecp_newton_options *options, int max_iterations,
                         const ecp_real *z, ecp_real *point, ecp_real *work, ecp_mncp_info *info)
{
    const int share = RUNG_ITERATIONS(s->problem->n);
    for (int r = 0; r < RUNGS; r++) {
        const int left = max_iterations - info->iterations;
        if (r > 0 && left <= 0) {
            break;
        }
        options->max_iterations = left < share ? left : share;
        set_start(s->problem, r, z, point);
        const ecp_newton_info step = climb(s, options, ladder[r].how, point, work);
        info->iterations += step.iterations;
        info->rungs = r + 1;
        info->residual = ecp_min(info->residual, step.residual);
        if (step.residual <= options->accept) {
            info->residual = step.residual;
            return true;
        }
    }
    return false;
}

static void solve(const ecp_mncp_problem *p, const ecp_mncp_options *options, ecp_real *z,
                  ecp_real *work, int *perm, ecp_mncp_info *info)
{
    const int n = p->n;
    ecp_real *point = work + ECP_NEWTON_WORK_REALS(n);
    solver s = { .problem = p, .raw = point + n, .tmp = point + 2 * n, .J = point + 3 * n,
                 .factors = point + 3 * n + n * n, .perm = perm };
    ecp_newton_options newton = newton_options(options);
    const int bound = options != NULL && options->max_iterations > 0 ? options->max_iterations
                                                                     : ECP_MNCP_ITERATIONS;
    s.floor = ECP_R(0.01) * newton.tolerance;
    if (climb_ladder(&s, &newton, bound, z, point, work, info)) {
        info->status = ECP_OK;
        info->reason = ECP_MNCP_SOLVED;
        clean(p, point, s.tmp, s.raw, info);
        for (int i = 0; i < n; i++) {
            z[i] = point[i];
        }
    } else {
        info->status = ECP_E_DIVERGED;
        info->reason = info->residual < ECP_REAL_MAX ? ECP_MNCP_NO_SOLUTION : ECP_MNCP_NO_DOMAIN;
    }
}

ecp_status ecp_mncp_solve(const ecp_mncp_problem *problem, const ecp_mncp_options *options,
                          ecp_real *z, ecp_real *work, int *perm, ecp_mncp_info *info)
{
    ecp_mncp_info result = { .status = ECP_E_ARG, .reason = ECP_MNCP_BAD_ARGUMENT,
                             .residual = ECP_REAL_MAX };
    if (arguments_ok(problem, options, z, work, perm)) {
        solve(problem, options, z, work, perm, &result);
    }
    if (info != NULL) {
        *info = result;
    }
    return result.status;
}

const char *ecp_mncp_reason_text(ecp_mncp_reason reason)
{
    switch (reason) {
    case ECP_MNCP_SOLVED:
        return "solved";
    case ECP_MNCP_BAD_ARGUMENT:
        return "null pointer, size, option or start out of range";
    case ECP_MNCP_NO_DOMAIN:
        return "F could not be evaluated at any start";
    case ECP_MNCP_NO_SOLUTION:
        return "no point below the tolerance within the bound on iterations";
    }
    return "unknown reason";
}
