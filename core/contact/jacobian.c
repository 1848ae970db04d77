// jacobian.c - how gaps, slacks, slip and wrench of a contact change with the motion of its bodies.  [G9]
//
//   dN = f_R x N, or (b_j - N (N.b_j)) deta_j/|Nu|, or (dV - N (N.dV))/|W| against a sphere
//   dr = G f_I + H dN          dS = GS f_I + HS dN          dra = Ga f_I + Ha dN
//   dY = [N.dV + f_I.(r x N) - f_R.(W x N)]/tau             dtilt = f_I.(E x N) + dN.E
//   dslack_j = -b_j.(px dV + dS) - (f_R x b_j).(S + px W0)
//   tangents turn by Phi = N x dN + k N, k = -(N.axis)(o.dN)/reach
#include "contact/jacobian.h"

#include "math/project.h"

static void add_scaled(ecp_mat3 *sum, ecp_real s, const ecp_mat3 *M)
{
    for (int i = 0; i < 9; i++) {
        sum->m[i / 3][i % 3] += s * M->m[i / 3][i % 3];
    }
}

// a disc's share: its arm x1 E1 + x2 E2 turns with the body
static void add_arm(ecp_mat3 *sum, ecp_real s, const ecp_curve *v, const ecp_real *x)
{
    const ecp_vec3 arm = ecp_v3_add(ecp_v3_scale(-x[1], v->E[0]), ecp_v3_scale(-x[2], v->E[1]));
    const ecp_mat3 K = ecp_m3_skew(arm);
    add_scaled(sum, s, &K);
}

// derivative of the ECP by the normal unknowns of one generator
static void ecp_by_impulse(const ecp_patch *c, const ecp_point *p, const ecp_real *x, ecp_shares *q)
{
    const ecp_curve *v = ecp_patch_curve(c, p);
    const ecp_real inv = ECP_R(1.0) / c->weight_sum;
    const ecp_vec3 arm = ecp_v3_scale(inv, ecp_v3_sub(p->r, c->ra));
    q->dra[p->first] = x[0] > ECP_R(0.0) ? arm : ecp_v3(0, 0, 0);
    if (p->width == 1) {
        return;
    }
    ecp_real P[3], D[3][3];
    ecp_project_cone(x, P, D);
    const ecp_vec3 E0 = ecp_v3_scale(inv, v->E[0]), E1 = ecp_v3_scale(inv, v->E[1]);
    for (int j = 0; j < 3; j++) {
        q->dra[p->first + j] = ecp_v3_axpy(ecp_v3_axpy(ecp_v3_scale(D[0][j], arm), D[1][j], E0), D[2][j], E1);
    }
    add_arm(&q->Ga, inv, v, P);
    add_arm(&q->GS, ECP_R(1.0), v, x);
}

void ecp_jacobian_open(const ecp_patch *c, const ecp_real *s, ecp_shares *q)
{
    const ecp_mat3 zero = { { { 0 } } };
    const ecp_real inv = ECP_R(1.0) / c->weight_sum;
    q->GS = q->HS = q->Ga = q->Ha = zero;
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        const ecp_real *x = s + p->first;
        const ecp_mat3 turn = ecp_m3_skew(ecp_v3_scale(ECP_R(-1.0), p->r));
        const ecp_mat3 *G = &turn;
        if (p->kind == ECP_GEN_ELLIPSOID) {
            const ecp_curve *v = ecp_patch_curve(c, p);
            add_scaled(&q->HS, x[0], &v->H);
            add_scaled(&q->Ha, inv * c->w_k[k], &v->H);
            G = &v->G;
        }
        add_scaled(&q->GS, x[0], G);
        add_scaled(&q->Ga, inv * c->w_k[k], G);
        ecp_by_impulse(c, p, x, q);
    }
}

// part of a across N
static ecp_vec3 across(const ecp_patch *c, ecp_vec3 a)
{
    return ecp_v3_axpy(a, -ecp_v3_dot(c->n, a), c->n);
}

// a half-space moves as prescribed: nothing turns the normal then
static bool of_reference(const ecp_direction *d)
{
    return ECP_WITH_PAIRS && d->reference;
}

static bool turns(const ecp_direction *d)
{
    return ECP_WITH_PAIRS && d->turns;
}

ecp_direction ecp_jacobian_motion(const ecp_island *is, const ecp_patch *c, int j)
{
    const int i = j % 6;
    const ecp_vec3 e = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
    ecp_direction d = { .reference = ECP_WITH_PAIRS && j >= 6, .side = -1 };
    if (i < 3) {
        d.dv = e;
        d.dV = ecp_v3_scale(d.reference ? -is->tau : is->tau, e);
        d.turns = ecp_patch_round(c);
        d.dN = ecp_patch_round(c) ? ecp_v3_scale(ECP_R(1.0) / c->length, across(c, d.dV)) : d.dN;
        return d;
    }
    d.dw = e;
    if (d.reference) {
        d.f_R = ecp_m3_column(&is->body[c->R].Fm, i - 3);
        d.turns = !ecp_patch_round(c);
        d.dN = ecp_patch_round(c) ? d.dN : ecp_v3_cross(d.f_R, c->n);
    } else {
        d.f_I = ecp_m3_column(&is->body[c->I].Fm, i - 3);
    }
    return d;
}

ecp_direction ecp_jacobian_side(const ecp_patch *c, int j)
{
    const ecp_vec3 dN = ecp_v3_scale(ECP_R(1.0) / c->length, across(c, ecp_patch_side(c, j)));
    return (ecp_direction){ .side = j, .turns = true, .dN = dN };
}

static void change_gaps(const ecp_island *is, const ecp_patch *c, const ecp_direction *d, ecp_change *out)
{
    const ecp_real inv = ECP_R(1.0) / is->tau;
    const bool turned = of_reference(d) && !ecp_patch_round(c);
    for (int k = 0; k < c->point_count; k++) {
        const ecp_point *p = &c->point[k];
        if (ECP_WITH_PAIRS && d->side >= 0) {
            const ecp_real gap = is->tau * p->y + p->snap;
            out->Y[p->first] = inv * (p->side[d->side] - gap * ecp_v3_dot(c->n, ecp_patch_side(c, d->side))) / c->length;
        } else {
            const ecp_vec3 W = ecp_v3_add(c->W0, p->r);
            ecp_real g = ecp_v3_dot(c->n, d->dV) + ecp_v3_dot(d->f_I, ecp_v3_cross(p->r, c->n));
            g -= turned ? ecp_v3_dot(d->f_R, ecp_v3_cross(W, c->n)) : ECP_R(0.0);
            out->Y[p->first] = inv * g;
        }
        for (int i = 0; i < p->width - 1; i++) {
            const ecp_vec3 E = ecp_patch_curve(c, p)->E[i];
            const ecp_real g = ecp_v3_dot(d->f_I, ecp_v3_cross(E, c->n)) + ecp_v3_dot(d->dN, E);
            out->Y[p->first + 1 + i] = inv * g;
        }
    }
}

static void change_slacks(const ecp_patch *c, const ecp_direction *d, ecp_vec3 dS, ecp_change *out)
{
    const ecp_vec3 dSR = ecp_v3_axpy(dS, c->px, d->dV), SR = ecp_v3_axpy(c->S, c->px, c->W0);
    for (int j = 0; j < ecp_patch_sides(c); j++) {
        const ecp_vec3 b = ecp_patch_side(c, j);
        out->slack[j] = -ecp_v3_dot(b, dSR) - ecp_v3_dot(ecp_v3_cross(d->f_R, b), SR);
    }
}

// dvc = dv_I + dw_I x ra + w_I x dra - dv_R - dw_R x rb - w_R x (dra + dV), and the turn of the tangents
static void change_slip(const ecp_island *is, const ecp_patch *c, const ecp_direction *d, ecp_vec3 dra,
                        ecp_vec3 Phi, ecp_change *out)
{
    const ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    const ecp_vec3 dw = of_reference(d) ? ecp_v3_scale(ECP_R(-1.0), d->dw) : d->dw;
    const ecp_vec3 w = ecp_v3_sub(I->w, R->w);
    const ecp_vec3 own = ecp_v3_add(d->dv, ecp_v3_cross(d->dw, of_reference(d) ? c->rb : c->ra));
    ecp_vec3 dvc = ecp_v3_add(of_reference(d) ? ecp_v3_scale(ECP_R(-1.0), own) : own, ecp_v3_cross(w, dra));
    dvc = ecp_v3_sub(dvc, ecp_v3_cross(R->w, d->dV));
    out->vhat[0] = c->e[0] * ecp_v3_dot(c->t, dvc);
    out->vhat[1] = c->e[1] * ecp_v3_dot(c->o, dvc);
    out->vhat[2] = c->e[2] * ecp_v3_dot(c->n, dw);
    if (turns(d)) {
        out->vhat[0] += c->e[0] * ecp_v3_dot(ecp_v3_cross(Phi, c->t), c->vc);
        out->vhat[1] += c->e[1] * ecp_v3_dot(ecp_v3_cross(Phi, c->o), c->vc);
        out->vhat[2] += c->e[2] * ecp_v3_dot(d->dN, w);
    }
}

void ecp_jacobian_change(const ecp_island *is, const ecp_patch *c, const ecp_shares *q, const ecp_direction *d,
                         ecp_real pr_hat, ecp_change *out)
{
    ecp_vec3 dS = ecp_m3_mulv(&q->GS, d->f_I), dra = ecp_m3_mulv(&q->Ga, d->f_I), Phi = { 0, 0, 0 };
    out->force = ecp_v3(0, 0, 0);
    if (turns(d)) {
        const ecp_real k = -ecp_v3_dot(c->n, c->axis) * ecp_v3_dot(c->o, d->dN) / c->reach;
        Phi = ecp_v3_axpy(ecp_v3_cross(c->n, d->dN), k, c->n);
        dS = ecp_v3_add(dS, ecp_m3_mulv(&q->HS, d->dN));
        dra = ecp_v3_add(dra, ecp_m3_mulv(&q->Ha, d->dN));
        out->force = ecp_v3_axpy(ecp_v3_cross(Phi, c->Pt), c->px, d->dN);
    }
    out->moment = ecp_v3_add(ecp_v3_cross(dS, c->n), ecp_v3_cross(dra, c->Pt));
    if (turns(d)) {
        out->moment = ecp_v3_add(out->moment, ecp_v3_cross(c->S, d->dN));
        out->moment = ecp_v3_add(out->moment, ecp_v3_cross(c->ra, ecp_v3_cross(Phi, c->Pt)));
        out->moment = ecp_v3_axpy(out->moment, c->e[2] * pr_hat, d->dN);
    }
    change_gaps(is, c, d, out);
    change_slacks(c, d, dS, out);
    change_slip(is, c, d, dra, Phi, out);
}
