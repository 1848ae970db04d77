// chol.h - Cholesky and LDL^T factors of symmetric matrices, in place, in the caller's memory.
//
// Only the lower triangle of a (n x n, row-major) is read or written.  Layer: math.
#ifndef ECP_MATH_CHOL_H
#define ECP_MATH_CHOL_H

#include "math/lu.h"

/// a = L L^T. False when n is outside [1, ECP_DENSE_MAX] or a is not finite or not positive
/// definite to working precision (a pivot at most n eps times its diagonal entry); a is then
/// undefined. Cost n^3/6 multiplications.
bool ecp_chol_factor(ecp_real *a, int n);

/// L X = B for nrhs columns; b is n x nrhs row-major, in place. False on bad sizes or a result
/// that is not finite; so for the following three.
bool ecp_chol_solve_lower(const ecp_real *l, int n, ecp_real *b, int nrhs);

/// L^T X = B
bool ecp_chol_solve_upper(const ecp_real *l, int n, ecp_real *b, int nrhs);

/// L L^T X = B
bool ecp_chol_solve(const ecp_real *l, int n, ecp_real *b, int nrhs);

/// a = L D L^T without pivoting: L unit lower, D on the diagonal, of either sign. Meant for
/// definite and quasi-definite matrices. False as above, or when a pivot vanishes against the
/// sum it came from.
bool ecp_ldl_factor(ecp_real *a, int n);

/// L D L^T X = B
bool ecp_ldl_solve(const ecp_real *ld, int n, ecp_real *b, int nrhs);

#endif
