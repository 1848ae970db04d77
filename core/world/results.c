#include "world/results.h"

#include "shape/closest.h"
#include "world/pairs.h"

// reduced mass of the moving bodies of a contact: impulses count as none below 1e-9 of it times U
static ecp_real contact_mass(const ecp_world *w, const ecp_touch *t)
{
    const ecp_body *I = &w->body[t->I], *R = &w->body[t->R];
    ecp_real inverse = I->kind == ECP_DYNAMIC ? ECP_R(1.0) / I->mass : ECP_R(0.0);
    inverse += R->kind == ECP_DYNAMIC ? ECP_R(1.0) / R->mass : ECP_R(0.0);
    return ECP_R(1.0) / inverse;
}

// a weak impulse says little of where its ECP is: then the distance itself is asked for
#define WEAK ECP_R(1e-5)

static ecp_real end_gap(const ecp_case *c, const ecp_patch *p)
{
    const ecp_touch *t = &c->sub->touch[p->contact];
    const ecp_world *w = c->sub->world;
    if (ecp_touch_flat(t)) {
        const ecp_world_plane plane = ecp_plane_at(w->body[t->R].shape, &c->sub->end[t->R]);
        return ecp_plane_gap(w->body[t->I].shape, &c->sub->end[t->I], plane, NULL);
    }
    if (p->px < WEAK * p->mk) {
        const ecp_posed I = ecp_posed_at(w->body[t->I].shape, &c->sub->end[t->I]);
        const ecp_posed R = ecp_posed_at(w->body[t->R].shape, &c->sub->end[t->R]);
        return ecp_closest(&I, &R).gap;
    }
    return ecp_pair_gap_along(t, w, &c->sub->end[t->I], &c->sub->end[t->R], p->n);
}

// the pair in the terms of the contract: n from B to A, point of A, force on A
static void place_result(const ecp_case *c, const ecp_patch *p, ecp_real gap, ecp_contact_report *r)
{
    const ecp_touch *t = &c->sub->touch[p->contact];
    const bool first = t->I == c->sub->world->contact[p->contact].a;
    r->a = ecp_v3_axpy(c->sub->end[t->I].position, c->scale.L, p->ra);
    r->t = p->t;
    r->n = p->n;
    if (!first && !ecp_touch_flat(t)) {
        r->a = ecp_v3_axpy(r->a, -gap, p->n);
        r->n = ecp_v3_scale(ECP_R(-1.0), p->n);
    }
}

static void add_patch(const ecp_case *c, const ecp_patch *p, const ecp_real *s)
{
    const ecp_real unit = c->scale.m * c->scale.U;
    const ecp_real *phat = s + ecp_patch_friction(p);
    const ecp_touch *t = &c->sub->touch[p->contact];
    ecp_world *w = c->sub->world;
    ecp_contact_report *r = &w->result[p->contact];
    const ecp_real f = ecp_sqrt(phat[0] * phat[0] + phat[1] * phat[1] + phat[2] * phat[2]);
    const ecp_real slip = ecp_sqrt(p->vhat[0] * p->vhat[0] + p->vhat[1] * p->vhat[1] +
                                   p->vhat[2] * p->vhat[2]);
    const ecp_real gap = end_gap(c, p);
    const bool reversed = !ecp_touch_flat(t) && t->I != w->contact[p->contact].a;
    // an impulse within the tolerance where nothing touches is a leftover of the solver
    const ecp_real least = ECP_R(1e-9) * contact_mass(w, t) / c->scale.m;
    r->mode = ECP_OPEN;
    r->sigma = r->reserve = 0;
    if (!(p->px > least) || gap > ECP_TOUCHING * ecp_case_radius(c->sub, p->contact)) {
        return;
    }
    r->pn += unit * p->px;
    r->pt += (reversed ? -unit : unit) * p->e[0] * phat[0];
    r->po += unit * p->e[1] * phat[1];
    r->pr += unit * c->scale.L * p->e[2] * phat[2];
    place_result(c, p, gap, r);
    r->sigma = c->scale.U * slip;
    r->mode = slip > (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1e-6)) ? ECP_SLIP : ECP_STICK;
    if (r->mode == ECP_STICK && p->mu > ECP_R(0.0)) {
        r->reserve = ecp_max(ECP_R(0.0), ECP_R(1.0) - f / (p->mu * p->px));
    }
}

void ecp_results_add(const ecp_case *c)
{
    const ecp_island *is = ecp_case_island(c);
    const ecp_real *s = ecp_case_vectors(c) + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        add_patch(c, &is->patch[i], s);
        s += ecp_patch_size(&is->patch[i]);
    }
}

void ecp_results_open(const ecp_case *c)
{
    ecp_world *w = c->sub->world;
    for (int k = 0; k < w->contact_count; k++) {
        if (ecp_case_in(c, k)) {
            w->contact[k].warm.count = 0;
            w->result[k].mode = ECP_OPEN;
            w->result[k].sigma = w->result[k].reserve = 0;
        }
    }
}
