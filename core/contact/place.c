// place.c - where the generators of a contact are at the end of the step, and the ECP they make.
#include "contact/place.h"
#include "math/project.h"

static const ecp_island_body *incident(const ecp_island *is, const ecp_patch *c)
{
    return &is->body[c->I];
}

static const ecp_island_body *reference(const ecp_island *is, const ecp_patch *c)
{
    return &is->body[c->R];
}

// tangents: t the projection of the axis, o = n x t
static void place_tangents(ecp_patch *c)
{
    const ecp_vec3 t = ecp_v3_axpy(c->axis, -ecp_v3_dot(c->n, c->axis), c->n);
    c->reach = ecp_max(ecp_v3_norm(t), ECP_R(1e-9));
    c->t = ecp_v3_scale(ECP_R(1.0) / c->reach, t);
    c->o = ecp_v3_cross(c->n, c->t);
}

void ecp_place_normal(const ecp_island *is, ecp_patch *c, const ecp_real *eta)
{
    const ecp_island_body *I = incident(is, c), *R = reference(is, c);
    c->W0 = ecp_v3_axpy(c->W0_u, is->tau, ecp_v3_sub(I->v, R->v));
    c->stretch = 0;
    c->length = ECP_R(1.0);
    if (ecp_patch_round(c)) {
        c->length = ecp_max(ecp_v3_norm(c->W0), ECP_R(1e-9));
        c->n = ecp_v3_scale(ECP_R(1.0) / c->length, c->W0);
        c->turn = ecp_v3_sub(c->n, c->n_u);
        place_tangents(c);
        return;
    }
    c->turn = ecp_cayley_increment(R->u, c->n_u);
    c->n = ecp_v3_add(c->n_u, c->turn);
    // N = Nu/|Nu|, Nu = n + sum eta b, as an increment: |Nu|^2 - 1 has no cancellation     [G11]
    ecp_vec3 add = { 0, 0, 0 };
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        c->db[j] = ecp_cayley_increment(R->u, c->b_u[j]);
        add = ecp_v3_axpy(add, eta[j], ecp_patch_side(c, j));
    }
    if (ecp_patch_sides(c) > 0) {
        c->stretch = ECP_R(2.0) * ecp_v3_dot(c->n, add) + ecp_v3_dot(add, add);
        c->length = ecp_max(ecp_sqrt(ecp_max(ECP_R(1.0) + c->stretch, ECP_R(0.0))), ECP_R(1e-6));
        const ecp_vec3 d = ecp_v3_axpy(add, -c->stretch / (ECP_R(1.0) + c->length), c->n);
        c->n = ecp_v3_axpy(c->n, ECP_R(1.0) / c->length, d);
    }
    place_tangents(c);
}

// reach of the ellipsoid along N at the start pose
static ecp_real start_reach(const ecp_island *is, const ecp_patch *c, const ecp_curve *v, ecp_vec3 N)
{
    return ecp_v3_norm(ecp_v3_mul(v->size, ecp_m3_tmulv(&incident(is, c)->R_u, N)));
}

// moving point r = r_c - A_w N/q, q = sqrt(N.A_w N), A_w = R' A^2 R'^T                    [G3]
static void place_moving(const ecp_island *is, const ecp_patch *c, ecp_point *p, ecp_curve *v, ecp_vec3 centre)
{
    const ecp_island_body *I = incident(is, c);
    ecp_vec3 e[3], s = { 0, 0, 0 };
    const ecp_real size[3] = { v->size.x, v->size.y, v->size.z };
    const ecp_vec3 dN = ecp_v3_sub(c->n, c->n_u);
    ecp_real q2 = 0, dq2 = 0;
    for (int i = 0; i < 3; i++) {
        const ecp_vec3 e_u = ecp_m3_column(&I->R_u, i);
        const ecp_vec3 de = ecp_cayley_increment(I->u, e_u);
        e[i] = ecp_v3_add(e_u, de);
        const ecp_real c_u = ecp_v3_dot(c->n_u, e_u), c_n = ecp_v3_dot(c->n, e[i]);
        // c_n - c_u without cancellation: float keeps small velocities
        const ecp_real dc = ecp_v3_dot(c->n_u, de) + ecp_v3_dot(dN, e[i]);
        q2 += size[i] * size[i] * c_n * c_n;
        dq2 += size[i] * size[i] * dc * (c_n + c_u);
        s = ecp_v3_axpy(s, size[i] * size[i] * c_n, e[i]);
    }
    const ecp_real q = ecp_max(ecp_sqrt(q2), ECP_R(1e-9)), inv = ECP_R(1.0) / q;
    const bool ball = !(size[0] < size[1]) && !(size[0] > size[1]) && !(size[1] < size[2]) &&
                      !(size[1] > size[2]);
    p->y -= ball ? ECP_R(0.0) : dq2 / (q + v->q_u) / is->tau;
    p->r = ecp_v3_axpy(centre, -inv, s);
    // dr = G f + H dN; H = -A_w/q + s s^T/q^3, G f = f x centre - [f x s - A_w (f x N)]/q + s dq/q^2,
    // dq = f.(s x N)/q: the turn of the body with N fixed
    for (int j = 0; j < 3; j++) {
        const ecp_vec3 f = { j == 0, j == 1, j == 2 };
        ecp_vec3 Af = { 0, 0, 0 };
        for (int i = 0; i < 3; i++) {
            Af = ecp_v3_axpy(Af, size[i] * size[i] * ecp_v3_dot(e[i], f), e[i]);
        }
        const ecp_vec3 h = ecp_v3_axpy(ecp_v3_scale(-inv, Af), ecp_v3_dot(s, f) * inv * inv * inv, s);
        v->H.m[0][j] = h.x;
        v->H.m[1][j] = h.y;
        v->H.m[2][j] = h.z;
    }
    for (int j = 0; j < 3; j++) {
        // with N turning along nothing happens but the turn itself, so G f = f x r - H (f x N)
        const ecp_vec3 f = { j == 0, j == 1, j == 2 };
        const ecp_vec3 g = ecp_v3_sub(ecp_v3_cross(f, p->r), ecp_m3_mulv(&v->H, ecp_v3_cross(f, c->n)));
        v->G.m[0][j] = g.x;
        v->G.m[1][j] = g.y;
        v->G.m[2][j] = g.z;
    }
}

static void place_disc(const ecp_island *is, const ecp_patch *c, ecp_curve *v)
{
    const ecp_island_body *I = incident(is, c);
    for (int i = 0; i < 2; i++) {
        const ecp_vec3 E_u = ecp_v3_scale(v->size.x, ecp_m3_column(&I->R_u, i));
        const ecp_vec3 dE = ecp_cayley_increment(I->u, E_u);
        v->E[i] = ecp_v3_add(E_u, dE);
        const ecp_real d = ecp_v3_dot(c->n_u, dE) + ecp_v3_dot(ecp_v3_sub(c->n, c->n_u), v->E[i]);
        v->tilt[i] = (v->tilt_u[i] + d) / is->tau;
    }
}

// gap and tilts as if the velocity at the end had acted through the step                    [G10]
static void place_rates(const ecp_island *is, const ecp_patch *c, const ecp_real *eta, ecp_point *p, ecp_curve *v)
{
    const ecp_island_body *I = incident(is, c), *R = reference(is, c);
    const ecp_vec3 face = ecp_v3_add(R->v, ecp_v3_cross(R->w, ecp_v3_add(c->W0, p->r)));
    const ecp_vec3 rate = ecp_v3_sub(ecp_v3_add(I->v, ecp_v3_cross(I->w, p->r)), face);
    const ecp_real length = ecp_patch_round(c) ? ECP_R(1.0) : c->length;
    ecp_real start = p->gap_u - p->snap * length;
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        const ecp_vec3 W_u = ecp_v3_add(c->W0_u, p->r_u);
        start += eta[j] * (ecp_v3_dot(c->b_u[j], W_u) - c->d[j]);
    }
    if (ecp_patch_sides(c) > 0 && p->kind == ECP_GEN_ELLIPSOID) {
        start += v->q_u - length * start_reach(is, c, v, ecp_v3_sub(c->n, c->turn));
    }
    p->y = start / length / is->tau + ecp_v3_dot(c->n, rate);
    for (int i = 0; i < 2 && p->kind == ECP_GEN_DISC; i++) {
        const ecp_vec3 turn = ecp_v3_cross(ecp_v3_sub(I->w, R->w), v->E[i]);
        v->tilt[i] = v->tilt_u[i] / is->tau + ecp_v3_dot(c->n, turn);
    }
}

// gap of a centre over the face and its sides = start gap + increment over the step     [G2] [G11]
static ecp_real face_gap(const ecp_patch *c, const ecp_real *eta, ecp_point *p, ecp_vec3 move, ecp_vec3 W)
{
    const ecp_real d = ecp_v3_dot(c->n_u, move) + ecp_v3_dot(c->turn, W);
    ecp_real gap = p->gap_u - p->snap * c->length + d;
    const ecp_vec3 W_u = ecp_v3_add(c->W0_u, p->r_u);
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        p->side[j] = ecp_v3_dot(c->b_u[j], W_u) - c->d[j];
        p->side[j] += ecp_v3_dot(c->b_u[j], move) + ecp_v3_dot(c->db[j], W);
        gap += eta[j] * p->side[j];
    }
    if (ecp_patch_sides(c) == 0) {
        return gap;
    }
    // the reach of a moving point is not stretched with the normal
    const ecp_real q_u = p->kind == ECP_GEN_ELLIPSOID ? ecp_patch_curve(c, p)->q_u : ECP_R(0.0);
    return (gap - q_u * c->stretch / (ECP_R(1.0) + c->length)) / c->length;
}

void ecp_place_point(const ecp_island *is, ecp_patch *c, const ecp_real *eta, int k)
{
    ecp_point *p = &c->point[k];
    ecp_curve *v = &c->curve[k < 2 ? k : 0];
    const ecp_island_body *I = incident(is, c), *R = reference(is, c);
    const ecp_vec3 dr = ecp_cayley_increment(I->u, p->r_u);
    const ecp_vec3 centre = ecp_v3_add(p->r_u, dr);
    const ecp_vec3 step = ecp_v3_scale(is->tau, ecp_v3_sub(I->v, R->v));
    const ecp_vec3 move = ecp_v3_add(dr, step);
    if (ecp_patch_round(c)) {
        // |W'| - |W_u|
        const ecp_vec3 sum = ecp_v3_add(c->W0, c->W0_u);
        const ecp_real d = ecp_v3_dot(step, sum) / (c->length + ecp_v3_norm(c->W0_u));
        p->y = (p->gap_u - p->snap + d) / is->tau;
    } else {
        const ecp_vec3 W = ecp_v3_add(ecp_v3_add(c->W0_u, p->r_u), move);
        p->y = face_gap(c, eta, p, move, W) / is->tau;
    }
    if (p->kind == ECP_GEN_ELLIPSOID) {
        place_moving(is, c, p, v, centre);
        for (int j = 0; j < ecp_patch_sides(c); j++) {
            p->side[j] += ecp_v3_dot(ecp_patch_side(c, j), ecp_v3_sub(p->r, centre));
        }
    } else {
        p->r = centre;
    }
    if (p->kind == ECP_GEN_DISC) {
        place_disc(is, c, v);
    }
    if (is->rates) {
        place_rates(is, c, eta, p, v);
    }
}

static ecp_vec3 disc_arm(const ecp_curve *v, const ecp_real *x)
{
    return ecp_v3_add(ecp_v3_scale(x[1], v->E[0]), ecp_v3_scale(x[2], v->E[1]));
}

// sums of the normal impulses: px, S = sum r lam, slack_j = -sum lam side_j               [G4] [G11]
void ecp_place_sums(ecp_patch *c, const ecp_real *s)
{
    c->px = 0;
    c->S = ecp_v3(0, 0, 0);
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        c->slack[j] = 0;
    }
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const ecp_real *x = s + p->first;
        const bool disc = p->kind == ECP_GEN_DISC;
        const ecp_vec3 arm = disc ? disc_arm(ecp_patch_curve(c, p), x) : ecp_v3(0, 0, 0);
        c->px += x[0];
        c->S = ecp_v3_axpy(c->S, x[0], p->r);
        if (disc) {
            c->S = ecp_v3_add(c->S, arm);
        }
        for (int j = 0; j < ecp_patch_sides(c); j++) {
            c->slack[j] -= x[0] * p->side[j] + ecp_v3_dot(ecp_patch_side(c, j), arm);
        }
    }
}

// ECP: centre of the pressing impulses; the extra weight keeps it defined as pn -> 0       [G5]
void ecp_place_ecp(ecp_patch *c, const ecp_real *s)
{
    const ecp_real *phat = s + ecp_patch_friction(c);
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
            c->ra = ecp_v3_add(c->ra, disc_arm(ecp_patch_curve(c, p), w));
        }
        c->w_k[k] = w[0] + extra;
        c->weight_sum += c->w_k[k];
        c->ra = ecp_v3_axpy(c->ra, c->w_k[k], p->r);
    }
    c->ra = ecp_v3_scale(ECP_R(1.0) / c->weight_sum, c->ra);
    c->rb = ecp_v3_add(c->W0, c->ra);
}
