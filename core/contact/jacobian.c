// jacobian.c - derivative of the island's rows and its elimination onto the body.     [G9]
//
//   B ds_n + Pn dnu = -F_n      C ds_f + Q ds_n + Pf dnu = -F_f      dnu - M^-1 (W_nu dnu + W ds) = -F_D
//   T = Phi_s^-1 Phi_nu, y = Phi_s^-1 F_s:   (I - M^-1 W_nu + M^-1 W T) dnu = -F_D - M^-1 W y
#include "contact/island.h"
#include "math/fb.h"
#include "math/lu.h"
#include "math/project.h"

#define RHO_N ECP_R(0.3)
#define MAX_FACTOR_TRIES 4

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

static void set3(ecp_real *row, ecp_vec3 a)
{
    row[0] = a.x;
    row[1] = a.y;
    row[2] = a.z;
}

// d(row)/dnu of a quantity with derivative dv.(tau N) and f.m: (tau N, Fm^T m)
static void pose_row(const ecp_island *is, ecp_vec3 N, ecp_vec3 m, ecp_real *row)
{
    set3(row, ecp_v3_scale(is->tau, N));
    set3(row + 3, ecp_m3_tmulv(&is->Fm, m));
}

// B and T = B^-1 dPhi/dnu of one generator; the proximal term acts in the Jacobian only
static bool normal_block(const ecp_island *is, ecp_patch *c, ecp_point *p, const ecp_real *s,
                         ecp_real delta)
{
    const ecp_real inv = ECP_R(1.0) / c->mk, scale = RHO_N / is->tau;
    ecp_real g[3][6];
    pose_row(is, c->n, ecp_v3_cross(p->r, c->n), g[0]);
    if (p->width == 1) {
        const ecp_fb fb = ecp_fb_eval_smoothed(s[p->first] * inv, RHO_N * p->Y[0], is->smoothing);
        p->B[0][0] = ECP_R(1.0) / ((fb.da + delta * fb.db) * inv);
        for (int j = 0; j < 6; j++) {
            c->T[p->first][j] = p->B[0][0] * fb.db * scale * g[0][j];
        }
        return ecp_finite(p->B[0][0]);
    }
    ecp_real X[3], P[3], D[3][3];
    for (int i = 0; i < 2; i++) {
        pose_row(is, ecp_v3(0, 0, 0), ecp_v3_cross(p->E[i], c->n), g[1 + i]);
    }
    for (int i = 0; i < 3; i++) {
        X[i] = s[p->first + i] * inv - RHO_N * p->Y[i];
    }
    ecp_project_cone(X, P, D);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p->B[i][j] = inv * ((i == j ? ECP_R(1.0) : ECP_R(0.0)) - (ECP_R(1.0) - delta) * D[i][j]);
        }
    }
    if (!invert3(p->B)) {
        return false;
    }
    for (int j = 0; j < 6; j++) {
        ecp_real dg[3];
        for (int i = 0; i < 3; i++) {
            dg[i] = scale * (D[i][0] * g[0][j] + D[i][1] * g[1][j] + D[i][2] * g[2][j]);
        }
        for (int i = 0; i < 3; i++) {
            c->T[p->first + i][j] = p->B[i][0] * dg[0] + p->B[i][1] * dg[1] + p->B[i][2] * dg[2];
        }
    }
    return true;
}

// derivative of the ECP by the pose, dra = Ga f, and by the normal unknowns (columns of ds)
static void ecp_derivative(const ecp_patch *c, const ecp_real *s, ecp_mat3 *Ga, ecp_mat3 *GS,
                           ecp_vec3 *dra)
{
    *Ga = (ecp_mat3){ { { 0 } } };
    *GS = (ecp_mat3){ { { 0 } } };
    const ecp_real inv = ECP_R(1.0) / c->weight_sum;
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const ecp_real *x = s + p->first;
        const ecp_vec3 arm = ecp_v3_scale(inv, ecp_v3_sub(p->r, c->ra));
        ecp_mat3 Kp = { { { 0 } } }, Kx = { { { 0 } } };
        dra[p->first] = x[0] > ECP_R(0.0) ? arm : ecp_v3(0, 0, 0);
        if (p->width == 3) {
            ecp_real P[3], D[3][3];
            ecp_project_cone(x, P, D);
            const ecp_vec3 E0 = ecp_v3_scale(inv, p->E[0]), E1 = ecp_v3_scale(inv, p->E[1]);
            for (int j = 0; j < 3; j++) {
                dra[p->first + j] = ecp_v3_axpy(ecp_v3_axpy(ecp_v3_scale(D[0][j], arm), D[1][j], E0),
                                                D[2][j], E1);
            }
            const ecp_vec3 ap = ecp_v3_add(ecp_v3_scale(-P[1], p->E[0]), ecp_v3_scale(-P[2], p->E[1]));
            const ecp_vec3 ax = ecp_v3_add(ecp_v3_scale(-x[1], p->E[0]), ecp_v3_scale(-x[2], p->E[1]));
            Kp = ecp_m3_skew(ap);
            Kx = ecp_m3_skew(ax);
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                Ga->m[i][j] += inv * (c->w_k[k] * p->G.m[i][j] + Kp.m[i][j]);
                GS->m[i][j] += x[0] * p->G.m[i][j] + Kx.m[i][j];
            }
        }
    }
}

static void wrench_column(ecp_patch *c, int j, ecp_vec3 force, ecp_vec3 moment)
{
    const ecp_real col[6] = { force.x, force.y, force.z, moment.x, moment.y, moment.z };
    for (int i = 0; i < 6; i++) {
        c->W[i][j] = col[i];
    }
}

// columns of W: what each unknown of the contact does to the body
static void wrench_columns(ecp_patch *c, const ecp_vec3 *dra)
{
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        for (int j = 0; j < p->width; j++) {
            const ecp_vec3 lever = j == 0 ? p->r : p->E[j - 1];
            const ecp_vec3 m = ecp_v3_add(ecp_v3_cross(lever, c->n),
                                          ecp_v3_cross(dra[p->first + j], c->Pt));
            wrench_column(c, p->first + j, j == 0 ? c->n : ecp_v3(0, 0, 0), m);
        }
    }
    const ecp_vec3 t = ecp_v3_scale(c->e[0], c->t), o = ecp_v3_scale(c->e[1], c->o);
    wrench_column(c, c->width, t, ecp_v3_cross(c->ra, t));
    wrench_column(c, c->width + 1, o, ecp_v3_cross(c->ra, o));
    wrench_column(c, c->width + 2, ecp_v3(0, 0, 0), ecp_v3_scale(c->e[2], c->n));
}

static ecp_vec3 hat(const ecp_patch *c, ecp_vec3 dvc, ecp_vec3 dw)
{
    return ecp_v3(c->e[0] * ecp_v3_dot(c->t, dvc), c->e[1] * ecp_v3_dot(c->o, dvc),
                  c->e[2] * ecp_v3_dot(c->n, dw));
}

// dvhat/dnu, column j: dvc = dv + dw x ra + (w - w_R) x dra - w_R x (tau dv)
static ecp_vec3 slip_column(const ecp_island *is, const ecp_patch *c, const ecp_mat3 *GaF, int j)
{
    const ecp_vec3 e = { j % 3 == 0, j % 3 == 1, j % 3 == 2 };
    if (j < 3) {
        return hat(c, ecp_v3_axpy(e, -is->tau, ecp_v3_cross(c->w_R, e)), ecp_v3(0, 0, 0));
    }
    const ecp_vec3 dra = ecp_m3_column(GaF, j - 3);
    const ecp_vec3 w = ecp_v3_sub(is->w, c->w_R);
    return hat(c, ecp_v3_add(ecp_v3_cross(e, c->ra), ecp_v3_cross(w, dra)), e);
}

// C, Q and the friction rows of T
static bool friction_block(const ecp_island *is, ecp_patch *c, const ecp_real *phat,
                           const ecp_vec3 *dra, const ecp_mat3 *GaF, ecp_real delta)
{
    const ecp_real inv = ECP_R(1.0) / c->mf;
    ecp_real a[3], P[3], R[3][6];
    for (int i = 0; i < 3; i++) {
        a[i] = phat[i] * inv - c->rho * c->vhat[i];
    }
    ecp_project_ball(a, c->mu * ecp_max(c->px, ECP_R(0.0)) * inv, P, c->D, c->dr);
    const ecp_real mu = c->px > ECP_R(0.0) ? c->mu * inv : ECP_R(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c->C[i][j] = inv * ((i == j ? ECP_R(1.0) : ECP_R(0.0)) -
                                (ECP_R(1.0) - c->rho * delta) * c->D[i][j]);
        }
    }
    const ecp_vec3 w = ecp_v3_sub(is->w, c->w_R);
    for (int k = 0; k < c->point_count; k++) {
        for (int q = 0; q < c->point[k].width; q++) {
            const int j = c->point[k].first + q;
            const ecp_vec3 d = hat(c, ecp_v3_cross(w, dra[j]), ecp_v3(0, 0, 0));
            for (int i = 0; i < 3; i++) {
                c->Q[i][j] = c->rho * (c->D[i][0] * d.x + c->D[i][1] * d.y + c->D[i][2] * d.z) -
                             (q == 0 ? mu * c->dr[i] : ECP_R(0.0));
            }
        }
    }
    for (int j = 0; j < 6; j++) {
        const ecp_vec3 d = slip_column(is, c, GaF, j);
        for (int i = 0; i < 3; i++) {
            R[i][j] = c->rho * (c->D[i][0] * d.x + c->D[i][1] * d.y + c->D[i][2] * d.z);
            for (int k = 0; k < c->width; k++) {
                R[i][j] -= c->Q[i][k] * c->T[k][j];
            }
        }
    }
    if (!invert3(c->C)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 6; j++) {
            c->T[c->width + i][j] = c->C[i][0] * R[0][j] + c->C[i][1] * R[1][j] + c->C[i][2] * R[2][j];
        }
    }
    return true;
}

// A -= M^-1 K for a 6 x 6 K given as its column j (force, moment)
static void subtract_column(ecp_island *is, int j, const ecp_real K[6])
{
    const ecp_vec3 f = ecp_v3_mul(is->minv, ecp_v3(K[0], K[1], K[2]));
    const ecp_vec3 m = ecp_m3_mulv(&is->Iinv, ecp_v3(K[3], K[4], K[5]));
    const ecp_real d[6] = { f.x, f.y, f.z, m.x, m.y, m.z };
    for (int i = 0; i < 6; i++) {
        is->A[6 * i + j] -= d[i];
    }
}

static void add_patch(ecp_island *is, const ecp_patch *c, const ecp_mat3 *GaF, const ecp_mat3 *GSF)
{
    for (int j = 0; j < 6; j++) {
        ecp_real K[6] = { 0 };
        if (j >= 3) {
            // d(S x N) + dra x Pt by the pose
            const ecp_vec3 m = ecp_v3_add(ecp_v3_cross(ecp_m3_column(GSF, j - 3), c->n),
                                          ecp_v3_cross(ecp_m3_column(GaF, j - 3), c->Pt));
            set3(K + 3, m);
        }
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < c->width + 3; k++) {
                K[i] -= c->W[i][k] * c->T[k][j];
            }
        }
        subtract_column(is, j, K);
    }
}

// f = tau (dw + u x dw)/(1 + u.u)
static void rotation_derivative(ecp_island *is)
{
    const ecp_real k = is->tau / (ECP_R(1.0) + ecp_v3_dot(is->u, is->u));
    is->Fm = ecp_m3_skew(ecp_v3_scale(k, is->u));
    for (int i = 0; i < 3; i++) {
        is->Fm.m[i][i] += k;
    }
}

static bool factor_with(ecp_island *is, const ecp_real *z, ecp_real delta)
{
    for (int i = 0; i < 36; i++) {
        is->A[i] = i % 7 == 0 ? ECP_R(1.0) : ECP_R(0.0);
    }
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_mat3 Ga, GS;
        ecp_vec3 dra[ECP_MAX_GENERATORS];
        for (int k = 0; k < c->point_count; k++) {
            if (!normal_block(is, c, &c->point[k], s, delta)) {
                return false;
            }
        }
        ecp_derivative(c, s, &Ga, &GS, dra);
        const ecp_mat3 GaF = ecp_m3_mul(&Ga, &is->Fm), GSF = ecp_m3_mul(&GS, &is->Fm);
        wrench_columns(c, dra);
        if (!friction_block(is, c, s + c->width, dra, &GaF, delta)) {
            return false;
        }
        add_patch(is, c, &GaF, &GSF);
        s += c->width + 3;
    }
    return ecp_lu_factor(is->A, 6, is->perm);
}

bool ecp_island_factor(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    ecp_island *is = ctx;
    ecp_real delta = ecp_max(is->prox_scale * ecp_min(ECP_R(1.0), norm_F), is->prox_floor);
    rotation_derivative(is);
    // stiff contacts hide the free directions behind rounding: a larger proximal term shows them
    for (int i = 0; i < MAX_FACTOR_TRIES; i++) {
        if (factor_with(is, z, delta)) {
            return true;
        }
        delta *= ECP_R(10.0);
    }
    return false;
}

// y = Phi_s^-1 F_s of one contact
static void contact_solve(const ecp_patch *c, const ecp_real *F, ecp_real *y)
{
    ecp_real f[3];
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        for (int i = 0; i < p->width; i++) {
            y[p->first + i] = 0;
            for (int j = 0; j < p->width; j++) {
                y[p->first + i] += p->B[i][j] * F[p->first + j];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        f[i] = F[c->width + i];
        for (int k = 0; k < c->width; k++) {
            f[i] -= c->Q[i][k] * y[k];
        }
    }
    for (int i = 0; i < 3; i++) {
        y[c->width + i] = c->C[i][0] * f[0] + c->C[i][1] * f[1] + c->C[i][2] * f[2];
    }
}

void ecp_island_direction(void *ctx, const ecp_real *F, ecp_real *dz)
{
    const ecp_island *is = ctx;
    ecp_real K[6] = { 0 }, tmp[6];
    int row = 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        contact_solve(c, F + row, dz + row);
        for (int r = 0; r < 6; r++) {
            for (int k = 0; k < c->width + 3; k++) {
                K[r] += c->W[r][k] * dz[row + k];
            }
        }
        row += c->width + 3;
    }
    const ecp_vec3 f = ecp_v3_mul(is->minv, ecp_v3(K[0], K[1], K[2]));
    const ecp_vec3 m = ecp_m3_mulv(&is->Iinv, ecp_v3(K[3], K[4], K[5]));
    const ecp_real d[6] = { f.x, f.y, f.z, m.x, m.y, m.z };
    for (int r = 0; r < 6; r++) {
        dz[r] = -F[r] - d[r];
    }
    (void)ecp_lu_solve(is->A, 6, is->perm, dz, 1, tmp);
    row = 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        for (int k = 0; k < c->width + 3; k++) {
            ecp_real sum = -dz[row + k];
            for (int j = 0; j < 6; j++) {
                sum -= c->T[k][j] * dz[j];
            }
            dz[row + k] = sum;
        }
        row += c->width + 3;
    }
}
