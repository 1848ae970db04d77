// island.c - rows of an island, their Jacobian and its elimination onto the body's 6 x 6 block.
#include "contact/island.h"

#include "contact/place.h"
#include "math/fb.h"
#include "math/lu.h"
#include "math/project.h"

#define RHO_N ECP_R(0.3)

static ecp_vec3 apply_inverse_mass(const ecp_island *is, ecp_vec3 force)
{
    return ecp_v3_mul(is->minv, force);
}

// relative velocity (et t.vc, eo o.vc, er n.w) for velocities at lever ra                  [G6]
static void slip(const ecp_island *is, ecp_patch *c)
{
    const ecp_vec3 dx = ecp_v3_scale(is->tau, ecp_v3_sub(is->v, c->v_R));
    const ecp_vec3 rb = ecp_v3_add(ecp_v3_add(c->W0, dx), c->ra);
    ecp_vec3 vc = ecp_v3_add(is->v, ecp_v3_cross(is->w, c->ra));
    vc = ecp_v3_sub(vc, ecp_v3_add(c->v_R, ecp_v3_cross(c->w_R, rb)));
    c->vhat[0] = c->e[0] * ecp_v3_dot(c->t, vc);
    c->vhat[1] = c->e[1] * ecp_v3_dot(c->o, vc);
    c->vhat[2] = c->e[2] * ecp_v3_dot(c->n, ecp_v3_sub(is->w, c->w_R));
}

static ecp_vec3 friction_force(const ecp_patch *c, const ecp_real *phat)
{
    return ecp_v3_add(ecp_v3_scale(c->e[0] * phat[0], c->t), ecp_v3_scale(c->e[1] * phat[1], c->o));
}

// force and moment about the body origin of one contact                                   [G4]
static void patch_wrench(const ecp_patch *c, const ecp_real *s, ecp_vec3 *force, ecp_vec3 *moment)
{
    const ecp_real *phat = s + c->width;
    *force = ecp_v3_axpy(friction_force(c, phat), c->px, c->n);
    *moment = ecp_v3_add(ecp_v3_cross(c->S, c->n), ecp_v3_cross(c->ra, friction_force(c, phat)));
    *moment = ecp_v3_axpy(*moment, c->e[2] * phat[2], c->n);
}

static ecp_real delassus(const ecp_island *is, ecp_vec3 r, ecp_vec3 d)
{
    const ecp_vec3 rd = ecp_v3_cross(r, d);
    return ecp_v3_dot(d, apply_inverse_mass(is, d)) + ecp_v3_dot(rd, ecp_m3_mulv(&is->Iinv, rd));
}

// trace of the friction rows' Delassus block with the ECP at r
static ecp_real friction_delassus(const ecp_island *is, const ecp_patch *c, ecp_vec3 r)
{
    const ecp_vec3 In = ecp_m3_mulv(&is->Iinv, c->n);
    return c->e[0] * c->e[0] * delassus(is, r, c->t) + c->e[1] * c->e[1] * delassus(is, r, c->o) +
           c->e[2] * c->e[2] * ecp_v3_dot(c->n, In);
}

void ecp_island_prepare(ecp_island *is)
{
    is->n = 6;
    is->v = is->v_f;
    is->w = is->w_f;
    is->u = ecp_v3(0, 0, 0);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_vec3 mean = { 0, 0, 0 };
        ecp_real kn = 0, rows = 0, kf_points = 0;
        c->width = 0;
        c->rho = ECP_FRICTION_RHO;
        for (int k = 0; k < c->point_count; k++) {
            ecp_point *p = &c->point[k];
            p->first = c->width;
            p->width = p->kind == ECP_GEN_DISC ? 3 : 1;
            c->width += p->width;
            ecp_place_point(is, c, p);
            kn += delassus(is, p->r, c->n);
            rows += ECP_R(1.0);
            if (p->kind == ECP_GEN_DISC) {
                for (int j = 0; j < 4; j++) {
                    const ecp_real sign = (j & 1) ? ECP_R(-1.0) : ECP_R(1.0);
                    kn += delassus(is, ecp_v3_axpy(p->r, sign, p->E[j / 2]), c->n);
                    rows += ECP_R(1.0);
                }
            }
            mean = ecp_v3_axpy(mean, ECP_R(1.0) / (ecp_real)c->point_count, p->r);
            kf_points += friction_delassus(is, c, p->r) / (ecp_real)c->point_count;
        }
        // a body that can only turn does not yield at the mean of its points, but at each of them
        const ecp_real kf = ecp_max(friction_delassus(is, c, mean), ECP_R(0.1) * kf_points);
        // a body locked against the contact keeps finite rows
        c->mk = ECP_R(1.0) / ecp_max(kn / rows, ECP_R(1e-6));
        c->mf = ECP_R(1.0) / ecp_max(kf, ECP_R(1e-6));
        is->n += c->width + 3;
    }
}

// place everything at z; false when a velocity turned the body beyond the domain
static void island_place(ecp_island *is, const ecp_real *z)
{
    is->v = ecp_v3(z[0], z[1], z[2]);
    is->w = ecp_v3(z[3], z[4], z[5]);
    is->u = ecp_v3_scale(ECP_R(0.5) * is->tau, is->w);
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        for (int k = 0; k < c->point_count; k++) {
            ecp_place_point(is, c, &c->point[k]);
        }
        ecp_place_sums(c, s);
        ecp_place_ecp(c, s);
        c->Pt = friction_force(c, s + c->width);
        slip(is, c);
        s += c->width + 3;
    }
}

// min map of a pair; where both are negative the worse counts, so that an impulse never hides behind
// the wider tolerance of its gap
static ecp_real pair_residual(ecp_real a, ecp_real b)
{
    const ecp_real least = ecp_min(a, b);
    return least > ECP_R(0.0) ? least : -least;
}

// normal rows: FB(lam/mk, rho_n Y), or X - Proj_K(X - rho_n Y) for a disc                  [G7]
static ecp_real normal_rows(const ecp_island *is, const ecp_patch *c, const ecp_real *s, ecp_real *F)
{
    // a gap cannot be better than its rounding over tau; an impulse can
    const ecp_real gap_weight = is->tolerance / is->gap_tolerance;
    ecp_real worst = 0;
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const int f = p->first;
        if (p->width == 1) {
            const ecp_real a = s[f] / c->mk;
            F[f] = ecp_fb_eval_smoothed(a, RHO_N * p->Y[0], is->smoothing).phi;
            worst = ecp_max(worst, pair_residual(a, gap_weight * p->Y[0]));
            continue;
        }
        ecp_real X[3], step[3], full[3], P[3], Pn[3];
        for (int i = 0; i < 3; i++) {
            X[i] = s[f + i] / c->mk;
            step[i] = X[i] - RHO_N * p->Y[i];
            full[i] = X[i] - p->Y[i];
        }
        ecp_project_cone(step, P, NULL);
        ecp_project_cone(full, Pn, NULL);
        for (int i = 0; i < 3; i++) {
            F[f + i] = X[i] - P[i];
            worst = ecp_max(worst, gap_weight * ecp_fabs(X[i] - Pn[i]));
        }
        // where |Y| is large, a rim at a distance, or rounding allows much, X itself is judged too
        const ecp_real tilt = ecp_sqrt(p->Y[1] * p->Y[1] + p->Y[2] * p->Y[2]);
        worst = ecp_max(worst, pair_residual(X[0], gap_weight * (p->Y[0] - tilt)));
        worst = ecp_max(worst, ecp_sqrt(X[1] * X[1] + X[2] * X[2]) - X[0]);
    }
    return worst;
}

// friction rows: phat/mf - Proj(phat/mf - rho_t vhat)                                      [G6]
static ecp_real friction_rows(const ecp_patch *c, const ecp_real *phat, ecp_real *F)
{
    const ecp_real radius = c->mu * ecp_max(c->px, ECP_R(0.0)) / c->mf;
    ecp_real step[3], full[3], P[3], Pn[3], worst = 0;
    for (int i = 0; i < 3; i++) {
        step[i] = phat[i] / c->mf - c->rho * c->vhat[i];
        full[i] = phat[i] / c->mf - c->vhat[i];
    }
    ecp_project_ball(step, radius, P, NULL, NULL);
    ecp_project_ball(full, radius, Pn, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        F[i] = phat[i] / c->mf - P[i];
        worst = ecp_max(worst, ecp_fabs(phat[i] / c->mf - Pn[i]));
    }
    return worst;
}

static void body_rows(const ecp_island *is, ecp_vec3 force, ecp_vec3 moment, ecp_real *F)
{
    const ecp_vec3 dv = ecp_v3_sub(ecp_v3_sub(is->v, is->v_f), apply_inverse_mass(is, force));
    const ecp_vec3 dw = ecp_v3_sub(ecp_v3_sub(is->w, is->w_f), ecp_m3_mulv(&is->Iinv, moment));
    F[0] = dv.x;
    F[1] = dv.y;
    F[2] = dv.z;
    F[3] = dw.x;
    F[4] = dw.y;
    F[5] = dw.z;
}

bool ecp_island_evaluate(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural)
{
    ecp_island *is = ctx;
    island_place(is, z);
    ecp_vec3 force = { 0, 0, 0 }, moment = { 0, 0, 0 };
    ecp_real worst = 0;
    int row = 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        ecp_vec3 f, m;
        patch_wrench(c, z + row, &f, &m);
        force = ecp_v3_add(force, f);
        moment = ecp_v3_add(moment, m);
        worst = ecp_max(worst, normal_rows(is, c, z + row, F + row));
        worst = ecp_max(worst, friction_rows(c, z + row + c->width, F + row + c->width));
        row += c->width + 3;
    }
    body_rows(is, force, moment, F);
    for (int i = 0; i < 6; i++) {
        worst = ecp_max(worst, ecp_fabs(F[i]));
    }
    // while smoothed the answer of the exact rows does not count as convergence
    *natural = worst;
    for (int i = 0; i < is->n; i++) {
        if (!ecp_finite(F[i])) {
            return false;
        }
    }
    return true;
}

ecp_vec3 ecp_island_kick(const ecp_island *is, const ecp_real *z)
{
    ecp_vec3 force = { 0, 0, 0 };
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        force = ecp_v3_add(force, ecp_v3_axpy(friction_force(c, s + c->width), c->px, c->n));
        s += c->width + 3;
    }
    return apply_inverse_mass(is, force);
}

bool ecp_island_adapt(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    ecp_island *is = ctx;
    (void)z;
    if (!(is->smoothing > ECP_R(0.0)) || norm_F > ECP_R(3.0) * is->smoothing) {
        return false;
    }
    is->smoothing *= ECP_R(0.2);
    if (is->smoothing < ECP_R(1e-5)) {
        is->smoothing = 0;
    }
    return true;
}
