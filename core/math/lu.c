#include "math/lu.h"

static ecp_real column_scale(const ecp_real *a, int n, int j)
{
    ecp_real scale = ECP_R(0.0);
    for (int i = 0; i < n; i++) {
        const ecp_real size = ecp_fabs(a[i * n + j]);
        if (!(size <= ECP_REAL_MAX)) {
            return size;
        }
        scale = ecp_max(scale, size);
    }
    return scale;
}

// column j of U and the unscaled column j of L: a_ij - sum_k l_ik u_kj
static bool eliminate_column(ecp_real *a, int n, int j)
{
    for (int i = 1; i < n; i++) {
        const int last = i < j ? i : j;
        ecp_real s = a[i * n + j];
        for (int k = 0; k < last; k++) {
            s -= a[i * n + k] * a[k * n + j];
        }
        if (!ecp_finite(s)) {
            return false;
        }
        a[i * n + j] = s;
    }
    return true;
}

static int pivot_row(const ecp_real *a, int n, int j)
{
    int row = j;
    for (int i = j + 1; i < n; i++) {
        if (ecp_fabs(a[i * n + j]) > ecp_fabs(a[row * n + j])) {
            row = i;
        }
    }
    return row;
}

static void swap_rows(ecp_real *a, int n, int *perm, int r, int s)
{
    const int index = perm[r];
    perm[r] = perm[s];
    perm[s] = index;
    for (int j = 0; j < n; j++) {
        const ecp_real value = a[r * n + j];
        a[r * n + j] = a[s * n + j];
        a[s * n + j] = value;
    }
}

// Columns are taken from left to right and updated only when their turn comes: the original
// column is then still there to measure its pivot against, without memory for the scales.
bool ecp_lu_factor(ecp_real *a, int n, int *perm)
{
    if (a == NULL || perm == NULL || n < 1 || n > ECP_DENSE_MAX) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        perm[i] = i;
    }
    for (int j = 0; j < n; j++) {
        const ecp_real scale = column_scale(a, n, j);
        if (!ecp_finite(scale) || !eliminate_column(a, n, j)) {
            return false;
        }
        const int row = pivot_row(a, n, j);
        const ecp_real pivot = a[row * n + j];
        if (!(ecp_fabs(pivot) > ECP_R(4.0) * (ecp_real)n * ECP_REAL_EPS * scale)) {
            return false;
        }
        if (row != j) {
            swap_rows(a, n, perm, row, j);
        }
        for (int i = j + 1; i < n; i++) {
            a[i * n + j] /= pivot;
        }
    }
    return true;
}

// L y = P b, then U x = y; b is one column with stride
static bool solve_column(const ecp_real *lu, int n, const int *perm, ecp_real *b, int stride,
                         ecp_real *tmp)
{
    for (int i = 0; i < n; i++) {
        ecp_real s = b[perm[i] * stride];
        for (int k = 0; k < i; k++) {
            s -= lu[i * n + k] * tmp[k];
        }
        tmp[i] = s;
    }
    bool finite = true;
    for (int i = n - 1; i >= 0; i--) {
        ecp_real s = tmp[i];
        for (int k = i + 1; k < n; k++) {
            s -= lu[i * n + k] * tmp[k];
        }
        tmp[i] = s / lu[i * n + i];
        finite = finite && ecp_finite(tmp[i]);
    }
    for (int i = 0; i < n; i++) {
        b[i * stride] = tmp[i];
    }
    return finite;
}

bool ecp_lu_solve(const ecp_real *lu, int n, const int *perm, ecp_real *b, int nrhs, ecp_real *tmp)
{
    if (lu == NULL || perm == NULL || b == NULL || tmp == NULL) {
        return false;
    }
    if (n < 1 || n > ECP_DENSE_MAX || nrhs < 0 || nrhs > ECP_DENSE_MAX) {
        return false;
    }
    bool finite = true;
    for (int j = 0; j < nrhs; j++) {
        finite = solve_column(lu, n, perm, b + j, nrhs, tmp) && finite;
    }
    return finite;
}
