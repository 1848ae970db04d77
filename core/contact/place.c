// place.c - where the generators of a contact are at the end of the step, and the ECP they make.
#include "contact/place.h"
#include "math/project.h"

// moving point r = r_c - A_w N/q, q = sqrt(N.A_w N), A_w = R' A^2 R'^T                    [G3]
static void place_moving(const ecp_island *is, const ecp_patch *c, ecp_point *p, ecp_vec3 centre)
{
    ecp_vec3 e[3], s = { 0, 0, 0 };
    const ecp_real size[3] = { p->size.x, p->size.y, p->size.z };
    ecp_real q2 = 0, dq2 = 0;
    for (int i = 0; i < 3; i++) {
        const ecp_vec3 e_u = ecp_m3_column(&is->R_u, i);
        const ecp_vec3 de = ecp_cayley_increment(is->u, e_u);
        e[i] = ecp_v3_add(e_u, de);
        const ecp_real c_u = ecp_v3_dot(c->n_u, e_u), c_n = ecp_v3_dot(c->n, e[i]);
        // c_n - c_u without cancellation: float keeps small velocities
        const ecp_real dc = ecp_v3_dot(c->n_u, de) + ecp_v3_dot(ecp_v3_sub(c->n, c->n_u), e[i]);
        q2 += size[i] * size[i] * c_n * c_n;
        dq2 += size[i] * size[i] * dc * (c_n + c_u);
        s = ecp_v3_axpy(s, size[i] * size[i] * c_n, e[i]);
    }
    const ecp_real q = ecp_max(ecp_sqrt(q2), ECP_R(1e-9));
    const bool round = !(size[0] < size[1]) && !(size[0] > size[1]) && !(size[1] < size[2]) &&
                       !(size[1] > size[2]);
    p->Y[0] -= round ? ECP_R(0.0) : dq2 / (q + p->q_u) / is->tau;
    p->r = ecp_v3_axpy(centre, ECP_R(-1.0) / q, s);
    // dr = f x centre - [f x s - A_w (f x N)]/q + s dq/q^2, dq = f.(s x N)/q
    const ecp_vec3 sxN = ecp_v3_cross(s, c->n);
    for (int j = 0; j < 3; j++) {
        const ecp_vec3 f = { j == 0, j == 1, j == 2 };
        const ecp_vec3 fN = ecp_v3_cross(f, c->n);
        ecp_vec3 AfN = { 0, 0, 0 };
        for (int i = 0; i < 3; i++) {
            AfN = ecp_v3_axpy(AfN, size[i] * size[i] * ecp_v3_dot(e[i], fN), e[i]);
        }
        ecp_vec3 d = ecp_v3_cross(f, centre);
        d = ecp_v3_axpy(d, ECP_R(-1.0) / q, ecp_v3_sub(ecp_v3_cross(f, s), AfN));
        d = ecp_v3_axpy(d, ecp_v3_dot(f, sxN) / (q * q * q), s);
        p->G.m[0][j] = d.x;
        p->G.m[1][j] = d.y;
        p->G.m[2][j] = d.z;
    }
}

static void place_disc(const ecp_island *is, const ecp_patch *c, ecp_point *p)
{
    for (int i = 0; i < 2; i++) {
        const ecp_vec3 E_u = ecp_v3_scale(p->size.x, ecp_m3_column(&is->R_u, i));
        const ecp_vec3 dE = ecp_cayley_increment(is->u, E_u);
        p->E[i] = ecp_v3_add(E_u, dE);
        const ecp_real d = ecp_v3_dot(c->n_u, dE) + ecp_v3_dot(ecp_v3_sub(c->n, c->n_u), p->E[i]);
        p->Y[1 + i] = (p->tilt_u[i] + d) / is->tau;
    }
}

// gap and tilts as if the velocity at the end had acted through the step                    [G10]
static void place_rates(const ecp_island *is, const ecp_patch *c, ecp_point *p, ecp_vec3 centre)
{
    const ecp_vec3 plane = ecp_v3_add(c->v_R, ecp_v3_cross(c->w_R, ecp_v3_add(centre, p->r)));
    const ecp_vec3 v = ecp_v3_sub(ecp_v3_add(is->v, ecp_v3_cross(is->w, p->r)), plane);
    p->Y[0] = (p->gap_u - p->snap) / is->tau + ecp_v3_dot(c->n, v);
    for (int i = 0; i < 2 && p->kind == ECP_GEN_DISC; i++) {
        const ecp_vec3 turn = ecp_v3_cross(ecp_v3_sub(is->w, c->w_R), p->E[i]);
        p->Y[1 + i] = p->tilt_u[i] / is->tau + ecp_v3_dot(c->n, turn);
    }
}

void ecp_place_point(const ecp_island *is, const ecp_patch *c, ecp_point *p)
{
    // gap = start gap + increment over the step                                           [G2]
    const ecp_vec3 dr = ecp_cayley_increment(is->u, p->r_u);
    const ecp_vec3 centre = ecp_v3_add(p->r_u, dr);
    const ecp_vec3 move = ecp_v3_axpy(dr, is->tau, ecp_v3_sub(is->v, c->v_R));
    const ecp_vec3 W = ecp_v3_add(ecp_v3_add(c->W0, p->r_u), move);
    const ecp_real d = ecp_v3_dot(c->n_u, move) + ecp_v3_dot(ecp_v3_sub(c->n, c->n_u), W);
    p->Y[0] = (p->gap_u - p->snap + d) / is->tau;
    if (p->kind == ECP_GEN_ELLIPSOID) {
        place_moving(is, c, p, centre);
    } else {
        p->r = centre;
        p->G = ecp_m3_skew(ecp_v3_scale(ECP_R(-1.0), centre));
    }
    if (p->kind == ECP_GEN_DISC) {
        place_disc(is, c, p);
    }
    if (is->rates) {
        place_rates(is, c, p, ecp_v3_axpy(c->W0, is->tau, ecp_v3_sub(is->v, c->v_R)));
    }
}

static ecp_vec3 disc_arm(const ecp_point *p, const ecp_real *x)
{
    return ecp_v3_add(ecp_v3_scale(x[1], p->E[0]), ecp_v3_scale(x[2], p->E[1]));
}

// sums of the normal impulses: px, S = sum r lam                                          [G4]
void ecp_place_sums(ecp_patch *c, const ecp_real *s)
{
    c->px = 0;
    c->S = ecp_v3(0, 0, 0);
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const ecp_real *x = s + p->first;
        c->px += x[0];
        c->S = ecp_v3_axpy(c->S, x[0], p->r);
        if (p->kind == ECP_GEN_DISC) {
            c->S = ecp_v3_add(c->S, disc_arm(p, x));
        }
    }
}

// ECP: centre of the pressing impulses; the extra weight keeps it defined as pn -> 0       [G5]
void ecp_place_ecp(ecp_patch *c, const ecp_real *s)
{
    const ecp_real *phat = s + c->width;
    const ecp_real f = ecp_sqrt(phat[0] * phat[0] + phat[1] * phat[1] + phat[2] * phat[2]);
    ecp_real extra = ECP_R(1e-15) * c->mk;
    if (c->mu > ECP_R(0.0)) {
        extra = ecp_max(extra, (f / (ECP_R(2.0) * c->mu) - c->px) / (ecp_real)c->point_count);
    }
    c->weight_sum = 0;
    c->ra = ecp_v3(0, 0, 0);
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const ecp_real *x = s + p->first;
        ecp_real w[3] = { ecp_max(x[0], ECP_R(0.0)), 0, 0 };
        if (p->kind == ECP_GEN_DISC) {
            ecp_project_cone(x, w, NULL);
            c->ra = ecp_v3_add(c->ra, disc_arm(p, w));
        }
        c->w_k[k] = w[0] + extra;
        c->weight_sum += c->w_k[k];
        c->ra = ecp_v3_axpy(c->ra, c->w_k[k], p->r);
    }
    c->ra = ecp_v3_scale(ECP_R(1.0) / c->weight_sum, c->ra);
}
