// eliminate.c - elimination of a contact: normal blocks, then sides, then friction.        [G9]
//
//   B dx + A_e deta           + P_n dnu = -F_n        B block diagonal: 1 x 1, discs 3 x 3
//   L dx + D_e deta           + P_e dnu = -F_e
//   Q dx + Q_e deta + C dphat + P_f dnu = -F_f
#include "contact/eliminate.h"

#include "contact/jacobian.h"
#include "math/fb.h"
#include "math/lu.h"
#include "math/project.h"

#define RHO_N ECP_R(0.3)

// what one factorisation of a contact shares among its stages
typedef struct stage {
    const ecp_island *is;
    ecp_patch *c;
    const ecp_real *s;
    ecp_shares shares;
    ecp_real delta;
    ecp_real db[ECP_MAX_GENERATORS]; // FB by its gap, width 1
    ecp_real D[ECP_MAX_GENERATORS][3];  // cone projection, width 3: rows of unknowns
    ecp_real side_db[ECP_MAX_SIDES];
    ecp_real ball[3][3], dr[3];
} stage;

static bool invert3(ecp_real a[3][3])
{
    ecp_real m[9], e[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, tmp[3];
    int perm[3];
    for (int i = 0; i < 9; i++) {
        m[i] = a[i / 3][i % 3];
    }
    if (!ecp_lu_factor(m, 3, perm) || !ecp_lu_solve(m, 3, perm, e, 3, tmp)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = e[i];
    }
    return true;
}

// B of one generator; the proximal term acts in the Jacobian only
static bool normal_block(stage *g, int k)
{
    ecp_patch *c = g->c;
    ecp_point *p = &c->point[k];
    const ecp_real inv = ECP_R(1.0) / c->mk;
    if (p->width == 1) {
        const ecp_fb fb = ecp_fb_eval_smoothed(g->s[p->first] * inv, RHO_N * p->y, g->is->smoothing);
        p->inverse = ECP_R(1.0) / ((fb.da + g->delta * fb.db) * inv);
        g->db[p->first] = fb.db;
        return ecp_finite(p->inverse);
    }
    ecp_curve *v = &c->curve[k];
    const ecp_real Y[3] = { p->y, v->tilt[0], v->tilt[1] };
    ecp_real X[3], P[3], D[3][3];
    for (int i = 0; i < 3; i++) {
        X[i] = g->s[p->first + i] * inv - RHO_N * Y[i];
    }
    ecp_project_cone(X, P, D);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            g->D[p->first + i][j] = D[i][j];
            v->B[i][j] = inv * ((i == j ? ECP_R(1.0) : ECP_R(0.0)) - (ECP_R(1.0) - g->delta) * D[i][j]);
        }
    }
    return invert3(v->B);
}

// B^-1 times the normal rows by a change of the gaps, written with a stride
static void normal_column(const stage *g, const ecp_real *Y, ecp_real *out, int stride)
{
    for (int k = 0; k < g->c->point_count; k++) {
        const ecp_point *p = &g->c->point[k];
        const int f = p->first;
        ecp_real row[3];
        if (p->width == 1) {
            out[f * stride] = p->inverse * g->db[f] * RHO_N * Y[f];
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const ecp_real *D = g->D[f + i];
            row[i] = RHO_N * (D[0] * Y[f] + D[1] * Y[f + 1] + D[2] * Y[f + 2]);
        }
        for (int i = 0; i < 3; i++) {
            const ecp_real *B = g->c->curve[k].B[i];
            out[(f + i) * stride] = B[0] * row[0] + B[1] * row[1] + B[2] * row[2];
        }
    }
}

// L: side rows by the normal impulses, dslack_j/dx = -side_j, of a disc's arm -b_j.E
static void side_rows(stage *g)
{
    ecp_patch *c = g->c;
    const ecp_real inv = ECP_R(1.0) / c->mk;
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        const ecp_fb fb = ecp_fb_eval_smoothed(g->s[c->width + j], c->slack[j] * inv, g->is->smoothing);
        g->side_db[j] = fb.db * inv;
        for (int i = 0; i < ecp_patch_sides(c); i++) {
            c->Ce[j * ecp_patch_sides(c) + i] = i == j ? fb.da + g->delta * fb.db : ECP_R(0.0);
        }
        for (int k = 0; k < c->point_count; k++) {
            const ecp_point *p = &c->point[k];
            c->Ls[j][p->first] = -g->side_db[j] * p->side[j];
            for (int i = 1; i < p->width; i++) {
                c->Ls[j][p->first + i] = -g->side_db[j] * ecp_v3_dot(ecp_patch_side(c, j), c->curve[k].E[i - 1]);
            }
        }
    }
}

// columns of W by the normal impulses and by friction
static void wrench_columns(ecp_patch *c, const ecp_shares *q)
{
    ecp_vec3 force[ECP_CONTACT_UNKNOWNS], moment[ECP_CONTACT_UNKNOWNS];
    const int f = ecp_patch_friction(c), size = ecp_patch_size(c);
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        for (int j = 0; j < p->width; j++) {
            const ecp_vec3 lever = j == 0 ? p->r : c->curve[k].E[j - 1];
            force[p->first + j] = j == 0 ? c->n : ecp_v3(0, 0, 0);
            moment[p->first + j] = ecp_v3_add(ecp_v3_cross(lever, c->n),
                                              ecp_v3_cross(q->dra[p->first + j], c->Pt));
        }
    }
    force[f] = ecp_v3_scale(c->e[0], c->t);
    force[f + 1] = ecp_v3_scale(c->e[1], c->o);
    force[f + 2] = ecp_v3(0, 0, 0);
    moment[f] = ecp_v3_cross(c->ra, force[f]);
    moment[f + 1] = ecp_v3_cross(c->ra, force[f + 1]);
    moment[f + 2] = ecp_v3_scale(c->e[2], c->n);
    for (int j = 0; j < size; j++) {
        if (j >= c->width && j < f) {
            continue;  // sides: their change of geometry
        }
        const ecp_real col[6] = { force[j].x, force[j].y, force[j].z, moment[j].x, moment[j].y, moment[j].z };
        for (int i = 0; i < 6; i++) {
            c->W[i][j] = col[i];
        }
    }
}

// friction rows by a change of vhat
static void friction_column(const stage *g, const ecp_real *vhat, ecp_real *out, int stride)
{
    for (int i = 0; i < 3; i++) {
        out[i * stride] = g->c->rho * (g->ball[i][0] * vhat[0] + g->ball[i][1] * vhat[1] +
                                       g->ball[i][2] * vhat[2]);
    }
}

// C, and Q by the normal impulses: slip moves with the ECP, the ball grows with px
static bool friction_block(stage *g)
{
    ecp_patch *c = g->c;
    const ecp_island_body *I = &g->is->body[c->I], *R = &g->is->body[c->R];
    const ecp_real *phat = g->s + ecp_patch_friction(c);
    const ecp_real inv = ECP_R(1.0) / c->mf;
    ecp_real a[3], P[3];
    for (int i = 0; i < 3; i++) {
        a[i] = phat[i] * inv - c->rho * c->vhat[i];
    }
    ecp_project_ball(a, c->mu * ecp_max(c->px, ECP_R(0.0)) * inv, P, g->ball, g->dr);
    const ecp_real mu = c->px > ECP_R(0.0) ? c->mu * inv : ECP_R(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c->C[i][j] = inv * ((i == j ? ECP_R(1.0) : ECP_R(0.0)) -
                                (ECP_R(1.0) - c->rho * g->delta) * g->ball[i][j]);
        }
    }
    const ecp_vec3 w = ecp_v3_sub(I->w, R->w);
    for (int k = 0; k < c->point_count; k++) {
        for (int q = 0; q < c->point[k].width; q++) {
            const int j = c->point[k].first + q;
            const ecp_vec3 d = ecp_v3_cross(w, g->shares.dra[j]);
            const ecp_real vhat[3] = { c->e[0] * ecp_v3_dot(c->t, d), c->e[1] * ecp_v3_dot(c->o, d), 0 };
            friction_column(g, vhat, &c->Q[0][j], ECP_MAX_GENERATORS + ECP_MAX_SIDES);
            for (int i = 0; i < 3 && q == 0; i++) {
                c->Q[i][j] -= mu * g->dr[i];
            }
        }
    }
    return invert3(c->C);
}

// the columns of the sides: A_e (as B^-1 A_e), D_e, Q_e, and their share of W
static bool side_columns(stage *g)
{
    ecp_patch *c = g->c;
    const int m = ecp_patch_sides(c);
    for (int j = 0; j < m; j++) {
        const ecp_direction d = ecp_jacobian_side(c, j);
        ecp_change ch;
        ecp_jacobian_change(g->is, c, &g->shares, &d, g->s[ecp_patch_friction(c) + 2], &ch);
        normal_column(g, ch.Y, &c->BA[0][j], ECP_MAX_SIDES);
        friction_column(g, ch.vhat, &c->Q[0][c->width + j], ECP_MAX_GENERATORS + ECP_MAX_SIDES);
        for (int i = 0; i < m; i++) {
            ecp_real sum = g->side_db[i] * ch.slack[i];
            for (int k = 0; k < c->width; k++) {
                sum -= c->Ls[i][k] * c->BA[k][j];
            }
            c->Ce[i * m + j] += sum;
        }
        const ecp_real col[6] = { ch.force.x, ch.force.y, ch.force.z, ch.moment.x, ch.moment.y, ch.moment.z };
        for (int i = 0; i < 6; i++) {
            c->W[i][c->width + j] = col[i];
        }
    }
    return m == 0 || ecp_lu_factor(c->Ce, m, c->perm);
}

// from the normal part of one column (B^-1 already applied) and the rows of sides and friction to
// Phi_s^-1 of that column, in place
static void finish_column(const ecp_patch *c, ecp_real *x, int stride)
{
    const int m = ecp_patch_sides(c), f = ecp_patch_friction(c);
    ecp_real eta[ECP_MAX_SIDES], tmp[ECP_MAX_SIDES], row[3];
    for (int j = 0; j < m; j++) {
        eta[j] = x[(c->width + j) * stride];
        for (int k = 0; k < c->width; k++) {
            eta[j] -= c->Ls[j][k] * x[k * stride];
        }
    }
    if (m > 0) {
        (void)ecp_lu_solve(c->Ce, m, c->perm, eta, 1, tmp);
    }
    for (int k = 0; k < c->width; k++) {
        for (int j = 0; j < m; j++) {
            x[k * stride] -= c->BA[k][j] * eta[j];
        }
    }
    for (int j = 0; j < m; j++) {
        x[(c->width + j) * stride] = eta[j];
    }
    for (int i = 0; i < 3; i++) {
        row[i] = x[(f + i) * stride];
        for (int k = 0; k < f; k++) {
            row[i] -= c->Q[i][k] * x[k * stride];
        }
    }
    for (int i = 0; i < 3; i++) {
        x[(f + i) * stride] = c->C[i][0] * row[0] + c->C[i][1] * row[1] + c->C[i][2] * row[2];
    }
}

// column j of T and of K
static void motion_column(const stage *g, int j, ecp_real K[6][ECP_CONTACT_COLUMNS])
{
    ecp_patch *c = g->c;
    const ecp_direction d = ecp_jacobian_motion(g->is, c, j);
    const int at = j % ECP_CONTACT_COLUMNS;
    ecp_change ch;
    ecp_jacobian_change(g->is, c, &g->shares, &d, g->s[ecp_patch_friction(c) + 2], &ch);
    normal_column(g, ch.Y, &c->T[0][at], ECP_CONTACT_COLUMNS);
    for (int i = 0; i < ecp_patch_sides(c); i++) {
        c->T[c->width + i][at] = g->side_db[i] * ch.slack[i];
    }
    friction_column(g, ch.vhat, &c->T[ecp_patch_friction(c)][at], ECP_CONTACT_COLUMNS);
    finish_column(c, &c->T[0][at], ECP_CONTACT_COLUMNS);
    const ecp_real col[6] = { ch.force.x, ch.force.y, ch.force.z, ch.moment.x, ch.moment.y, ch.moment.z };
    for (int i = 0; i < 6; i++) {
        K[i][at] = col[i];
        for (int k = 0; k < ecp_patch_size(c); k++) {
            K[i][at] -= c->W[i][k] * c->T[k][at];
        }
    }
}

bool ecp_eliminate(const ecp_island *is, ecp_patch *c, const ecp_real *s, ecp_real delta,
                   ecp_real K[6][ECP_CONTACT_COLUMNS])
{
    stage g = { .is = is, .c = c, .s = s, .delta = delta };
    ecp_jacobian_open(c, s, &g.shares);
    for (int k = 0; k < c->point_count; k++) {
        if (!normal_block(&g, k)) {
            return false;
        }
    }
    side_rows(&g);
    wrench_columns(c, &g.shares);
    if (!friction_block(&g) || !side_columns(&g)) {
        return false;
    }
    for (int j = 0; j < ECP_PATCH_SPAN; j++) {
        if (is->body[j < 6 ? c->I : c->R].slot >= 0) {
            motion_column(&g, j, K);
        }
    }
    return true;
}

void ecp_eliminate_solve(const ecp_patch *c, const ecp_real *F, ecp_real *y)
{
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const int f = p->first;
        if (p->width == 1) {
            y[f] = p->inverse * F[f];
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const ecp_real *B = c->curve[k].B[i];
            y[f + i] = B[0] * F[f] + B[1] * F[f + 1] + B[2] * F[f + 2];
        }
    }
    for (int i = c->width; i < ecp_patch_size(c); i++) {
        y[i] = F[i];
    }
    finish_column(c, y, 1);
}
