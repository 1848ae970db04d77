// newton.h - the one globalised Newton loop of core: evaluate, test, factor, direction, search, update.
//
// Every formulation is a client that brings its residual, its factorisation and its memory; the
// loop brings the safeguards and the bounds.  Layer: solve (knows no physics).  MODEL.md [N1].
#ifndef ECP_SOLVE_NEWTON_H
#define ECP_SOLVE_NEWTON_H

#include "math/real.h"

/// Merits remembered by the non-monotone line search.
#define ECP_NEWTON_MEMORY 4

/// What is solved: F(z) = 0. Memory behind ctx is the client's.
typedef struct ecp_newton_problem {
    void *ctx;
    int n;
    /// F (n reals) and the natural residual (largest component that decides convergence) at z.
    /// False: not finite or outside the domain.
    bool (*evaluate)(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural);
    /// Factor the Jacobian at the point of the last evaluate; norm_F = |F| there. False: singular.
    bool (*factor)(void *ctx, const ecp_real *z, ecp_real norm_F);
    /// dz = -J^-1 F with the last factors.
    void (*direction)(void *ctx, const ecp_real *F, ecp_real *dz);
    /// NULL, or called before each factorisation; true: the problem changed (smoothing), so it is
    /// evaluated again and old merits are forgotten.
    bool (*adapt)(void *ctx, const ecp_real *z, ecp_real norm_F);
    /// NULL, or true to stop now (deadline).
    bool (*stop)(void *ctx);
} ecp_newton_problem;

typedef enum ecp_newton_reason {
    ECP_NEWTON_CONVERGED,      ///< natural residual at most tolerance
    ECP_NEWTON_ACCEPTED,       ///< at most accept, and two iterations brought less than a factor 10
    ECP_NEWTON_ITERATIONS,     ///< bound reached
    ECP_NEWTON_STALLED,        ///< the direction vanished or no iterate improves any more
    ECP_NEWTON_SINGULAR,       ///< the Jacobian could not be factored
    ECP_NEWTON_NOT_FINITE,     ///< the start, or every trial point, had no finite residual
    ECP_NEWTON_STOPPED         ///< stop() said so
} ecp_newton_reason;

typedef struct ecp_newton_options {
    ecp_real tolerance;     ///< on the natural residual, > 0
    ecp_real accept;        ///< >= tolerance: good enough when progress ends there (rounding floor)
    int max_iterations;     ///< factorisations, >= 0
    int max_trials;         ///< points tried per line search, >= 1
    bool take_last;         ///< when no trial is accepted: take the last (shortest) one, else the best one
} ecp_newton_options;

typedef struct ecp_newton_info {
    ecp_newton_reason reason;
    int iterations;         ///< factorisations done
    ecp_real residual;      ///< natural residual at the returned z
} ecp_newton_info;

/// Caller's memory: 5 vectors.
#define ECP_NEWTON_WORK_REALS(n) (5 * (n))

/// Run the loop from z; on return z is the best iterate (least natural residual). work has
/// ECP_NEWTON_WORK_REALS(n) reals. At most max_iterations factorisations and
/// 1 + 2 max_iterations + max_iterations * max_trials evaluations.
ecp_newton_info ecp_newton(const ecp_newton_problem *problem, const ecp_newton_options *options,
                           ecp_real *z, ecp_real *work);

#endif
