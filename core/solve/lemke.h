// lemke.h - Lemke's method for the linear complementarity problem
//
//   w = M z + q,   w >= 0,   z >= 0,   w.z = 0
//
// Lexicographic ratio test (no cycling), explicit inverse of the basis, computed anew every few
// pivots.  Layer: solve (knows no physics).  MODEL.md [N3].
#ifndef ECP_SOLVE_LEMKE_H
#define ECP_SOLVE_LEMKE_H

#include "math/real.h"

/// Largest order.
#define ECP_LEMKE_MAX 1024
/// Caller's memory for order n: the inverse of the basis and three vectors; 2 n ints besides.
#define ECP_LEMKE_WORK_REALS(n) ((n) * (n) + 3 * (n))
#define ECP_LEMKE_WORK_INTS(n) (2 * (n))

typedef struct ecp_lemke_options {
    ecp_real diagonal;   ///< added to the diagonal of M, >= 0; 0 is best
    ecp_real tolerance;  ///< on the min map; 0: 1e-8 (float: 1e-4 times max(1, |q|, |M z|))
    int max_pivots;      ///< 0: 5 n + 20
} ecp_lemke_options;

typedef enum ecp_lemke_reason {
    ECP_LEMKE_SOLVED,
    ECP_LEMKE_BAD_ARGUMENT,
    ECP_LEMKE_RAY,        ///< no variable blocks the entering one
    ECP_LEMKE_PIVOTS,     ///< bound reached
    ECP_LEMKE_INACCURATE  ///< the basis became singular, or the result fails the check against M
} ecp_lemke_reason;

typedef struct ecp_lemke_info {
    ecp_status status;
    ecp_lemke_reason reason;
    int pivots;
    ecp_real residual;    ///< largest |min(z_i, w_i)|, recomputed from M; ECP_REAL_MAX if none
} ecp_lemke_info;

/// M is n x n row-major. ECP_OK: z solves the problem, z >= 0. ECP_E_ARG, ECP_E_DIVERGED: z is
/// unchanged. options and info may be NULL. work has ECP_LEMKE_WORK_REALS(n) reals, basis
/// ECP_LEMKE_WORK_INTS(n) ints. Cost per pivot 3 n^2 and a tenth of n^3 multiplications.
ecp_status ecp_lemke(const ecp_real *M, const ecp_real *q, int n, const ecp_lemke_options *options,
                     ecp_real *z, ecp_real *work, int *basis, ecp_lemke_info *info);

#endif
