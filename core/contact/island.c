// island.c - rows of an island: Newton-Euler, normal, sides, friction.
#include "contact/island.h"

#include "contact/place.h"
#include "math/fb.h"
#include "math/project.h"

#define RHO_N ECP_R(0.3)

// relative velocity (et t.vc, eo o.vc, er n.w) of I against R at the ECP                  [G6]
static void slip(const ecp_island *is, ecp_patch *c)
{
    const ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    const ecp_vec3 vc = ecp_v3_add(I->v, ecp_v3_cross(I->w, c->ra));
    c->vc = ecp_v3_sub(vc, ecp_v3_add(R->v, ecp_v3_cross(R->w, c->rb)));
    c->vhat[0] = c->e[0] * ecp_v3_dot(c->t, c->vc);
    c->vhat[1] = c->e[1] * ecp_v3_dot(c->o, c->vc);
    c->vhat[2] = c->e[2] * ecp_v3_dot(c->n, ecp_v3_sub(I->w, R->w));
}

static ecp_vec3 friction_force(const ecp_patch *c, const ecp_real *phat)
{
    return ecp_v3_add(ecp_v3_scale(c->e[0] * phat[0], c->t), ecp_v3_scale(c->e[1] * phat[1], c->o));
}

// force and moment of one contact on its bodies: what it does to I, the opposite to R     [G4]
static void add_wrench(ecp_island *is, const ecp_patch *c, const ecp_real *s)
{
    ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    const ecp_vec3 force = ecp_v3_axpy(c->Pt, c->px, c->n);
    ecp_vec3 moment = ecp_v3_add(ecp_v3_cross(c->S, c->n), ecp_v3_cross(c->ra, c->Pt));
    moment = ecp_v3_axpy(moment, c->e[2] * s[ecp_patch_friction(c) + 2], c->n);
    I->force = ecp_v3_add(I->force, force);
    I->moment = ecp_v3_add(I->moment, moment);
    R->force = ecp_v3_sub(R->force, force);
    R->moment = ecp_v3_sub(R->moment, ecp_v3_add(moment, ecp_v3_cross(c->W0, force)));
}

static ecp_real delassus_of(const ecp_island_body *b, ecp_vec3 r, ecp_vec3 d)
{
    const ecp_vec3 rd = ecp_v3_cross(r, d);
    return ecp_v3_dot(d, ecp_v3_mul(b->minv, d)) + ecp_v3_dot(rd, ecp_m3_mulv(&b->Iinv, rd));
}

static ecp_real delassus(const ecp_island *is, const ecp_patch *c, ecp_vec3 r, ecp_vec3 d)
{
    return delassus_of(&is->body[c->I], r, d) + delassus_of(&is->body[c->R], ecp_v3_add(c->W0, r), d);
}

static ecp_real spin_delassus(const ecp_island *is, const ecp_patch *c)
{
    return ecp_v3_dot(c->n, ecp_m3_mulv(&is->body[c->I].Iinv, c->n)) +
           ecp_v3_dot(c->n, ecp_m3_mulv(&is->body[c->R].Iinv, c->n));
}

// trace of the friction rows' Delassus block with the ECP at r
static ecp_real friction_delassus(const ecp_island *is, const ecp_patch *c, ecp_vec3 r)
{
    return c->e[0] * c->e[0] * delassus(is, c, r, c->t) + c->e[1] * c->e[1] * delassus(is, c, r, c->o) +
           c->e[2] * c->e[2] * spin_delassus(is, c);
}

// unknowns of a contact, and the masses its rows are measured by
static void prepare_patch(ecp_island *is, ecp_patch *c)
{
    static const ecp_real eta[ECP_MAX_SIDES] = { 0 };
    ecp_vec3 mean = { 0, 0, 0 };
    ecp_real kn = 0, rows = 0, kf_points = 0;
    c->width = 0;
    c->rho = ECP_FRICTION_RHO;
    ecp_place_normal(is, c, eta);
    for (int k = 0; k < c->point_count; k++) {
        ecp_point *p = &c->point[k];
        p->first = (uint8_t)c->width;
        p->width = p->kind == ECP_GEN_DISC ? 3u : 1u;
        c->width += p->width;
        ecp_place_point(is, c, eta, k);
        kn += delassus(is, c, p->r, c->n);
        rows += ECP_R(1.0);
        for (int j = 0; j < 4 && p->kind == ECP_GEN_DISC; j++) {
            const ecp_real sign = (j & 1) ? ECP_R(-1.0) : ECP_R(1.0);
            kn += delassus(is, c, ecp_v3_axpy(p->r, sign, c->curve[k].E[j / 2]), c->n);
            rows += ECP_R(1.0);
        }
        mean = ecp_v3_axpy(mean, ECP_R(1.0) / (ecp_real)c->point_count, p->r);
        kf_points += friction_delassus(is, c, p->r) / (ecp_real)c->point_count;
    }
    // a body that can only turn does not yield at the mean of its points, but at each of them
    const ecp_real kf = ecp_max(friction_delassus(is, c, mean), ECP_R(0.1) * kf_points);
    // bodies locked against the contact keep finite rows
    c->mk = ECP_R(1.0) / ecp_max(kn / rows, ECP_R(1e-6));
    c->mf = ECP_R(1.0) / ecp_max(kf, ECP_R(1e-6));
}

void ecp_island_prepare(ecp_island *is)
{
    is->n = ecp_island_first(is);
    for (int i = 0; i < is->body_count; i++) {
        ecp_island_body *b = &is->body[i];
        b->v = b->v_f;
        b->w = b->w_f;
        b->u = ecp_v3(0, 0, 0);
        b->patches = 0;
    }
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        prepare_patch(is, c);
        is->n += ecp_patch_size(c);
        is->body[c->I].patches++;
        is->body[c->R].patches++;
    }
}

static void place_bodies(ecp_island *is, const ecp_real *z)
{
    for (int i = 0; i < is->body_count; i++) {
        ecp_island_body *b = &is->body[i];
        const ecp_real *q = z + 6 * b->slot;
        b->v = b->slot < 0 ? b->v_f : ecp_v3(q[0], q[1], q[2]);
        b->w = b->slot < 0 ? b->w_f : ecp_v3(q[3], q[4], q[5]);
        b->u = ecp_v3_scale(ECP_R(0.5) * is->tau, b->w);
        b->force = b->moment = ecp_v3(0, 0, 0);
    }
}

// place everything at z and add up the wrenches
static void island_place(ecp_island *is, const ecp_real *z)
{
    place_bodies(is, z);
    const ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        const ecp_real *eta = s + c->width;
        ecp_place_normal(is, c, eta);
        for (int k = 0; k < c->point_count; k++) {
            ecp_place_point(is, c, eta, k);
        }
        ecp_place_sums(c, s);
        ecp_place_ecp(c, s);
        c->Pt = friction_force(c, s + ecp_patch_friction(c));
        slip(is, c);
        add_wrench(is, c, s);
        s += ecp_patch_size(c);
    }
}

// min map of a pair; where both are negative the worse counts, so that an impulse never hides behind
// the wider tolerance of its gap
static ecp_real pair_residual(ecp_real a, ecp_real b)
{
    const ecp_real least = ecp_min(a, b);
    return least > ECP_R(0.0) ? least : -least;
}

static ecp_real disc_rows(const ecp_patch *c, const ecp_point *p, const ecp_real *x, ecp_real gap_weight,
                          ecp_real *F)
{
    const ecp_real *tilts = ecp_patch_curve(c, p)->tilt, Y[3] = { p->y, tilts[0], tilts[1] };
    ecp_real X[3], step[3], full[3], P[3], Pn[3], worst = 0;
    for (int i = 0; i < 3; i++) {
        X[i] = x[i] / c->mk;
        step[i] = X[i] - RHO_N * Y[i];
        full[i] = X[i] - Y[i];
    }
    ecp_project_cone(step, P, NULL);
    ecp_project_cone(full, Pn, NULL);
    for (int i = 0; i < 3; i++) {
        F[i] = X[i] - P[i];
        worst = ecp_max(worst, gap_weight * ecp_fabs(X[i] - Pn[i]));
    }
    // where |Y| is large, a rim at a distance, or rounding allows much, X itself is judged too
    const ecp_real tilt = ecp_sqrt(Y[1] * Y[1] + Y[2] * Y[2]);
    worst = ecp_max(worst, pair_residual(X[0], gap_weight * (Y[0] - tilt)));
    return ecp_max(worst, ecp_sqrt(X[1] * X[1] + X[2] * X[2]) - X[0]);
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
            F[f] = ecp_fb_eval_smoothed(a, RHO_N * p->y, is->smoothing).phi;
            worst = ecp_max(worst, pair_residual(a, gap_weight * p->y));
            continue;
        }
        worst = ecp_max(worst, disc_rows(c, p, s + f, gap_weight, F + f));
    }
    return worst;
}

// side rows: FB(eta, slack/mk): the normal turns only where the ECP is on the border       [G11]
static ecp_real side_rows(const ecp_island *is, const ecp_patch *c, const ecp_real *eta, ecp_real *F)
{
    ecp_real worst = 0;
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        const ecp_real b = c->slack[j] / c->mk;
        F[j] = ecp_fb_eval_smoothed(eta[j], b, is->smoothing).phi;
        worst = ecp_max(worst, pair_residual(eta[j], b));
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

static ecp_real body_rows(const ecp_island *is, ecp_real *F)
{
    ecp_real worst = 0;
    for (int i = 0; i < is->body_count; i++) {
        const ecp_island_body *b = &is->body[i];
        if (b->slot < 0) {
            continue;
        }
        const ecp_vec3 dv = ecp_v3_sub(ecp_v3_sub(b->v, b->v_f), ecp_v3_mul(b->minv, b->force));
        const ecp_vec3 dw = ecp_v3_sub(ecp_v3_sub(b->w, b->w_f), ecp_m3_mulv(&b->Iinv, b->moment));
        const ecp_real row[6] = { dv.x, dv.y, dv.z, dw.x, dw.y, dw.z };
        for (int j = 0; j < 6; j++) {
            F[6 * b->slot + j] = row[j];
            worst = ecp_max(worst, ecp_fabs(row[j]));
        }
    }
    return worst;
}

bool ecp_island_evaluate(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural)
{
    ecp_island *is = ctx;
    island_place(is, z);
    ecp_real worst = body_rows(is, F);
    int row = ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        const int side = row + c->width, friction = row + ecp_patch_friction(c);
        worst = ecp_max(worst, normal_rows(is, c, z + row, F + row));
        worst = ecp_max(worst, side_rows(is, c, z + side, F + side));
        worst = ecp_max(worst, friction_rows(c, z + friction, F + friction));
        row += ecp_patch_size(c);
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

ecp_vec3 ecp_island_kick(const ecp_island *is, int body)
{
    return ecp_v3_mul(is->body[body].minv, is->body[body].force);
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
