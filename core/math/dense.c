#include "math/dense.h"

static bool size_ok(int m)
{
    return m >= 1 && m <= ECP_DENSE_MAX;
}

bool ecp_dense_mul(ecp_real *c, const ecp_real *a, const ecp_real *b, int m, int k, int n)
{
    if (c == NULL || a == NULL || b == NULL || !size_ok(m) || !size_ok(k) || !size_ok(n)) {
        return false;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            ecp_real s = ECP_R(0.0);
            for (int l = 0; l < k; l++) {
                s += a[i * k + l] * b[l * n + j];
            }
            c[i * n + j] = s;
        }
    }
    return true;
}

bool ecp_dense_tmul(ecp_real *c, const ecp_real *a, const ecp_real *b, int m, int k, int n)
{
    if (c == NULL || a == NULL || b == NULL || !size_ok(m) || !size_ok(k) || !size_ok(n)) {
        return false;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            ecp_real s = ECP_R(0.0);
            for (int l = 0; l < k; l++) {
                s += a[l * m + i] * b[l * n + j];
            }
            c[i * n + j] = s;
        }
    }
    return true;
}

bool ecp_dense_mulv(ecp_real *y, const ecp_real *a, const ecp_real *x, int m, int n)
{
    return ecp_dense_mul(y, a, x, m, n, 1);
}

bool ecp_dense_tmulv(ecp_real *y, const ecp_real *a, const ecp_real *x, int m, int n)
{
    return ecp_dense_tmul(y, a, x, n, m, 1);
}

bool ecp_dense_copy(ecp_real *b, const ecp_real *a, int m, int n)
{
    if (a == NULL || b == NULL || !size_ok(m) || !size_ok(n)) {
        return false;
    }
    for (int i = 0; i < m * n; i++) {
        b[i] = a[i];
    }
    return true;
}

static void swap_rows(ecp_real *a, int n, int r, int s)
{
    for (int j = 0; j < n; j++) {
        const ecp_real value = a[r * n + j];
        a[r * n + j] = a[s * n + j];
        a[s * n + j] = value;
    }
}

// one Gauss-Jordan step: column k becomes that of the inverse
static bool eliminate(ecp_real *a, int n, int k)
{
    const ecp_real pivot = a[k * n + k];
    a[k * n + k] = ECP_R(1.0);
    for (int j = 0; j < n; j++) {
        a[k * n + j] /= pivot;
        if (!ecp_finite(a[k * n + j])) {
            return false;
        }
    }
    for (int i = 0; i < n; i++) {
        const ecp_real factor = a[i * n + k];
        if (i == k || !(ecp_fabs(factor) > ECP_R(0.0))) {
            continue;
        }
        a[i * n + k] = ECP_R(0.0);
        for (int j = 0; j < n; j++) {
            a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

// P a was inverted, so the columns of the result are in the order of perm; undo the swaps
static void restore_columns(ecp_real *a, int n, const int *perm)
{
    for (int k = n - 1; k >= 0; k--) {
        for (int i = 0; perm[k] != k && i < n; i++) {
            const ecp_real value = a[i * n + k];
            a[i * n + k] = a[i * n + perm[k]];
            a[i * n + perm[k]] = value;
        }
    }
}

bool ecp_dense_invert(ecp_real *a, int n, int *perm)
{
    const ecp_real scale = perm == NULL ? ECP_R(-1.0) : ecp_dense_norm_max(a, n, n);
    if (!(scale > ECP_R(0.0)) || !ecp_finite(scale)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++) {
            row = ecp_fabs(a[i * n + k]) > ecp_fabs(a[row * n + k]) ? i : row;
        }
        if (!(ecp_fabs(a[row * n + k]) > ECP_REAL_EPS * ECP_REAL_EPS * scale)) {
            return false;
        }
        perm[k] = row;
        if (row != k) {
            swap_rows(a, n, row, k);
        }
        if (!eliminate(a, n, k)) {
            return false;
        }
    }
    restore_columns(a, n, perm);
    return ecp_finite(ecp_dense_norm_max(a, n, n));
}

ecp_real ecp_dense_norm_max(const ecp_real *a, int m, int n)
{
    if (a == NULL || !size_ok(m) || !size_ok(n)) {
        return ECP_R(-1.0);
    }
    ecp_real largest = ECP_R(0.0);
    for (int i = 0; i < m * n; i++) {
        // written so that a NaN stays
        largest = ecp_fabs(a[i]) <= largest ? largest : ecp_fabs(a[i]);
        if (!(largest <= ECP_REAL_MAX)) {
            return largest;
        }
    }
    return largest;
}

ecp_real ecp_dense_norm_2(const ecp_real *a, int m, int n)
{
    const ecp_real scale = ecp_dense_norm_max(a, m, n);
    if (!(scale > ECP_R(0.0)) || !ecp_finite(scale)) {
        return scale;
    }
    ecp_real s = ECP_R(0.0);
    for (int i = 0; i < m * n; i++) {
        const ecp_real x = a[i] / scale;
        s += x * x;
    }
    return scale * ecp_sqrt(s);
}
