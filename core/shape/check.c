// check.c - validation of shapes: what the solver relies on.  Layer: shape.
#include "shape/convex.h"

static ecp_status refuse(const char **why, ecp_status status, const char *text)
{
    if (why != NULL) {
        *why = text;
    }
    return status;
}

// the reciprocal is still finite
#define LEAST_SQUARE (ECP_R(4.0) / ECP_REAL_MAX)

// positive lengths whose squares neither overflow nor vanish: radius and curvature are made of them
static bool positive(ecp_vec3 s)
{
    const ecp_vec3 q = ecp_v3_mul(s, s);
    return s.x > ECP_R(0.0) && s.y > ECP_R(0.0) && s.z > ECP_R(0.0) && ecp_finite(q.x + q.y + q.z) &&
           q.x > LEAST_SQUARE && q.y > LEAST_SQUARE && q.z > LEAST_SQUARE;
}

static bool unit(ecp_vec3 n)
{
    return ecp_v3_finite(n) &&
           ecp_fabs(ecp_v3_norm(n) - ECP_R(1.0)) <= ECP_R(16.0) * ECP_REAL_EPS;
}

static bool on_plane(const ecp_shape *s, int plane, int vertex, ecp_real tol)
{
    return ecp_fabs(ecp_facet_eval(s, plane, s->vertices[vertex]).f) <= tol;
}

// planes, other than plane p, that hold both vertices u and v
static int planes_through(const ecp_shape *s, int p, int u, int v, ecp_real tol)
{
    int count = 0;
    for (int i = 0; i < s->plane_count; i++) {
        count += (i != p && on_plane(s, i, u, tol) && on_plane(s, i, v, tol)) ? 1 : 0;
    }
    return count;
}

// every vertex of a facet has two edges in it, each shared with another facet: then the surface is
// closed, so the shape is bounded and planes and vertices describe the same body
static const char *facet_fault(const ecp_shape *s, int p, ecp_real tol)
{
    int on = 0;
    for (int u = 0; u < s->vertex_count; u++) {
        if (!on_plane(s, p, u, tol)) {
            continue;
        }
        int edges = 0;
        for (int v = 0; v < s->vertex_count; v++) {
            edges += (v != u && on_plane(s, p, v, tol) && planes_through(s, p, u, v, tol) > 0);
        }
        if (edges < 2) {
            return "polytope is not closed: unbounded, or vertices and planes do not match";
        }
        on++;
    }
    return on < 3 ? "polytope has a plane with fewer than three vertices" : NULL;
}

static ecp_status polytope_check(const ecp_shape *s, const char **why)
{
    if (s->planes == NULL || s->vertices == NULL || s->plane_count < 4 || s->vertex_count < 4) {
        return refuse(why, ECP_E_SHAPE, "polytope needs at least four planes and four vertices");
    }
    if (s->plane_count > ECP_MAX_FACETS || s->vertex_count > ECP_MAX_VERTICES) {
        return refuse(why, ECP_E_LIMIT, "polytope has more facets than ECP_MAX_FACETS allows");
    }
    for (int v = 0; v < s->vertex_count; v++) {
        const ecp_vec3 y = s->vertices[v];
        if (!ecp_v3_finite(y) || !ecp_finite(ecp_v3_dot(y, y))) {
            return refuse(why, ECP_E_SHAPE, "polytope has a vertex that is not finite or too far out");
        }
    }
    const ecp_real tol = ECP_R(1e6) * ECP_REAL_EPS * ecp_shape_radius(s) *
                         (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1.0));
    for (int p = 0; p < s->plane_count; p++) {
        if (!unit(s->planes[p].n) || !ecp_finite(s->planes[p].d)) {
            return refuse(why, ECP_E_SHAPE, "polytope has a plane without unit normal");
        }
        if (s->planes[p].d <= tol) {
            return refuse(why, ECP_E_SHAPE, "polytope does not have the origin inside");
        }
    }
    for (int p = 0; p < s->plane_count; p++) {
        for (int v = 0; v < s->vertex_count; v++) {
            if (ecp_facet_eval(s, p, s->vertices[v]).f > tol) {
                return refuse(why, ECP_E_SHAPE, "polytope has a vertex beyond a plane");
            }
        }
        const char *fault = facet_fault(s, p, tol);
        if (fault != NULL) {
            return refuse(why, ECP_E_SHAPE, fault);
        }
    }
    return ECP_OK;
}

ecp_status ecp_shape_check(const ecp_shape *shape, const char **why)
{
    if (shape == NULL) {
        return refuse(why, ECP_E_ARG, "shape is null");
    }
    switch (shape->kind) {
    case ECP_SHAPE_HALFSPACE:
        return unit(shape->size) && ecp_finite(shape->offset)
                   ? ECP_OK
                   : refuse(why, ECP_E_SHAPE, "half-space needs a unit normal and a finite offset");
    case ECP_SHAPE_BOX:
    case ECP_SHAPE_ELLIPSOID:
        return positive(shape->size)
                   ? ECP_OK
                   : refuse(why, ECP_E_SHAPE, "shape needs sizes that are positive and neither huge nor tiny");
    case ECP_SHAPE_CYLINDER:
    case ECP_SHAPE_CONE:
        return positive(shape->size) && !(shape->size.x < shape->size.y) &&
                       !(shape->size.x > shape->size.y)
                   ? ECP_OK
                   : refuse(why, ECP_E_SHAPE, "shape needs a radius and a length, positive and neither huge nor tiny");
    case ECP_SHAPE_POLYTOPE: return polytope_check(shape, why);
    default: return refuse(why, ECP_E_SHAPE, "shape has an unknown kind");
    }
}
