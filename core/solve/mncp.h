// mncp.h - mixed nonlinear complementarity problems of any smooth F.
//
//   free i:     F_i(z) = 0
//   bounded i:  0 <= z_i  _|_  F_i(z) >= 0
//
// Fischer-Burmeister rows in the one Newton loop, with a bounded ladder of smoothing, damping and
// shifted starts behind the first try.  Layer: solve (knows no physics).  MODEL.md [S2], [N2].
#ifndef ECP_SOLVE_MNCP_H
#define ECP_SOLVE_MNCP_H

#include "solve/newton.h"

/// Largest number of unknowns.
#define ECP_MNCP_MAX 256
/// Newton iterations of a call when options say 0, all rungs of the ladder together.
#define ECP_MNCP_ITERATIONS 1500
/// Caller's memory for n unknowns: two matrices and eight vectors; n ints besides.
#define ECP_MNCP_WORK_REALS(n) (2 * (n) * (n) + 8 * (n))

typedef struct ecp_mncp_problem {
    void *ctx;
    int n;                 ///< unknowns, [1, ECP_MNCP_MAX]
    const bool *is_free;   ///< n flags, true: no bound; NULL: every z_i is bounded below by zero
    /// F (n reals) at z, which may have negative entries. False, or an F that is not finite:
    /// z is outside the domain.
    bool (*residual)(void *ctx, const ecp_real *z, ecp_real *F);
    /// J[i * n + j] = dF_i/dz_j at z. False, or a J that is not finite: cannot be had.
    bool (*jacobian)(void *ctx, const ecp_real *z, ecp_real *J);
} ecp_mncp_problem;

typedef struct ecp_mncp_options {
    /// On the natural residual max |min(z_i, F_i)| (free: |F_i|). 0: 1e-10 (float 1e-5), and 1e-8
    /// (1e-4) is accepted where rounding ends the progress.
    ecp_real tolerance;
    int max_iterations;    ///< of all rungs together; 0: ECP_MNCP_ITERATIONS
} ecp_mncp_options;

typedef enum ecp_mncp_reason {
    ECP_MNCP_SOLVED,
    ECP_MNCP_BAD_ARGUMENT,  ///< null pointer, size, option or start out of range
    ECP_MNCP_NO_DOMAIN,     ///< F could not be evaluated at any start
    ECP_MNCP_NO_SOLUTION    ///< bound reached; no point below the tolerance was found
} ecp_mncp_reason;

typedef struct ecp_mncp_info {
    ecp_status status;
    ecp_mncp_reason reason;
    int iterations;        ///< Newton iterations of all rungs, at most max_iterations
    int rungs;             ///< starts tried; 1: solved from the start as given
    ecp_real residual;     ///< natural residual of z, or of the best point met
} ecp_mncp_info;

/// Solve from the start z. ECP_OK: z is a solution. ECP_E_ARG, ECP_E_DIVERGED: z is unchanged.
/// options and info may be NULL. work has ECP_MNCP_WORK_REALS(n) reals, perm n ints.
ecp_status ecp_mncp_solve(const ecp_mncp_problem *problem, const ecp_mncp_options *options,
                          ecp_real *z, ecp_real *work, int *perm, ecp_mncp_info *info);

/// The reason in words.
const char *ecp_mncp_reason_text(ecp_mncp_reason reason);

#endif
