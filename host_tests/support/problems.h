// problems.h - complementarity problems with known solutions, for the MNCP and LCP solvers.
#ifndef ECP_TEST_PROBLEMS_H
#define ECP_TEST_PROBLEMS_H

#include "solve/mncp.h"
#include "test.h"

#define PROBLEM_MAX 32

typedef struct problem {
    const char *name;
    int n;
    int known;                        // solutions listed
    bool complete;                    // there are no others
    double solutions[3][8];           // entries beyond the eighth are 0
    const bool *is_free;
    bool (*residual)(void *ctx, const ecp_real *z, ecp_real *F);
    bool (*jacobian)(void *ctx, const ecp_real *z, ecp_real *J);
    const double *M, *q;              // of a linear problem given by a table
    double (*entry)(int i, int j);    // of a linear problem given by a formula; q = -1
} problem;

// ---- linear problems -------------------------------------------------------------------------

static inline double murty_entry(int i, int j)
{
    return i == j ? 1.0 : (i > j ? 2.0 : 0.0);
}

// L L^T with the L of Murty: sum over k of L_ik L_jk
static inline double fathi_entry(int i, int j)
{
    const int least = i < j ? i : j;
    return 4.0 * least + (i == j ? 1.0 : 2.0);
}

static inline bool is_linear(const problem *p)
{
    return p->M != NULL || p->entry != NULL;
}

static inline ecp_real linear_entry(const problem *p, int i, int j)
{
    return (ecp_real)(p->entry != NULL ? p->entry(i, j) : p->M[i * p->n + j]);
}

static inline ecp_real linear_offset(const problem *p, int i)
{
    return (ecp_real)(p->q != NULL ? p->q[i] : -1.0);
}

static inline bool linear_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    const problem *p = ctx;
    for (int i = 0; i < p->n; i++) {
        F[i] = linear_offset(p, i);
        for (int j = 0; j < p->n; j++) {
            F[i] += linear_entry(p, i, j) * z[j];
        }
    }
    return true;
}

static inline bool linear_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    const problem *p = ctx;
    (void)z;
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++) {
            J[i * p->n + j] = linear_entry(p, i, j);
        }
    }
    return true;
}

// ---- P1, P2: Kojima-Shindo and Josephy -------------------------------------------------------

static inline void kojima(const ecp_real *x, ecp_real c23, ecp_real c34, ecp_real q3, ecp_real *F)
{
    const ecp_real a = x[0], b = x[1], c = x[2], d = x[3];
    F[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
    F[1] = 2 * a * a + a + b * b + c23 * c + 2 * d - 2;
    F[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + c34 * d - q3;
    F[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
}

static inline void kojima_rows(const ecp_real *x, ecp_real c23, ecp_real c34, ecp_real *J)
{
    const ecp_real a = x[0], b = x[1];
    const ecp_real rows[16] = { 6 * a + 2 * b, 2 * a + 4 * b, 1, 3,   4 * a + 1, 2 * b, c23, 2,
                                6 * a + b,     a + 4 * b,     2, c34, 2 * a,     6 * b, 2,   3 };
    memcpy(J, rows, sizeof rows);
}

static inline bool kojima_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    (void)ctx;
    kojima(z, 10, 9, 9, F);
    return true;
}

static inline bool kojima_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    (void)ctx;
    kojima_rows(z, 10, 9, J);
    return true;
}

static inline bool josephy_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    (void)ctx;
    kojima(z, 3, 3, 1, F);
    return true;
}

static inline bool josephy_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    (void)ctx;
    kojima_rows(z, 3, 3, J);
    return true;
}

// ---- P3: Mathiesen, (a, b2, b3) = (.9, 5, 3); undefined where p1 or p2 is 0 -------------------

static inline bool mathiesen_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    const ecp_real a = ECP_R(0.9), b2 = 5, b3 = 3;
    const ecp_real w = b2 * z[2] + b3 * z[3];
    (void)ctx;
    F[0] = -z[1] + z[2] + z[3];
    F[1] = z[0] - a * w / z[1];
    F[2] = b2 - z[0] - (1 - a) * w / z[2];
    F[3] = b3 - z[0];
    return true;
}

static inline bool mathiesen_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    const ecp_real a = ECP_R(0.9), b2 = 5, b3 = 3;
    const ecp_real w = b2 * z[2] + b3 * z[3], p1 = z[1], p2 = z[2];
    const ecp_real rows[16] = { 0,  -1,              1,
                                1,  1,               a * w / (p1 * p1),
                                -a * b2 / p1,        -a * b3 / p1,
                                -1, 0,               (1 - a) * (w / (p2 * p2) - b2 / p2),
                                -(1 - a) * b3 / p2,  -1, 0, 0, 0 };
    (void)ctx;
    memcpy(J, rows, sizeof rows);
    return true;
}

// ---- P4: Billups; P18 -------------------------------------------------------------------------

static inline bool billups_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    (void)ctx;
    F[0] = (z[0] - 1) * (z[0] - 1) - ECP_R(1.01);
    return true;
}

static inline bool billups_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    (void)ctx;
    J[0] = 2 * (z[0] - 1);
    return true;
}

// ---- P19: one Coulomb contact, unknowns (r_n, r_t, r_o, s) ------------------------------------

static inline bool coulomb_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    const ecp_real mu = ECP_R(0.1);
    (void)ctx;
    F[0] = z[0] - 1;
    F[1] = mu * z[0] * (z[1] + 1) + z[3] * z[1];
    F[2] = mu * z[0] * (z[2] + 3) + z[3] * z[2];
    F[3] = mu * mu * z[0] * z[0] - z[1] * z[1] - z[2] * z[2];
    return true;
}

static inline bool coulomb_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    const ecp_real mu = ECP_R(0.1);
    const ecp_real rows[16] = { 1, 0, 0, 0,
                                mu * (z[1] + 1), mu * z[0] + z[3], 0, z[1],
                                mu * (z[2] + 3), 0, mu * z[0] + z[3], z[2],
                                2 * mu * mu * z[0], -2 * z[1], -2 * z[2], 0 };
    (void)ctx;
    memcpy(J, rows, sizeof rows);
    return true;
}

// ---- P20, P21: friction of one body, unknowns (velocity after, s) -----------------------------
// p_i = m_i (v_i - v0_i);  e_i^2 mu pn v_i + s p_i = 0;  0 <= (mu pn)^2 - sum (p_i/e_i)^2 _|_ s

typedef struct friction_case {
    int axes;
    ecp_real e[3], inertia[3], v0[3], mu, pn;
} friction_case;

static inline bool friction_residual_of(const friction_case *c, const ecp_real *z, ecp_real *F)
{
    const ecp_real s = z[c->axes], limit = c->mu * c->pn;
    ecp_real slack = limit * limit;
    for (int i = 0; i < c->axes; i++) {
        const ecp_real p = c->inertia[i] * (z[i] - c->v0[i]);
        F[i] = c->e[i] * c->e[i] * limit * z[i] + s * p;
        slack -= p / c->e[i] * (p / c->e[i]);
    }
    F[c->axes] = slack;
    return true;
}

static inline bool friction_jacobian_of(const friction_case *c, const ecp_real *z, ecp_real *J)
{
    const int n = c->axes + 1;
    for (int i = 0; i < n * n; i++) {
        J[i] = 0;
    }
    for (int i = 0; i < c->axes; i++) {
        const ecp_real m = c->inertia[i], p = m * (z[i] - c->v0[i]), e2 = c->e[i] * c->e[i];
        J[i * n + i] = e2 * c->mu * c->pn + z[c->axes] * m;
        J[i * n + c->axes] = p;
        J[c->axes * n + i] = -2 * p * m / e2;
    }
    return true;
}

static inline friction_case ellipse_case(void)
{
    return (friction_case){ 3, { 1, 1, ECP_R(0.01) }, { 1, 1, ECP_R(0.02) }, { 1, ECP_R(0.5), 3 },
                            ECP_R(0.2), ECP_R(0.0981) };
}

static inline bool ellipse_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    const friction_case c = ellipse_case();
    (void)ctx;
    return friction_residual_of(&c, z, F);
}

static inline bool ellipse_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    const friction_case c = ellipse_case();
    (void)ctx;
    return friction_jacobian_of(&c, z, J);
}

static inline bool box_residual(void *ctx, const ecp_real *z, ecp_real *F)
{
    return friction_residual_of(ctx, z, F);
}

static inline bool box_jacobian(void *ctx, const ecp_real *z, ecp_real *J)
{
    return friction_jacobian_of(ctx, z, J);
}

// ---- the list ----------------------------------------------------------------------------------

#define LINEAR .residual = linear_residual, .jacobian = linear_jacobian

static const bool free_first_two[5] = { true, true, false, false, false };
static const bool free_middle_two[4] = { false, true, true, false };
static const bool free_first_three[4] = { true, true, true, false };

static const double m7[] = { 0, -1, 2, 2, 0, -2, -1, 1, 0 }, q7[] = { -3, 6, -1 };
static const double m7b[] = { 11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0 };
static const double q7b[] = { 50, 50, 10, -6 }, q7b_other[] = { 50, 50, 23, -6 };
static const double m7c[] = { 0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0 };
static const double m8[] = { 2, 1, 1, 2, 3, 2, 3, 4, 5, 6, -2, -2, 2,
                             1, 1, 1, 0, 1, 2, 1, 0,  1,  1, 1, 2 };
static const double q8[] = { -9, -19, -1, -9, -2 };
static const double m9[] = { 3, -1, 0, 0, 1, 2, 1, 0, 0, 1, 3, 1, -1, 1, -1, 2 };
static const double q9[] = { -2, 1, -1, 1 };
static const double m10[] = { 0, 0, -1, -1, 0, 0, 1, -2, 1, -1, 2, -2, 1, 2, -2, 4 };
static const double q10[] = { 2, 2, -2, -6 };
static const double m11[] = { 1, 2, 3, 0, 1, -1, 1, 1, 0 }, q11[] = { -1, 1, 1 };
static const double m13[] = { 4, 2, 2, 1, 2, 4, 0, 1, 2, 0, 2, 2, -1, -1, -2, 0 };
static const double q13[] = { -8, -6, -4, 3 };
static const double m18[] = { -1 }, q18[] = { 1 }, q18_none[] = { -1 };

static const problem problems[] = {
    { .name = "P1 Kojima-Shindo", .n = 4, .known = 2, .complete = true,
      .solutions = { { 1.2247448713915890, 0, 0, 0.5 }, { 1, 0, 3, 0 } },
      .residual = kojima_residual, .jacobian = kojima_jacobian },
    { .name = "P2 Josephy", .n = 4, .known = 1, .complete = true,
      .solutions = { { 1.2247448713915890, 0, 0, 0.5 } },
      .residual = josephy_residual, .jacobian = josephy_jacobian },
    { .name = "P3 Mathiesen", .n = 4, .known = 1, .solutions = { { 3, 6, 1, 5 } },
      .residual = mathiesen_residual, .jacobian = mathiesen_jacobian },
    { .name = "P4 Billups", .n = 1, .known = 1, .complete = true, .solutions = { { 2.004987562112 } },
      .residual = billups_residual, .jacobian = billups_jacobian },
    { .name = "P5 Murty 8", .n = 8, .known = 1, .complete = true, .solutions = { { 1 } },
      .entry = murty_entry, LINEAR },
    { .name = "P5 Murty 32", .n = 32, .known = 1, .complete = true, .solutions = { { 1 } },
      .entry = murty_entry, LINEAR },
    { .name = "P6 Fathi 8", .n = 8, .known = 1, .complete = true, .solutions = { { 1 } },
      .entry = fathi_entry, LINEAR },
    { .name = "P6 Fathi 32", .n = 32, .known = 1, .complete = true, .solutions = { { 1 } },
      .entry = fathi_entry, LINEAR },
    { .name = "P7", .n = 3, .known = 1, .solutions = { { 0, 1, 3 } }, .M = m7, .q = q7, LINEAR },
    { .name = "P7b", .n = 4, .known = 1, .complete = true, .solutions = { { 2, 2, 2, 92 } },
      .M = m7b, .q = q7b, LINEAR },
    { .name = "P7b, q3 = 23", .n = 4, .known = 1, .complete = true, .solutions = { { 3, 3, 0, 83 } },
      .M = m7b, .q = q7b_other, LINEAR },
    { .name = "P7c bimatrix", .n = 4, .known = 3, .complete = true,
      .solutions = { { .1, 0, .1, 0 }, { 0, 1 / 15., 0, 1 / 15. },
                     { 1 / 90., 2 / 45., 1 / 90., 2 / 45. } },
      .M = m7c, LINEAR },
    { .name = "P8 mixed LCP", .n = 5, .known = 1, .solutions = { { 1, -1, 0, 4, 0 } },
      .is_free = free_first_two, .M = m8, .q = q8, LINEAR },
    { .name = "P9", .n = 4, .known = 1, .complete = true, .solutions = { { 2 / 3., 0, 1 / 3., 0 } },
      .M = m9, .q = q9, LINEAR },
    { .name = "P10", .n = 4, .known = 1, .solutions = { { 2.8, 0, .8, 1.2 } }, .M = m10, .q = q10,
      LINEAR },
    { .name = "P11", .n = 3, .known = 1, .solutions = { { 1, 0, 0 } }, .M = m11, .q = q11, LINEAR },
    { .name = "P13 HS35", .n = 4, .known = 1, .complete = true,
      .solutions = { { 4 / 3., 7 / 9., 4 / 9., 2 / 9. } }, .M = m13, .q = q13, LINEAR },
    { .name = "P18 F = 1 - x", .n = 1, .known = 2, .complete = true, .solutions = { { 0 }, { 1 } },
      .M = m18, .q = q18, LINEAR },
    { .name = "P19 Coulomb", .n = 4, .known = 1,
      .solutions = { { 1, -0.031622776601683794, -0.094868329805051377, 3.0622776601683795 } },
      .is_free = free_middle_two, .residual = coulomb_residual, .jacobian = coulomb_jacobian },
    { .name = "P21 ellipse", .n = 4, .known = 1,
      .solutions = { { .982457878821, .491228939411, 2.999732193783, 1.0988055 } },
      .is_free = free_first_three, .residual = ellipse_residual, .jacobian = ellipse_jacobian },
};
#define PROBLEMS ((int)(sizeof problems / sizeof problems[0]))

/// F = -x - 1: no solution
static const problem problem_without_solution = { .name = "P18 F = -x - 1", .n = 1, .M = m18,
                                                  .q = q18_none, LINEAR };

static inline ecp_mncp_problem problem_mncp(const problem *p)
{
    return (ecp_mncp_problem){ .ctx = (void *)p, .n = p->n, .is_free = p->is_free,
                               .residual = p->residual, .jacobian = p->jacobian };
}

static inline double problem_solution(const problem *p, int k, int i)
{
    return i < 8 ? p->solutions[k][i] : 0.0;
}

/// Largest distance of z from the nearest listed solution
static inline double problem_distance(const problem *p, const ecp_real *z)
{
    double nearest = (double)INFINITY;
    for (int k = 0; k < p->known; k++) {
        double far = 0.0;
        for (int i = 0; i < p->n; i++) {
            far = fmax(far, fabs((double)z[i] - problem_solution(p, k, i)));
        }
        nearest = fmin(nearest, far);
    }
    return nearest;
}

/// max |min(z, F)|, of free variables |F|
static inline double problem_natural(const problem *p, const ecp_real *z)
{
    ecp_real F[PROBLEM_MAX];
    double worst = 0.0;
    p->residual((void *)p, z, F);
    for (int i = 0; i < p->n; i++) {
        const bool is_free = p->is_free != NULL && p->is_free[i];
        const double gap = is_free ? (double)F[i] : fmin((double)z[i], (double)F[i]);
        worst = fabs(gap) <= worst ? worst : fabs(gap);
    }
    return worst;
}

#endif
