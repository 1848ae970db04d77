// closest.c - which direction has the largest gap, and where the shapes are nearest along it.
#include "shape/closest.h"

#include "shape/core.h"

// parts of the sizes: where Newton's method starts, how far support sets that meet may be apart, and
// what depth is no longer shallow
#define COARSE ECP_R(1e-6)
#define MISS (ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-11))
#define DEEP ECP_R(1e-4)

// upper bound and best gap agree to rounding: nothing is left to find
static bool settled(const ecp_core *c, const ecp_gjk *g)
{
    return g->distance - g->best.h <= ECP_R(16.0) * ECP_REAL_EPS * c->size;
}

// from the line between the origins
static ecp_vec3 start_of(const ecp_core *c)
{
    const ecp_real far = ecp_v3_norm(c->d);
    return far > ECP_R(4.0) * ECP_REAL_EPS * c->size ? ecp_v3_scale(ECP_R(1.0) / far, c->d) : ecp_v3(1, 0, 0);
}

static ecp_axis search_flat(const ecp_core *c)
{
    ecp_gjk g = ecp_core_gjk(c, start_of(c), 0);
    if (g.distance > ECP_R(0.0) && settled(c, &g)) {
        return g.best;
    }
    ecp_axis_faces(c, &g.best);
    if (!settled(c, &g)) {
        ecp_axis_edges(c, &g.best);
    }
    return g.best;
}

// the support sets along the best direction meet: no direction near it has a larger gap
static bool meets(const ecp_core *c, const ecp_axis *best)
{
    return ecp_pair_miss(c->A, c->B, best->n, ECP_CORE_TIE * c->size) <= MISS * c->size;
}

static ecp_axis search_curved(const ecp_core *c)
{
    ecp_axis best = ecp_core_gjk(c, start_of(c), COARSE * c->size).best;
    ecp_axis_newton(c, &best);
    ecp_axis_faces(c, &best);
    if (best.h > COARSE * c->size && meets(c, &best)) {
        return best;
    }
    const ecp_gjk g = ecp_core_gjk(c, best.n, 0);
    ecp_axis_try(c, g.best.n, &best);
    ecp_axis_newton(c, &best);
    if (!meets(c, &best)) {
        ecp_axis_climb(c, &best);
        ecp_axis_faces(c, &best);
    }
    // a shallow overlap has one best direction; of a deep one the nearest may not be the least
    if (best.h < -DEEP * c->size) {
        ecp_axis_net(c, &best);
    }
    return best;
}

ecp_closest_points ecp_closest(const ecp_posed *A, const ecp_posed *B)
{
    const ecp_core c = ecp_core_of(A, B);
    const ecp_axis best = c.curved ? search_curved(&c) : search_flat(&c);
    ecp_closest_points p = { .gap = best.h - c.margin_a - c.margin_b, .n = best.n };
    p.a = ecp_pair_centre(A, B, p.n, ECP_R(2.0) * ECP_CORE_TIE * c.size);
    p.b = ecp_v3_axpy(p.a, -p.gap, p.n);
    return p;
}
