#include "shape/convex.h"

// plane g.y - d                                                                        [S1]
static ecp_facet_value plane_eval(ecp_vec3 n, ecp_real d, ecp_vec3 y)
{
    return (ecp_facet_value){ .f = ecp_v3_dot(n, y) - d, .g = n };
}

// quadric (rho/2) (y^T Q y - 1), Q = diag(q), rho the least semi-axis: unit gradient there  [S2]
static ecp_facet_value quadric_eval(ecp_vec3 q, ecp_real rho, ecp_vec3 y)
{
    const ecp_vec3 qy = ecp_v3_mul(q, y);
    ecp_facet_value v = { .f = ECP_R(0.5) * rho * (ecp_v3_dot(qy, y) - ECP_R(1.0)),
                          .g = ecp_v3_scale(rho, qy) };
    v.H.m[0][0] = rho * q.x;
    v.H.m[1][1] = rho * q.y;
    v.H.m[2][2] = rho * q.z;
    return v;
}

// cone side (sqrt(x^2+y^2+eps^2) - k (za - z))/sqrt(1+k^2), k = radius/height           [S3]
static ecp_facet_value cone_eval(ecp_real radius, ecp_real height, ecp_vec3 y)
{
    const ecp_real eps = ECP_CONE_ROUNDING * radius;
    const ecp_real k = radius / height, za = ECP_R(0.75) * height;
    const ecp_real s = ECP_R(1.0) / ecp_sqrt(ECP_R(1.0) + k * k);
    const ecp_real r = ecp_sqrt(y.x * y.x + y.y * y.y + eps * eps);
    ecp_facet_value v = { .f = s * (r - k * (za - y.z)),
                          .g = { s * y.x / r, s * y.y / r, s * k } };
    const ecp_real r3 = r * r * r;
    v.H.m[0][0] = s * (y.y * y.y + eps * eps) / r3;
    v.H.m[1][1] = s * (y.x * y.x + eps * eps) / r3;
    v.H.m[0][1] = -s * y.x * y.y / r3;
    v.H.m[1][0] = v.H.m[0][1];
    return v;
}

int ecp_facet_count(const ecp_shape *shape)
{
    switch (shape->kind) {
    case ECP_SHAPE_HALFSPACE: return 1;
    case ECP_SHAPE_BOX: return 6;
    case ECP_SHAPE_ELLIPSOID: return 1;
    case ECP_SHAPE_CYLINDER: return 3;
    case ECP_SHAPE_CONE: return 2;
    default: return shape->plane_count;
    }
}

static ecp_facet_value box_eval(const ecp_shape *shape, int i, ecp_vec3 y)
{
    const ecp_real s = (i & 1) ? ECP_R(-1.0) : ECP_R(1.0);
    switch (i / 2) {
    case 0: return plane_eval(ecp_v3(s, 0, 0), shape->size.x, y);
    case 1: return plane_eval(ecp_v3(0, s, 0), shape->size.y, y);
    default: return plane_eval(ecp_v3(0, 0, s), shape->size.z, y);
    }
}

ecp_facet_value ecp_facet_eval(const ecp_shape *shape, int i, ecp_vec3 y)
{
    const ecp_vec3 s = shape->size;
    switch (shape->kind) {
    case ECP_SHAPE_HALFSPACE: return plane_eval(s, shape->offset, y);
    case ECP_SHAPE_BOX: return box_eval(shape, i, y);
    case ECP_SHAPE_ELLIPSOID: {
        const ecp_vec3 q = { ECP_R(1.0) / (s.x * s.x), ECP_R(1.0) / (s.y * s.y),
                             ECP_R(1.0) / (s.z * s.z) };
        return quadric_eval(q, ecp_min(s.x, ecp_min(s.y, s.z)), y);
    }
    case ECP_SHAPE_CYLINDER: {
        const ecp_real q = ECP_R(1.0) / (s.x * s.x);
        if (i == 0) {
            return quadric_eval(ecp_v3(q, q, 0), s.x, y);
        }
        return plane_eval(ecp_v3(0, 0, i == 1 ? ECP_R(1.0) : ECP_R(-1.0)), s.z, y);
    }
    case ECP_SHAPE_CONE:
        return i == 0 ? cone_eval(s.x, s.z, y)
                      : plane_eval(ecp_v3(0, 0, ECP_R(-1.0)), ECP_R(0.25) * s.z, y);
    default: return plane_eval(shape->planes[i].n, shape->planes[i].d, y);
    }
}

int ecp_generator_count(const ecp_shape *shape)
{
    switch (shape->kind) {
    case ECP_SHAPE_HALFSPACE: return 0;
    case ECP_SHAPE_BOX: return 8;
    case ECP_SHAPE_ELLIPSOID: return 1;
    case ECP_SHAPE_CYLINDER:
    case ECP_SHAPE_CONE: return 2;
    default: return shape->vertex_count;
    }
}

ecp_generator ecp_generator_get(const ecp_shape *shape, int i)
{
    const ecp_vec3 s = shape->size;
    ecp_generator g = { .kind = ECP_GEN_VERTEX };
    switch (shape->kind) {
    case ECP_SHAPE_BOX:
        g.y = ecp_v3((i & 1) ? s.x : -s.x, (i & 2) ? s.y : -s.y, (i & 4) ? s.z : -s.z);
        break;
    case ECP_SHAPE_ELLIPSOID:
        g.kind = ECP_GEN_ELLIPSOID;
        g.size = s;
        break;
    case ECP_SHAPE_CYLINDER:
        g.kind = ECP_GEN_DISC;
        g.y.z = i == 0 ? -s.z : s.z;
        g.size = ecp_v3(s.x, s.x, 0);
        break;
    case ECP_SHAPE_CONE:
        if (i == 0) {
            g.kind = ECP_GEN_DISC;
            g.size = ecp_v3(s.x, s.x, 0);
        }
        g.y.z = i == 0 ? ECP_R(-0.25) * s.z : ECP_R(0.75) * s.z;
        break;
    default: g.y = shape->vertices[i]; break;
    }
    return g;
}

ecp_real ecp_generator_support(ecp_generator g, ecp_vec3 d, ecp_vec3 *where)
{
    const ecp_vec3 Ad = ecp_v3_mul(g.size, d);
    const ecp_real q = ecp_v3_norm(Ad);
    *where = g.y;
    if (q > ECP_R(0.0)) {
        *where = ecp_v3_axpy(g.y, ECP_R(-1.0) / q, ecp_v3_mul(g.size, Ad));
    }
    return ecp_v3_dot(d, g.y) - q;
}

ecp_real ecp_support(const ecp_shape *shape, ecp_vec3 direction, ecp_real tie, ecp_vec3 *where)
{
    const int n = ecp_generator_count(shape);
    ecp_real least = ECP_REAL_MAX;
    ecp_vec3 y, sum = { 0, 0, 0 };
    for (int i = 0; i < n; i++) {
        least = ecp_min(least, ecp_generator_support(ecp_generator_get(shape, i), direction, &y));
    }
    if (where == NULL) {
        return least;
    }
    ecp_real ties = 0;
    for (int i = 0; i < n; i++) {
        if (ecp_generator_support(ecp_generator_get(shape, i), direction, &y) <= least + tie) {
            sum = ecp_v3_add(sum, y);
            ties += ECP_R(1.0);
        }
    }
    *where = ecp_v3_scale(ECP_R(1.0) / ecp_max(ties, ECP_R(1.0)), sum);
    return least;
}

ecp_real ecp_shape_radius(const ecp_shape *shape)
{
    const int n = ecp_generator_count(shape);
    ecp_real r = 0;
    for (int i = 0; i < n; i++) {
        const ecp_generator g = ecp_generator_get(shape, i);
        const ecp_real rho = g.size.x;
        ecp_real reach = ecp_v3_norm(g.y);
        if (g.kind == ECP_GEN_DISC) {
            reach = ecp_sqrt(ecp_v3_dot(g.y, g.y) + rho * rho);
        } else if (g.kind == ECP_GEN_ELLIPSOID) {
            reach += ecp_max(rho, ecp_max(g.size.y, g.size.z));
        }
        r = ecp_max(r, reach);
    }
    return r;
}
