#include "geometry.h"

#include <math.h>

double vec_norm(vec a)
{
    return sqrt(vec_dot(a, a));
}

vec vec_unit(vec a)
{
    return vec_scale(1.0 / vec_norm(a), a);
}

static vec turn_by(double w, vec v, double norm2, vec a)
{
    // a + 2 v x (v x a + w a)/|q|^2
    const vec inner = vec_add(vec_cross(v, a), vec_scale(w, a));
    return vec_add(a, vec_scale(2.0 / norm2, vec_cross(v, inner)));
}

vec turn(ecp_quat q, vec a)
{
    const vec v = { (double)q.x, (double)q.y, (double)q.z };
    const double w = (double)q.w;
    return turn_by(w, v, w * w + vec_dot(v, v), a);
}

vec turn_back(ecp_quat q, vec a)
{
    return turn((ecp_quat){ q.w, -q.x, -q.y, -q.z }, a);
}

ecp_quat turn_product(ecp_quat a, ecp_quat b)
{
    const vec u = { (double)a.x, (double)a.y, (double)a.z }, v = { (double)b.x, (double)b.y, (double)b.z };
    const double wa = (double)a.w, wb = (double)b.w;
    const vec r = vec_add(vec_cross(u, v), vec_add(vec_scale(wa, v), vec_scale(wb, u)));
    const double w = wa * wb - vec_dot(u, v), k = 1.0 / sqrt(w * w + vec_dot(r, r));
    return (ecp_quat){ (ecp_real)(k * w), (ecp_real)(k * r.x), (ecp_real)(k * r.y), (ecp_real)(k * r.z) };
}

ecp_quat turn_between(vec a, vec b)
{
    vec axis = vec_cross(a, b);
    double w = 1.0 + vec_dot(a, b);
    if (w < 1e-9) {
        // opposite: half a turn about any direction across a
        w = 0.0;
        axis = vec_cross(a, fabs(a.x) < 0.7 ? vec_of(1, 0, 0) : vec_of(0, 1, 0));
    }
    const double k = 1.0 / sqrt(w * w + vec_dot(axis, axis));
    return (ecp_quat){ (ecp_real)(k * w), (ecp_real)(k * axis.x), (ecp_real)(k * axis.y),
                       (ecp_real)(k * axis.z) };
}

double shape_reach(const ecp_shape *s)
{
    const vec a = vec_from(s->size);
    double reach = 0.0;
    switch (s->kind) {
    case ECP_SHAPE_BOX: return vec_norm(a);
    case ECP_SHAPE_ELLIPSOID: return fmax(a.x, fmax(a.y, a.z));
    case ECP_SHAPE_CYLINDER: return sqrt(a.x * a.x + a.z * a.z);
    case ECP_SHAPE_CONE: return fmax(0.75 * a.z, sqrt(a.x * a.x + a.z * a.z / 16.0));
    case ECP_SHAPE_POLYTOPE:
        for (int i = 0; i < s->vertex_count; i++) {
            reach = fmax(reach, vec_norm(vec_from(s->vertices[i])));
        }
        return reach;
    default: return 0.0;
    }
}

double shape_low(const ecp_shape *s, vec d)
{
    const vec a = vec_from(s->size);
    const double side = sqrt(d.x * d.x + d.y * d.y);
    double low = 1e300;
    switch (s->kind) {
    case ECP_SHAPE_BOX: return -(a.x * fabs(d.x) + a.y * fabs(d.y) + a.z * fabs(d.z));
    case ECP_SHAPE_ELLIPSOID: return -vec_norm(vec_of(a.x * d.x, a.y * d.y, a.z * d.z));
    case ECP_SHAPE_CYLINDER: return -(a.x * side + a.z * fabs(d.z));
    case ECP_SHAPE_CONE: return fmin(0.75 * a.z * d.z, -0.25 * a.z * d.z - a.x * side);
    case ECP_SHAPE_POLYTOPE:
        for (int i = 0; i < s->vertex_count; i++) {
            low = fmin(low, vec_dot(d, vec_from(s->vertices[i])));
        }
        return low;
    default: return 0.0;
    }
}

double shape_outside(const ecp_shape *s, vec y)
{
    const vec a = vec_from(s->size);
    const double side = sqrt(y.x * y.x + y.y * y.y);
    double out = -1e300;
    switch (s->kind) {
    case ECP_SHAPE_BOX: return fmax(fabs(y.x) - a.x, fmax(fabs(y.y) - a.y, fabs(y.z) - a.z));
    case ECP_SHAPE_ELLIPSOID:
        return (vec_norm(vec_of(y.x / a.x, y.y / a.y, y.z / a.z)) - 1.0) * fmin(a.x, fmin(a.y, a.z));
    case ECP_SHAPE_CYLINDER: return fmax(side - a.x, fabs(y.z) - a.z);
    case ECP_SHAPE_CONE: return fmax(-0.25 * a.z - y.z, side - a.x * (0.75 - y.z / a.z));
    case ECP_SHAPE_POLYTOPE:
        for (int i = 0; i < s->plane_count; i++) {
            out = fmax(out, vec_dot(vec_from(s->planes[i].n), y) - (double)s->planes[i].d);
        }
        return out;
    default: return 0.0;
    }
}

double shape_gap(const ecp_shape *shape, vec x, ecp_quat q, vec n, double offset)
{
    return vec_dot(n, x) - offset + shape_low(shape, turn_back(q, n));
}
