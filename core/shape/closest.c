// closest.c - which direction has the largest gap, and where the shapes are nearest along it.
#include "shape/closest.h"

#include "shape/core.h"

// corners this part of the sizes above the lowest count as lowest
#define TIE (ECP_REAL_BITS == 32 ? ECP_R(2e-6) : ECP_R(2e-13))

// upper bound and best gap agree to rounding: nothing is left to find
static bool settled(const ecp_core *c, const ecp_gjk *g)
{
    return g->distance - g->best.h <= ECP_R(16.0) * ECP_REAL_EPS * c->size;
}

static void search(const ecp_core *c, ecp_gjk *g)
{
    *g = ecp_core_gjk(c);
    if (g->distance > ECP_R(0.0) && settled(c, g)) {
        return;
    }
    ecp_axis_faces(c, &g->best);
    if (!settled(c, g)) {
        ecp_axis_edges(c, &g->best);
    }
}

ecp_closest_points ecp_closest(const ecp_posed *A, const ecp_posed *B)
{
    const ecp_core c = ecp_core_of(A, B);
    ecp_gjk g;
    search(&c, &g);
    ecp_closest_points p = { .gap = g.best.h - c.margin_a - c.margin_b, .n = g.best.n };
    p.a = ecp_pair_centre(A, B, p.n, TIE * c.size);
    p.b = ecp_v3_axpy(p.a, -p.gap, p.n);
    return p;
}
