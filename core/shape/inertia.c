// inertia.c - mass properties of uniform density.  Layer: shape.
#include "shape/convex.h"

static void diagonal(ecp_real mass, ecp_real xx, ecp_real yy, ecp_real zz, ecp_real I[6])
{
    I[0] = mass * xx;
    I[1] = mass * yy;
    I[2] = mass * zz;
    I[3] = I[4] = I[5] = 0;
}

typedef struct moments {
    ecp_real volume;     // times 6
    ecp_vec3 first;      // integral of y, times 24
    ecp_real second[6];  // integral of y y^T, times 120: xx yy zz xy xz yz
} moments;

// tetrahedron (origin, a, b, c): integral y y^T = 6V/120 (sum of a a^T + (a+b+c)(a+b+c)^T)
static void add_tetrahedron(moments *m, ecp_vec3 a, ecp_vec3 b, ecp_vec3 c)
{
    const ecp_real v = ecp_fabs(ecp_v3_dot(a, ecp_v3_cross(b, c)));
    const ecp_vec3 s = ecp_v3_add(a, ecp_v3_add(b, c));
    const ecp_vec3 p[4] = { a, b, c, s };
    m->volume += v;
    m->first = ecp_v3_axpy(m->first, v, s);
    for (int i = 0; i < 4; i++) {
        m->second[0] += v * p[i].x * p[i].x;
        m->second[1] += v * p[i].y * p[i].y;
        m->second[2] += v * p[i].z * p[i].z;
        m->second[3] += v * p[i].x * p[i].y;
        m->second[4] += v * p[i].x * p[i].z;
        m->second[5] += v * p[i].y * p[i].z;
    }
}

// next vertex of facet p counterclockwise from u: the one that has all others on its left
static int next_vertex(const ecp_shape *s, int p, int u, ecp_real tol)
{
    int best = -1;
    for (int v = 0; v < s->vertex_count; v++) {
        if (v == u || ecp_fabs(ecp_facet_eval(s, p, s->vertices[v]).f) > tol) {
            continue;
        }
        if (best < 0) {
            best = v;
            continue;
        }
        const ecp_vec3 e = ecp_v3_sub(s->vertices[best], s->vertices[u]);
        const ecp_vec3 d = ecp_v3_sub(s->vertices[v], s->vertices[u]);
        if (ecp_v3_dot(ecp_v3_cross(e, d), s->planes[p].n) < ECP_R(0.0)) {
            best = v;
        }
    }
    return best;
}

static void polytope_moments(const ecp_shape *s, moments *m)
{
    const ecp_real tol = ECP_R(1e6) * ECP_REAL_EPS * ecp_shape_radius(s) *
                         (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1.0));
    for (int p = 0; p < s->plane_count; p++) {
        int first = 0;
        while (first < s->vertex_count - 1 &&
               ecp_fabs(ecp_facet_eval(s, p, s->vertices[first]).f) > tol) {
            first++;
        }
        int u = next_vertex(s, p, first, tol);
        for (int k = 0; k < s->vertex_count && u >= 0 && u != first; k++) {
            const int v = next_vertex(s, p, u, tol);
            if (v < 0 || v == first) {
                break;
            }
            add_tetrahedron(m, s->vertices[first], s->vertices[u], s->vertices[v]);
            u = v;
        }
    }
}

static ecp_status polytope_inertia(const ecp_shape *s, ecp_real mass, ecp_vec3 *centroid, ecp_real I[6])
{
    moments m = { .volume = 0 };
    polytope_moments(s, &m);
    if (!(m.volume > ECP_R(0.0))) {
        return ECP_E_SHAPE;
    }
    *centroid = ecp_v3_scale(ECP_R(0.25) / m.volume, m.first);
    const ecp_real k = mass / (ECP_R(20.0) * m.volume);
    const ecp_real *q = m.second;
    I[0] = k * (q[1] + q[2]);
    I[1] = k * (q[0] + q[2]);
    I[2] = k * (q[0] + q[1]);
    I[3] = -k * q[3];
    I[4] = -k * q[4];
    I[5] = -k * q[5];
    return ECP_OK;
}

ecp_status ecp_shape_inertia(const ecp_shape *shape, ecp_real mass, ecp_vec3 *centroid,
                             ecp_real inertia[6])
{
    if (shape == NULL || centroid == NULL || inertia == NULL || !ecp_finite(mass)) {
        return ECP_E_ARG;
    }
    const ecp_real x2 = shape->size.x * shape->size.x, y2 = shape->size.y * shape->size.y;
    const ecp_real z2 = shape->size.z * shape->size.z;
    *centroid = ecp_v3(0, 0, 0);
    switch (shape->kind) {
    case ECP_SHAPE_BOX:
        diagonal(mass / ECP_R(3.0), y2 + z2, x2 + z2, x2 + y2, inertia);
        return ECP_OK;
    case ECP_SHAPE_ELLIPSOID:
        diagonal(mass / ECP_R(5.0), y2 + z2, x2 + z2, x2 + y2, inertia);
        return ECP_OK;
    case ECP_SHAPE_CYLINDER: {
        const ecp_real side = x2 / ECP_R(4.0) + z2 / ECP_R(3.0);
        diagonal(mass, side, side, x2 / ECP_R(2.0), inertia);
        return ECP_OK;
    }
    case ECP_SHAPE_CONE: {
        const ecp_real side = ECP_R(0.15) * x2 + ECP_R(0.0375) * z2;
        diagonal(mass, side, side, ECP_R(0.3) * x2, inertia);
        return ECP_OK;
    }
    case ECP_SHAPE_POLYTOPE: return polytope_inertia(shape, mass, centroid, inertia);
    default: return ECP_E_SHAPE;
    }
}
