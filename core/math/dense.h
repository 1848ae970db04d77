// dense.h - small row-major matrices in the caller's memory.
//
// Every size must be in [1, ECP_DENSE_MAX]; a routine that is given another one, or a null
// pointer, returns false and writes nothing. Outputs must not alias inputs.  Layer: math.
#ifndef ECP_MATH_DENSE_H
#define ECP_MATH_DENSE_H

#include "math/lu.h"

/// c = a b: a is m x k, b is k x n, c is m x n.
bool ecp_dense_mul(ecp_real *c, const ecp_real *a, const ecp_real *b, int m, int k, int n);

/// c = a^T b: a is k x m, b is k x n, c is m x n.
bool ecp_dense_tmul(ecp_real *c, const ecp_real *a, const ecp_real *b, int m, int k, int n);

/// y = a x: a is m x n.
bool ecp_dense_mulv(ecp_real *y, const ecp_real *a, const ecp_real *x, int m, int n);

/// y = a^T x: a is m x n, x has m reals, y has n.
bool ecp_dense_tmulv(ecp_real *y, const ecp_real *a, const ecp_real *x, int m, int n);

/// b = a, both m x n.
bool ecp_dense_copy(ecp_real *b, const ecp_real *a, int m, int n);

/// Invert the n x n matrix a in place; perm has n ints. False when a pivot vanishes (at most eps^2
/// times the largest entry: rows may differ much in scale) or the result is not finite; a is then
/// undefined. Check the result where a may be nearly singular. Cost n^3 multiplications.
bool ecp_dense_invert(ecp_real *a, int n, int *perm);

/// Largest |a_ij| of an m x n matrix; NaN when an entry is NaN, -1 on bad arguments.
ecp_real ecp_dense_norm_max(const ecp_real *a, int m, int n);

/// sqrt of the sum of squares of an m x n matrix, without overflow; -1 on bad arguments.
ecp_real ecp_dense_norm_2(const ecp_real *a, int m, int n);

#endif
