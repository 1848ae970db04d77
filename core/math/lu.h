// lu.h - LU factorisation with partial pivoting, in place, in the caller's memory.  Layer: math.
#ifndef ECP_MATH_LU_H
#define ECP_MATH_LU_H

#include "math/real.h"

/// Largest order the dense routines accept: a bound on their loops, not on memory.
#define ECP_DENSE_MAX 1024

/// Factor the n x n row-major matrix a: P a = L U, L unit lower. perm gets n row indices.
/// False when n is outside [1, ECP_DENSE_MAX], an entry is not finite, or the matrix is singular
/// to working precision (a pivot at most 4 n eps times the largest entry of its column scale);
/// a is then undefined. Cost n^3/3 multiplications.
bool ecp_lu_factor(ecp_real *a, int n, int *perm);

/// Solve A X = B for nrhs right-hand sides with the factors; b is n x nrhs row-major, in place.
/// tmp has n reals. False on sizes out of range or a result that is not finite.
bool ecp_lu_solve(const ecp_real *lu, int n, const int *perm, ecp_real *b, int nrhs, ecp_real *tmp);

#endif
