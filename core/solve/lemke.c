#include "solve/lemke.h"

#include "math/dense.h"

// pivots between two computations of the inverse
#define REFACTOR 10
// an entry of the entering column below this part of the largest is rounding
#define PIVOT_FLOOR (ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-11))
// ratios closer than this (relative) are ties
#define TIE (ECP_REAL_BITS == 32 ? ECP_R(1e-6) : ECP_R(1e-13))

// Variables: w_i is i, z_i is n + i, the artificial z_0 is 2 n. The basis solves
// w - (M + d I) z - c z_0 = q for its variables, c > 0 the covering vector.
typedef struct tableau {
    const ecp_real *M, *q;
    ecp_real diagonal;
    int n;
    ecp_real *inverse;    // of the basis
    ecp_real *value;      // of the basic variables: inverse q
    ecp_real *column;     // entering column in terms of the basis
    ecp_real *source;     // the same before
    int *basis, *perm;
    int attempt;          // which covering vector
} tableau;

// ATTEMPTS covering vectors: ones, then 1 + 16 (multiples of the golden ratio modulo 1). Another one is
// another path, which may pass where rounding ended the first on a false ray.
#define ATTEMPTS 3
static ecp_real cover(const tableau *t, int i)
{
    const uint32_t k = ((uint32_t)i + 1u) * (uint32_t)t->attempt * 2654435769u;
    return ECP_R(1.0) + (ecp_real)(k >> 16) / ECP_R(4096.0);
}

static ecp_real entry(const tableau *t, int i, int j)
{
    return t->M[i * t->n + j] + (i == j ? t->diagonal : ECP_R(0.0));
}

// coefficient of a variable in equation i
static ecp_real coefficient(const tableau *t, int variable, int i)
{
    if (variable < t->n) {
        return variable == i ? ECP_R(1.0) : ECP_R(0.0);
    }
    return variable == 2 * t->n ? -cover(t, i) : -entry(t, i, variable - t->n);
}

static bool refactor(tableau *t)
{
    const int n = t->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            t->inverse[i * n + j] = coefficient(t, t->basis[j], i);
        }
    }
    return ecp_dense_invert(t->inverse, n, t->perm) &&
           ecp_dense_mulv(t->value, t->inverse, t->q, n, n);
}

static void enter_column(tableau *t, int variable)
{
    for (int i = 0; i < t->n; i++) {
        t->source[i] = coefficient(t, variable, i);
    }
    ecp_dense_mulv(t->column, t->inverse, t->source, t->n, t->n);
}

// sign of a/x - b/y, 0 for a tie
static int compare(ecp_real a, ecp_real x, ecp_real b, ecp_real y)
{
    const ecp_real left = a / x, right = b / y;
    const ecp_real margin = TIE * (ecp_fabs(left) + ecp_fabs(right));
    if (left < right - margin) {
        return -1;
    }
    return left > right + margin ? 1 : 0;
}

// row i before row r in the lexicographic order of [value, inverse from its last column]/column; z_0 leaves if it can
static bool comes_before(const tableau *t, int i, int r)
{
    const int n = t->n;
    const ecp_real x = t->column[i], y = t->column[r];
    int order = compare(ecp_max(t->value[i], ECP_R(0.0)), x, ecp_max(t->value[r], ECP_R(0.0)), y);
    if (order == 0 && (t->basis[i] == 2 * n || t->basis[r] == 2 * n)) {
        return t->basis[i] == 2 * n;
    }
    for (int j = n - 1; order == 0 && j >= 0; j--) {
        order = compare(t->inverse[i * n + j], x, t->inverse[r * n + j], y);
    }
    return order < 0;
}

// row of the leaving variable, -1 on a ray
static int leaving_row(const tableau *t)
{
    const ecp_real floor = PIVOT_FLOOR * ecp_dense_norm_max(t->column, t->n, 1);
    int row = -1;
    for (int i = 0; i < t->n; i++) {
        if (t->column[i] > floor && (row < 0 || comes_before(t, i, row))) {
            row = i;
        }
    }
    return row;
}

// row operations that make the entering column the unit vector of the row
static void pivot(tableau *t, int row)
{
    const int n = t->n;
    ecp_real *pivot_row = t->inverse + row * n;
    t->value[row] /= t->column[row];
    for (int j = 0; j < n; j++) {
        pivot_row[j] /= t->column[row];
    }
    for (int i = 0; i < n; i++) {
        const ecp_real factor = t->column[i];
        if (i == row || !(ecp_fabs(factor) > ECP_R(0.0))) {
            continue;
        }
        t->value[i] -= factor * t->value[row];
        for (int j = 0; j < n; j++) {
            t->inverse[i * n + j] -= factor * pivot_row[j];
        }
    }
}

// first pivot: z_0 enters for the lexicographically least (q_i, e_i)/c_i. The order counts from the
// last column, so of equal q_i/c_i the first row is the least (Murty's and Fathi's problems, which
// take 2^n pivots in the other order, then take two).
static int first_row(const tableau *t)
{
    int row = 0;
    for (int i = 1; i < t->n; i++) {
        row = t->q[i] / cover(t, i) < t->q[row] / cover(t, row) ? i : row;
    }
    return row;
}

static bool start_basis(tableau *t)
{
    for (int i = 0; i < t->n; i++) {
        t->basis[i] = i;
    }
    return refactor(t);
}

// row of the leaving variable; a ray is believed only with a fresh inverse
static int choose_row(tableau *t, int entering, bool fresh)
{
    enter_column(t, entering);
    if (entering == 2 * t->n) {
        return first_row(t);
    }
    const int row = leaving_row(t);
    if (row >= 0 || fresh || !refactor(t)) {
        return row;
    }
    enter_column(t, entering);
    return leaving_row(t);
}

// pivot until z_0 leaves
static ecp_lemke_reason run(tableau *t, int max_pivots, int *pivots)
{
    const int n = t->n, artificial = 2 * n;
    int entering = artificial, age = 0;
    if (!start_basis(t)) {
        return ECP_LEMKE_INACCURATE;
    }
    for (; *pivots < max_pivots; (*pivots)++) {
        const int row = choose_row(t, entering, age == 0);
        if (row < 0) {
            return ECP_LEMKE_RAY;
        }
        const int left = t->basis[row];
        pivot(t, row);
        t->basis[row] = entering;
        age = (age + 1) % REFACTOR;
        if ((left == artificial || age == 0) && !refactor(t)) {
            return ECP_LEMKE_INACCURATE;
        }
        if (left == artificial) {
            (*pivots)++;
            return ECP_LEMKE_SOLVED;
        }
        entering = left < n ? left + n : left - n;
    }
    return ECP_LEMKE_PIVOTS;
}

// one step of refinement: value += inverse (q - B value)
static void refine(tableau *t)
{
    const int n = t->n;
    for (int i = 0; i < n; i++) {
        ecp_real s = t->q[i];
        for (int j = 0; j < n; j++) {
            s -= coefficient(t, t->basis[j], i) * t->value[j];
        }
        t->source[i] = s;
    }
    ecp_dense_mulv(t->column, t->inverse, t->source, n, n);
    for (int i = 0; i < n; i++) {
        t->value[i] += t->column[i];
    }
}

static void read_solution(const tableau *t, ecp_real *z)
{
    for (int i = 0; i < t->n; i++) {
        z[i] = ECP_R(0.0);
    }
    for (int i = 0; i < t->n; i++) {
        if (t->basis[i] >= t->n && t->basis[i] < 2 * t->n) {
            z[t->basis[i] - t->n] = ecp_max(t->value[i], ECP_R(0.0));
        }
    }
}

// largest |min(z_i, w_i)|; scale gets max(1, |q_i|, |M_ij z_j|)
static ecp_real min_map(const tableau *t, const ecp_real *z, ecp_real *scale)
{
    ecp_real worst = ECP_R(0.0);
    *scale = ECP_R(1.0);
    for (int i = 0; i < t->n; i++) {
        ecp_real w = t->q[i];
        *scale = ecp_max(*scale, ecp_fabs(w));
        for (int j = 0; j < t->n; j++) {
            const ecp_real term = entry(t, i, j) * z[j];
            *scale = ecp_max(*scale, ecp_fabs(term));
            w += term;
        }
        const ecp_real gap = ecp_fabs(ecp_min(w, z[i]));
        // a NaN must not pass for a small number
        worst = gap <= worst ? worst : gap;
        if (!ecp_finite(worst)) {
            return ECP_REAL_MAX;
        }
    }
    return worst;
}

static bool accurate(const tableau *t, const ecp_lemke_options *options, const ecp_real *z,
                     ecp_real *residual)
{
    ecp_real scale;
    *residual = min_map(t, z, &scale);
    if (options != NULL && options->tolerance > ECP_R(0.0)) {
        return *residual <= options->tolerance;
    }
    return *residual <= (ECP_REAL_BITS == 32 ? ECP_R(1e-4) * scale : ECP_R(1e-8));
}

static bool all_finite(const ecp_real *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!ecp_finite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool arguments_ok(const ecp_real *M, const ecp_real *q, int n,
                         const ecp_lemke_options *options, const ecp_real *z, const ecp_real *work,
                         const int *basis)
{
    if (M == NULL || q == NULL || z == NULL || work == NULL || basis == NULL) {
        return false;
    }
    if (n < 1 || n > ECP_LEMKE_MAX || !all_finite(M, n * n) || !all_finite(q, n)) {
        return false;
    }
    return options == NULL ||
           (options->diagonal >= ECP_R(0.0) && ecp_finite(options->diagonal) &&
            options->tolerance >= ECP_R(0.0) && ecp_finite(options->tolerance) &&
            options->max_pivots >= 0);
}

// One path. Where it ended early with z_0 at zero up to rounding the point may still solve the
// problem, so the check against M decides.
static bool attempt(tableau *t, const ecp_lemke_options *options, ecp_lemke_info *info)
{
    const int bound = options != NULL && options->max_pivots > 0 ? options->max_pivots
                                                                 : 5 * t->n + 20;
    info->reason = run(t, bound, &info->pivots);
    if (info->reason != ECP_LEMKE_INACCURATE) {
        refine(t);
        read_solution(t, t->column);
        if (accurate(t, options, t->column, &info->residual)) {
            info->reason = ECP_LEMKE_SOLVED;
            return true;
        }
    }
    if (info->reason == ECP_LEMKE_SOLVED) {
        info->reason = ECP_LEMKE_INACCURATE;
    }
    return false;
}

static bool solve(tableau *t, const ecp_lemke_options *options, ecp_lemke_info *info)
{
    for (int i = 0; i < t->n; i++) {
        t->column[i] = ECP_R(0.0);
    }
    if (t->q[first_row(t)] >= ECP_R(0.0)) {
        info->reason = ECP_LEMKE_SOLVED;
        info->residual = ECP_R(0.0);
        return true;
    }
    for (; t->attempt < ATTEMPTS; t->attempt++) {
        if (attempt(t, options, info)) {
            return true;
        }
        if (info->reason == ECP_LEMKE_PIVOTS) {
            break;
        }
    }
    return false;
}

ecp_status ecp_lemke(const ecp_real *M, const ecp_real *q, int n, const ecp_lemke_options *options,
                     ecp_real *z, ecp_real *work, int *basis, ecp_lemke_info *info)
{
    ecp_lemke_info result = { .status = ECP_E_ARG, .reason = ECP_LEMKE_BAD_ARGUMENT,
                              .residual = ECP_REAL_MAX };
    if (arguments_ok(M, q, n, options, z, work, basis)) {
        tableau t = { .M = M, .q = q, .n = n, .inverse = work, .value = work + n * n,
                      .column = work + n * n + n, .source = work + n * n + 2 * n,
                      .basis = basis, .perm = basis + n,
                      .diagonal = options != NULL ? options->diagonal : ECP_R(0.0) };
        result.status = solve(&t, options, &result) ? ECP_OK : ECP_E_DIVERGED;
        for (int i = 0; result.status == ECP_OK && i < n; i++) {
            z[i] = t.column[i];
        }
    }
    if (info != NULL) {
        *info = result;
    }
    return result.status;
}
