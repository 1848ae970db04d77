// accept.c - checks of an end pose that know nothing of how it was found.
#include "world/accept.h"

#include "shape/closest.h"
#include "world/ladder.h"
#include "world/pairs.h"

// generator of I that is deepest along n at the given pose, or -1 for one that has no choice
static int16_t deepest(const ecp_shape *shape, const ecp_state *s, ecp_vec3 n)
{
    const ecp_mat3 R = ecp_quat_matrix(s->orientation);
    const ecp_vec3 n_b = ecp_m3_tmulv(&R, n);
    ecp_real least = ECP_REAL_MAX;
    int16_t at = -1;
    for (int i = 0; i < ecp_generator_count(shape); i++) {
        const ecp_real g = ecp_v3_dot(n_b, ecp_generator_get(shape, i).y);
        if (g < least) {
            least = g;
            at = (int16_t)i;
        }
    }
    return at;
}

static const ecp_patch *patch_of(const ecp_island *is, int contact)
{
    for (int i = 0; i < is->patch_count; i++) {
        if (is->patch[i].contact == contact) {
            return &is->patch[i];
        }
    }
    return NULL;
}

// true signed distance of a pair at the end; *n from B to A. Far apart only the bound.
static ecp_real pair_gap(const ecp_substep *sub, int k, ecp_vec3 *n)
{
    const ecp_world *w = sub->world;
    const ecp_contact *c = &w->contact[k];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    const ecp_real bound = ecp_pair_bound(a, &sub->end[c->a], b, &sub->end[c->b]);
    if (bound > ECP_R(0.0)) {
        *n = ecp_v3(0, 0, 0);
        return bound;
    }
    const ecp_posed A = ecp_posed_at(a->shape, &sub->end[c->a]), B = ecp_posed_at(b->shape, &sub->end[c->b]);
    const ecp_closest_points p = ecp_closest(&A, &B);
    *n = p.n;
    return p.gap;
}

// the ECP within all facets of the reference, also those that are no side of this solve
static bool within_reference(const ecp_case *c, const ecp_patch *p, ecp_touch *t)
{
    const ecp_world *w = c->sub->world;
    const ecp_mat3 R = ecp_quat_matrix(c->sub->end[t->R].orientation);
    const ecp_vec3 y = ecp_m3_tmulv(&R, ecp_v3_scale(c->scale.L, p->rb));
    const ecp_real tol = (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1e-7)) * c->scale.L;
    ecp_real worst = tol;
    t->extra_side = -1;
    for (int i = 0; i < ecp_facet_count(w->body[t->R].shape); i++) {
        const ecp_real f = ecp_facet_eval(w->body[t->R].shape, i, y).f;
        bool known = i == t->facet;
        for (int j = 0; j < ecp_patch_sides(p); j++) {
            known = known || p->side[j] == i;
        }
        if (f > worst && !known) {
            worst = f;
            t->extra_side = (int16_t)i;
        }
    }
    return t->extra_side < 0;
}

static bool accept_plane(ecp_case *c, int k, ecp_real least)
{
    ecp_touch *t = &c->sub->touch[k];
    const ecp_world *w = c->sub->world;
    const ecp_world_plane plane = ecp_plane_at(w->body[t->R].shape, &c->sub->end[t->R]);
    if (ecp_plane_gap(w->body[t->I].shape, &c->sub->end[t->I], plane, NULL) >= least) {
        return true;
    }
    t->in = true;
    t->extra = deepest(w->body[t->I].shape, &c->sub->end[t->I], plane.n);
    return false;
}

// solve again with it, on the face and with the point that the end shows: where the normal of a pressing
// contact has turned beyond the cone of an edge, on the face it has turned to
static void revise(ecp_case *c, int k, const ecp_patch *p, ecp_vec3 n)
{
    ecp_touch *t = &c->sub->touch[k];
    const ecp_world *w = c->sub->world;
    const bool first = t->I == w->contact[k].a, known = ecp_v3_dot(n, n) > ECP_R(0.5);
    const bool presses = p != NULL && p->px > ECP_R(0.0);
    ecp_vec3 N = first ? n : ecp_v3_scale(ECP_R(-1.0), n);
    t->in = true;
    if (presses) {
        N = p->n;
    }
    if (!(presses && ecp_pair_turn(w, &c->sub->end[t->R], p->n, t)) && known &&
        (p == NULL || ecp_fabs(ecp_v3_dot(n, p->n)) < ECP_R(0.9999))) {
        ecp_pair_choose(w, k, n, false, t);
        N = t->n;
    }
    t->extra = deepest(w->body[t->I].shape, &c->sub->end[t->I], N);
}

// where a contact presses, its normal itself must separate the shapes: then it is that of closest points
static bool accept_pair(ecp_case *c, int k, ecp_real least, bool fallback)
{
    ecp_touch *t = &c->sub->touch[k];
    const ecp_world *w = c->sub->world;
    const ecp_patch *p = t->in && !fallback ? patch_of(ecp_case_island(c), k) : NULL;
    const ecp_state *I = &c->sub->end[t->I], *R = &c->sub->end[t->R];
    ecp_vec3 n;
    if (p != NULL && ecp_pair_gap_along(t, w, I, R, p->n) >= least) {
        return ecp_patch_round(p) || !(p->px > ECP_R(0.0)) || within_reference(c, p, t);
    }
    const ecp_real gap = pair_gap(c->sub, k, &n);
    const bool presses = p != NULL && p->px > ECP_R(1e-9);
    if (gap >= least && !presses) {
        return true;
    }
    if (!fallback) {
        revise(c, k, p, n);
    }
    return false;
}

static ecp_real least_gap(const ecp_case *c, int k, bool fallback)
{
    const ecp_real radius = ecp_case_radius(c->sub, k);
    // a slack that does not add up over steps: no deeper than at the start, or than the slack
    if (fallback || c->loose) {
        return ecp_min(-(fallback ? ECP_FALLBACK_SLACK : ECP_RATES_SLACK) * radius, c->sub->touch[k].gap);
    }
    return ecp_min(-ECP_GAP_SLACK * radius,
                   ecp_case_gap_target(c, k) - ECP_R(0.1) * ECP_GAP_SLACK * radius);
}

bool ecp_accept(ecp_case *c, bool fallback)
{
    const ecp_world *w = c->sub->world;
    bool valid = true;
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_touch *t = &c->sub->touch[k];
        const int I = c->sub->root[t->I], R = c->sub->root[t->R];
        if (!ecp_case_of(c, k) || (I >= 0 && R >= 0 && I != R)) {
            continue;
        }
        const ecp_real least = least_gap(c, k, fallback);
        const bool ok = ecp_touch_flat(t) ? accept_plane(c, k, least) : accept_pair(c, k, least, fallback);
        valid = ok && valid;
    }
    return valid;
}

bool ecp_accept_between(ecp_substep *sub)
{
    const ecp_world *w = sub->world;
    bool valid = true;
    for (int k = 0; k < w->contact_count; k++) {
        ecp_touch *t = &sub->touch[k];
        ecp_vec3 n;
        if (t->in || ecp_touch_flat(t) || sub->root[t->I] < 0 || sub->root[t->R] < 0) {
            continue;
        }
        const ecp_real least = ecp_min(-ECP_GAP_SLACK * ecp_case_radius(sub, k), t->gap);
        if (pair_gap(sub, k, &n) < least) {
            t->in = true;
            valid = false;
        }
    }
    return valid;
}
