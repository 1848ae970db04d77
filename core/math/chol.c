#include "math/chol.h"

bool ecp_chol_factor(ecp_real *a, int n)
{
    if (a == NULL || n < 1 || n > ECP_DENSE_MAX) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const ecp_real entry = a[i * n + j];
            ecp_real s = entry;
            for (int k = 0; k < j; k++) {
                s -= a[i * n + k] * a[j * n + k];
            }
            if (j < i) {
                a[i * n + j] = s / a[j * n + j];
            } else if (s > (ecp_real)n * ECP_REAL_EPS * entry && ecp_finite(s)) {
                a[i * n + i] = ecp_sqrt(s);
            } else {
                return false;
            }
        }
    }
    return true;
}

static bool arguments_ok(const ecp_real *l, int n, const ecp_real *b, int nrhs)
{
    return l != NULL && b != NULL && n >= 1 && n <= ECP_DENSE_MAX && nrhs >= 0 &&
           nrhs <= ECP_DENSE_MAX;
}

static bool all_finite(const ecp_real *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (!ecp_finite(b[i])) {
            return false;
        }
    }
    return true;
}

// unit: the diagonal of l is taken as 1
static void forward(const ecp_real *l, int n, ecp_real *b, int nrhs, bool unit)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < nrhs; j++) {
            ecp_real s = b[i * nrhs + j];
            for (int k = 0; k < i; k++) {
                s -= l[i * n + k] * b[k * nrhs + j];
            }
            b[i * nrhs + j] = unit ? s : s / l[i * n + i];
        }
    }
}

static void backward(const ecp_real *l, int n, ecp_real *b, int nrhs, bool unit)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < nrhs; j++) {
            ecp_real s = b[i * nrhs + j];
            for (int k = i + 1; k < n; k++) {
                s -= l[k * n + i] * b[k * nrhs + j];
            }
            b[i * nrhs + j] = unit ? s : s / l[i * n + i];
        }
    }
}

bool ecp_chol_solve_lower(const ecp_real *l, int n, ecp_real *b, int nrhs)
{
    if (!arguments_ok(l, n, b, nrhs)) {
        return false;
    }
    forward(l, n, b, nrhs, false);
    return all_finite(b, n * nrhs);
}

bool ecp_chol_solve_upper(const ecp_real *l, int n, ecp_real *b, int nrhs)
{
    if (!arguments_ok(l, n, b, nrhs)) {
        return false;
    }
    backward(l, n, b, nrhs, false);
    return all_finite(b, n * nrhs);
}

bool ecp_chol_solve(const ecp_real *l, int n, ecp_real *b, int nrhs)
{
    return ecp_chol_solve_lower(l, n, b, nrhs) && ecp_chol_solve_upper(l, n, b, nrhs);
}

// Row i: first l_ij d_j in place of l_ij, then the division, so that no row of D L^T is stored.
bool ecp_ldl_factor(ecp_real *a, int n)
{
    if (a == NULL || n < 1 || n > ECP_DENSE_MAX) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        ecp_real d = a[i * n + i], size = ecp_fabs(d);
        for (int j = 0; j < i; j++) {
            ecp_real s = a[i * n + j];
            for (int k = 0; k < j; k++) {
                s -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = s;
        }
        for (int j = 0; j < i; j++) {
            const ecp_real scaled = a[i * n + j];
            a[i * n + j] = scaled / a[j * n + j];
            d -= scaled * a[i * n + j];
            size += ecp_fabs(scaled * a[i * n + j]);
        }
        if (!(ecp_fabs(d) > (ecp_real)n * ECP_REAL_EPS * size) || !ecp_finite(d)) {
            return false;
        }
        a[i * n + i] = d;
    }
    return true;
}

bool ecp_ldl_solve(const ecp_real *ld, int n, ecp_real *b, int nrhs)
{
    if (!arguments_ok(ld, n, b, nrhs)) {
        return false;
    }
    forward(ld, n, b, nrhs, true);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < nrhs; j++) {
            b[i * nrhs + j] /= ld[i * n + i];
        }
    }
    backward(ld, n, b, nrhs, true);
    return all_finite(b, n * nrhs);
}
