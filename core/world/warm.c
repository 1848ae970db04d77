#include "world/warm.h"

// name of one unknown that outlives the step: generator and component (3: a single point)
static int16_t feature_key(const ecp_point *p, int component)
{
    return (int16_t)(4 * p->feature + (p->kind == ECP_GEN_DISC ? component : 3));
}

static ecp_real warm_value(const ecp_warm *w, int16_t key)
{
    for (int k = 0; k < ecp_warm_count(w); k++) {
        if (w->feature[k] == key) {
            return w->lam[k];
        }
    }
    return 0;
}

static int16_t incident_of(const ecp_case *c, const ecp_patch *p)
{
    const ecp_world *w = c->sub->world;
    return c->sub->touch[p->contact].I == w->contact[p->contact].a ? 1 : 2;
}

static bool usable(const ecp_case *c, const ecp_patch *p)
{
    const ecp_warm *w = &c->sub->world->contact[p->contact].warm;
    return w->count > 0 && w->incident == incident_of(c, p);
}

static void guess_patch(const ecp_case *c, const ecp_patch *p, ecp_real *s)
{
    const ecp_real k = ECP_R(1.0) / (c->scale.m * c->scale.U);
    const ecp_warm *w = &c->sub->world->contact[p->contact].warm;
    for (int q = 0; q < p->point_count; q++) {
        for (int j = 0; j < p->point[q].width; j++) {
            s[p->point[q].first + j] = k * warm_value(w, feature_key(&p->point[q], j));
        }
    }
    for (int j = 0; j < 3; j++) {
        s[ecp_patch_friction(p) + j] = k * w->phat[j] / (j == 2 ? c->scale.L : ECP_R(1.0));
    }
}

bool ecp_warm_guess(const ecp_case *c, ecp_real *z)
{
    ecp_island *is = ecp_case_island(c);
    ecp_real *s = z + ecp_island_first(is);
    bool any = false;
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        if (usable(c, p)) {
            guess_patch(c, p, s);
            any = true;
        }
        s += ecp_patch_size(p);
    }
    if (any) {
        ecp_island_start(is, z);
    }
    for (int i = 0; i < is->n; i++) {
        any = any && ecp_finite(z[i]);
    }
    return any;
}

// phat of torsion is pr/er: with er in radii, N s as the others
void ecp_warm_keep(const ecp_case *c)
{
    const ecp_island *is = ecp_case_island(c);
    const ecp_real k = c->scale.m * c->scale.U;
    const ecp_real *s = ecp_case_vectors(c) + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *p = &is->patch[i];
        ecp_warm *w = &c->sub->world->contact[p->contact].warm;
        w->count = p->width;
        w->incident = incident_of(c, p);
        w->facet = (int16_t)c->sub->touch[p->contact].facet;
        for (int q = 0; q < p->point_count; q++) {
            for (int j = 0; j < p->point[q].width; j++) {
                w->feature[p->point[q].first + j] = feature_key(&p->point[q], j);
                w->lam[p->point[q].first + j] = k * s[p->point[q].first + j];
            }
        }
        for (int j = 0; j < ECP_MAX_SIDES; j++) {
            w->side[j] = (int16_t)(j < ecp_patch_sides(p) ? p->side[j] : -1);
            w->eta[j] = j < ecp_patch_sides(p) ? s[p->width + j] : ECP_R(0.0);
        }
        for (int j = 0; j < 3; j++) {
            w->phat[j] = k * s[ecp_patch_friction(p) + j] * (j == 2 ? c->scale.L : ECP_R(1.0));
        }
        s += ecp_patch_size(p);
    }
}
