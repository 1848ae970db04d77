// matrices.h - test matrices and residuals for the linear algebra tests.
#ifndef ECP_TEST_MATRICES_H
#define ECP_TEST_MATRICES_H

#include "test.h"

#define MATRIX_MAX 40

static inline void matrix_hilbert(ecp_real *a, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = ECP_R(1.0) / (ecp_real)(i + j + 1);
        }
    }
}

/// B B^T + shift I
static inline void matrix_spd(test_random *r, ecp_real *a, int n, ecp_real shift)
{
    static ecp_real b[MATRIX_MAX * MATRIX_MAX];
    test_fill(r, b, n * n, -1, 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            ecp_real s = i == j ? shift : 0;
            for (int k = 0; k < n; k++) {
                s += b[i * n + k] * b[j * n + k];
            }
            a[i * n + j] = s;
        }
    }
}

/// max |a x - b| / (|a| |x| + |b|), all in the largest entry: the backward error
static inline double matrix_backward_error(const ecp_real *a, int n, const ecp_real *x,
                                           const ecp_real *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double s = -(double)b[i];
        for (int j = 0; j < n; j++) {
            s += (double)a[i * n + j] * (double)x[j];
        }
        worst = fabs(s) <= worst ? worst : fabs(s);
    }
    const double size = (double)test_largest(a, n * n) * n * (double)test_largest(x, n);
    return worst / (size + (double)test_largest(b, n));
}

#endif
