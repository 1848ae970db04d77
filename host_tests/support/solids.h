// solids.h - random convex shapes at random poses, and what is known about them independently of the
// library: supports, membership, the gap along a direction, in double.
#ifndef ECP_TEST_SOLIDS_H
#define ECP_TEST_SOLIDS_H

#include "test.h"

#include "hull.h"
#include "math/quat.h"
#include "shape/closest.h"

#define SOLID_FACETS 24

typedef struct solid {
    ecp_shape shape;
    ecp_posed pose;
    ecp_plane planes[SOLID_FACETS];
    ecp_vec3 vertices[2 * SOLID_FACETS];
} solid;

typedef struct dvec {
    double x, y, z;
} dvec;

static inline dvec dv(double x, double y, double z)
{
    return (dvec){ x, y, z };
}

static inline dvec dv_of(ecp_vec3 a)
{
    return dv((double)a.x, (double)a.y, (double)a.z);
}

static inline dvec dv_axpy(dvec a, double s, dvec b)
{
    return dv(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double dv_dot(dvec a, dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dvec dv_cross(dvec a, dvec b)
{
    return dv(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double dv_norm(dvec a)
{
    return sqrt(dv_dot(a, a));
}

static inline dvec solid_to_world(const solid *s, dvec y)
{
    const ecp_mat3 *R = &s->pose.R;
    const dvec x = dv_of(s->pose.x);
    return dv(x.x + (double)R->m[0][0] * y.x + (double)R->m[0][1] * y.y + (double)R->m[0][2] * y.z,
              x.y + (double)R->m[1][0] * y.x + (double)R->m[1][1] * y.y + (double)R->m[1][2] * y.z,
              x.z + (double)R->m[2][0] * y.x + (double)R->m[2][1] * y.y + (double)R->m[2][2] * y.z);
}

static inline dvec solid_turn_back(const solid *s, dvec d)
{
    const ecp_mat3 *R = &s->pose.R;
    return dv((double)R->m[0][0] * d.x + (double)R->m[1][0] * d.y + (double)R->m[2][0] * d.z,
              (double)R->m[0][1] * d.x + (double)R->m[1][1] * d.y + (double)R->m[2][1] * d.z,
              (double)R->m[0][2] * d.x + (double)R->m[1][2] * d.y + (double)R->m[2][2] * d.z);
}

static inline dvec solid_corner(const solid *s, int i)
{
    const dvec h = dv_of(s->shape.size);
    return s->shape.kind == ECP_SHAPE_BOX
               ? dv((i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z)
               : dv_of(s->vertices[i]);
}

static inline int solid_corners(const solid *s)
{
    return s->shape.kind == ECP_SHAPE_BOX ? 8 : s->shape.kind == ECP_SHAPE_POLYTOPE ? s->shape.vertex_count : 0;
}

/// Least d.x over the solid, world frame, closed form for each kind.
static inline double solid_lowest(const solid *s, dvec d)
{
    const dvec y = solid_turn_back(s, d), h = dv_of(s->shape.size);
    const double at = dv_dot(d, dv_of(s->pose.x)), across = sqrt(y.x * y.x + y.y * y.y);
    switch (s->shape.kind) {
    case ECP_SHAPE_ELLIPSOID:
        return at - sqrt(h.x * h.x * y.x * y.x + h.y * h.y * y.y * y.y + h.z * h.z * y.z * y.z);
    case ECP_SHAPE_CYLINDER: return at - h.x * across - h.z * fabs(y.z);
    case ECP_SHAPE_CONE: return at + fmin(0.75 * h.z * y.z, -0.25 * h.z * y.z - h.x * across);
    default: break;
    }
    double least = HUGE_VAL;
    for (int i = 0; i < solid_corners(s); i++) {
        least = fmin(least, dv_dot(y, solid_corner(s, i)));
    }
    return at + least;
}

/// Gap of A above B along n.
static inline double solid_gap_along(const solid *A, const solid *B, dvec n)
{
    return solid_lowest(A, n) + solid_lowest(B, dv(-n.x, -n.y, -n.z));
}

/// How far a world point is outside, at most (0 inside): a bound from the inequalities.
static inline double solid_outside(const solid *s, ecp_vec3 p)
{
    const dvec y = solid_turn_back(s, dv_axpy(dv_of(p), -1.0, dv_of(s->pose.x))), h = dv_of(s->shape.size);
    const double across = sqrt(y.x * y.x + y.y * y.y);
    double f = 0;
    switch (s->shape.kind) {
    case ECP_SHAPE_BOX: f = fmax(fabs(y.x) - h.x, fmax(fabs(y.y) - h.y, fabs(y.z) - h.z)); break;
    case ECP_SHAPE_ELLIPSOID: {
        const dvec q = dv(y.x / h.x, y.y / h.y, y.z / h.z);
        f = (dv_norm(q) - 1) * fmin(h.x, fmin(h.y, h.z));
        break;
    }
    case ECP_SHAPE_CYLINDER: f = fmax(across - h.x, fabs(y.z) - h.z); break;
    case ECP_SHAPE_CONE:
        f = fmax((across - h.x / h.z * (0.75 * h.z - y.z)) / sqrt(1 + h.x * h.x / (h.z * h.z)), -0.25 * h.z - y.z);
        break;
    default:
        for (int i = 0; i < s->shape.plane_count; i++) {
            f = fmax(f, dv_dot(dv_of(s->planes[i].n), y) - (double)s->planes[i].d);
        }
    }
    return fmax(f, 0);
}

static inline void solid_place(solid *s, ecp_vec3 x, ecp_quat q)
{
    s->pose.shape = &s->shape;
    s->pose.R = ecp_quat_matrix(ecp_quat_normalised(q));
    s->pose.x = x;
}

static inline ecp_quat solid_random_turn(test_random *r)
{
    ecp_real q[4], qq;
    do {
        test_fill(r, q, 4, -1, 1);
        qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (qq > ECP_R(1.0) || qq < ECP_R(1e-3));
    return ecp_quat_normalised((ecp_quat){ q[0], q[1], q[2], q[3] });
}

static inline void solid_hull(solid *s, const double *points, int count, bool *done)
{
    hull h;
    const char *why;
    *done = false;
    if (!hull_of_points(&h, points, count, &why)) {
        return;
    }
    *done = h.plane_count <= SOLID_FACETS && h.plane_count <= ECP_MAX_FACETS;
    if (*done) {
        for (int i = 0; i < h.plane_count; i++) {
            const double *p = h.planes[i];
            s->planes[i] = (ecp_plane){ { (ecp_real)p[0], (ecp_real)p[1], (ecp_real)p[2] }, (ecp_real)p[3] };
        }
        for (int i = 0; i < h.vertex_count; i++) {
            const double *v = h.vertices[i];
            s->vertices[i] = ecp_v3((ecp_real)v[0], (ecp_real)v[1], (ecp_real)v[2]);
        }
        s->shape = (ecp_shape)ECP_POLYTOPE(h.plane_count, s->planes, h.vertex_count, s->vertices);
    }
    hull_free(&h);
}

/// 0 box, 1 sphere, 2 hull of 4 to 7 random points, 3 ellipsoid, 4 cylinder, 5 cone.
static inline void solid_random(solid *s, int kind, test_random *r)
{
    const ecp_real a = test_uniform(r, 0.2, 1), b = test_uniform(r, 0.2, 1), c = test_uniform(r, 0.2, 1);
    bool done = kind != 2;
    switch (kind) {
    case 0: s->shape = (ecp_shape)ECP_BOX(ECP_R(2.0) * a, ECP_R(2.0) * b, ECP_R(2.0) * c); break;
    case 1: s->shape = (ecp_shape)ECP_SPHERE(a); break;
    case 3: s->shape = (ecp_shape)ECP_ELLIPSOID(a, b, c); break;
    case 4: s->shape = (ecp_shape)ECP_CYLINDER(a, ECP_R(2.0) * b); break;
    case 5: s->shape = (ecp_shape)ECP_CONE(a, ECP_R(2.0) * b); break;
    default: break;
    }
    while (!done) {
        double points[21];
        const int count = 4 + (int)test_uniform(r, 0, 3.99);
        for (int i = 0; i < 3 * count; i++) {
            points[i] = (double)test_uniform(r, -1, 1);
        }
        solid_hull(s, points, count, &done);
    }
    solid_place(s, ecp_v3(0, 0, 0), (ecp_quat){ 1, 0, 0, 0 });
}

static inline double solid_size(const solid *A, const solid *B)
{
    return (double)(ecp_shape_radius(&A->shape) + ecp_shape_radius(&B->shape) +
                    ecp_v3_norm(ecp_v3_sub(A->pose.x, B->pose.x)));
}

#endif
